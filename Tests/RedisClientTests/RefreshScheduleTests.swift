import TestServers
import Testing

@testable import RedisClient

@Suite("When to ask a cluster who serves what")
struct RefreshScheduleTests {
    @Test("is at once in the beginning, and after a wait for the next reason")
    func throttled() {
        var schedule = RefreshSchedule()
        #expect(schedule.wanted(jitter: 1) == .ask)
        // One at a time, however many want it.
        #expect(schedule.wanted(jitter: 1) == .nothing)
        #expect(schedule.wanted(jitter: 1) == .nothing)
        #expect(schedule.finished(isKnown: true, jitter: 1) == .wait(.milliseconds(100)))
        #expect(schedule.wanted(jitter: 1) == .nothing)
        #expect(schedule.due() == .ask)
    }

    @Test("waits longer each time that it does not help, up to a bound")
    func growing() {
        var schedule = RefreshSchedule()
        #expect(schedule.wanted(jitter: 1) == .ask)
        var waits: [Duration] = []
        for _ in 0..<8 {
            guard case .wait(let wait) = schedule.finished(isKnown: false, jitter: 1) else { break }
            waits.append(wait)
            #expect(schedule.due() == .ask)
        }
        #expect(waits == [100, 200, 400, 800, 1600, 2000, 2000, 2000].map { .milliseconds($0) })
    }

    @Test("is now and then without a reason, which makes the next reason count at once")
    func regular() {
        var schedule = RefreshSchedule()
        #expect(schedule.wanted(jitter: 0) == .ask)
        #expect(schedule.finished(isKnown: true, jitter: 0.5) == .wait(RefreshSchedule.interval))
        #expect(schedule.due() == .ask)
        #expect(schedule.finished(isKnown: true, jitter: 0) == .wait(RefreshSchedule.interval / 2))
        #expect(schedule.wanted(jitter: 0.25) == .wait(RefreshSchedule.spread / 4))
        #expect(schedule.due() == .ask)
    }

    @Test("is spread over those who meet the same redirection in the same moment")
    func herd() {
        var random = SeededRandom(seed: 1)
        var askingIn = Array(repeating: 0, count: 10)
        for _ in 0..<1000 {
            var schedule = RefreshSchedule()
            _ = schedule.wanted(jitter: 0)
            _ = schedule.finished(isKnown: true, jitter: 0)
            // The next regular one has made the last reason count no more.
            _ = schedule.due()
            _ = schedule.finished(isKnown: true, jitter: 0)
            guard case .wait(let time) = schedule.wanted(jitter: .random(in: 0..<1, using: &random)) else {
                Issue.record("it asks at once")
                return
            }
            askingIn[Int(time / RefreshSchedule.spread * 10)] += 1
        }
        #expect(askingIn.allSatisfy { (50...150).contains($0) }, "\(askingIn)")
    }

    /// Everything that can happen to a schedule and its shell, in every order up to this length.
    @Test("never asks twice at a time and never stops asking, whatever happens in whatever order")
    func everyHistory() {
        var count = 0
        func go(_ schedule: RefreshSchedule, isAsking: Bool, hasTimer: Bool, _ left: Int, _ path: [String]) {
            guard left > 0 else { return }
            count += 1
            var events: [(String, (inout RefreshSchedule) -> RefreshSchedule.Action)] = [
                ("wanted", { $0.wanted(jitter: 1) })
            ]
            if hasTimer { events.append(("due", { $0.due() })) }
            if isAsking {
                events.append(("known", { $0.finished(isKnown: true, jitter: 0.5) }))
                events.append(("unknown", { $0.finished(isKnown: false, jitter: 0.5) }))
            }
            for (name, event) in events {
                var (next, asks) = (schedule, isAsking && !name.hasSuffix("known"))
                var waits = hasTimer && name != "due"
                switch event(&next) {
                case .ask:
                    #expect(!asks, "\(path) \(name)")
                    (asks, waits) = (true, false)
                case .wait(let time):
                    #expect(time >= .zero && time <= RefreshSchedule.interval * 1.5)
                    waits = true
                case .nothing: break
                }
                #expect(asks || waits, "\(path) \(name)")
                go(next, isAsking: asks, hasTimer: waits, left - 1, path + [name])
            }
        }
        go(RefreshSchedule(), isAsking: false, hasTimer: false, 11, [])
        #expect(count > 5000)
    }

    /// Every state with every event: never two at a time, and always something that leads on.
    @Test("never asks twice at a time and never stops asking", arguments: 0..<200 as Range<UInt64>)
    func walk(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var schedule = RefreshSchedule()
        var (isAsking, timer, hasBegun) = (false, false, false)
        for step in 0..<200 {
            let action: RefreshSchedule.Action
            switch Int.random(in: 0..<3, using: &random) {
            case 0: action = schedule.wanted(jitter: .random(in: 0...1, using: &random))
            case 1 where timer:
                timer = false
                action = schedule.due()
            case 2 where isAsking:
                isAsking = false
                action = schedule.finished(isKnown: .random(using: &random), jitter: .random(in: 0...1, using: &random))
            default: continue
            }
            hasBegun = true
            switch action {
            case .ask:
                #expect(!isAsking, "step \(step)")
                // The shell stops its timer.
                (isAsking, timer) = (true, false)
            case .wait(let time):
                #expect(time <= RefreshSchedule.interval * 1.5)
                timer = true
            case .nothing: break
            }
            #expect(isAsking || timer || !hasBegun, "step \(step)")
        }
    }
}
