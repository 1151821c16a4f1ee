import TestServers
import Testing

@testable import RedisClient

@Suite("When to ask a cluster who serves what")
struct RefreshScheduleTests {
    @Test("is at once for the first reason, and after a wait for the next")
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
        #expect(schedule.wanted(jitter: 1) == .ask)
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
