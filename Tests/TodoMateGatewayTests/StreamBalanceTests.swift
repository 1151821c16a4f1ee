import Testing

@testable import TodoMateGateway

/// A balance, and the clock and the others that it goes by: each call of `pass` is a time in which all announce themselves.
private struct Scene {
    static let interval = Duration.seconds(2)
    private(set) var balance: StreamBalance
    private(set) var now = ContinuousClock.now
    var own: Int
    var others: [String: Int]
    /// Who listens besides those who speak.
    var mute = 0
    var isConnected = true

    init(own: Int, others: [String: Int]) {
        (self.own, self.others) = (own, others)
        balance = StreamBalance(own: "own", interval: Self.interval, now: now)
    }

    /// Lets so many seconds pass.
    @discardableResult
    mutating func pass(_ seconds: Int) -> StreamBalance.Verdict {
        var verdict = StreamBalance.Verdict.keep(.unsettled)
        for second in 0..<seconds {
            now += .seconds(1)
            if isConnected, second % 2 == 0 {
                for (name, streams) in others { receive(name, streams) }
                receive("own", own)
                balance.announced(to: others.count + 1 + mute)
            }
            verdict = balance.tick(streams: own, at: now)
        }
        return verdict
    }

    mutating func receive(_ name: String, _ streams: Int, draining: Bool? = nil) {
        balance.receive(WorkerLoad(worker: name, streams: streams, draining: draining), at: now)
    }

    mutating func disconnect() { balance.disconnected(at: now) }

    /// A tick after so long without one.
    mutating func wake(after seconds: Int) -> StreamBalance.Verdict {
        now += .seconds(seconds)
        return pass(1)
    }
}

@Suite("The balance of streams")
struct StreamBalanceTests {
    private typealias Verdict = StreamBalance.Verdict

    @Test(
        "lets go where one has far more than its share, a hundredth a second, and nowhere else",
        arguments: [
            (0, [:], Verdict.keep(.alone)), (2000, [:], .keep(.alone)),
            (0, ["b": 0], .keep(.balanced)), (0, ["b": 2000], .keep(.balanced)),
            (1000, ["b": 1000], .keep(.balanced)), (1099, ["b": 901], .keep(.balanced)),
            (1208, ["b": 792], .keep(.balanced)), (1209, ["b": 791], .letGo(12)),
            (60, ["b": 0, "c": 0], .letGo(1)), (30, ["b": 30, "c": 0], .letGo(1)),
            (20, ["b": 20, "c": 0], .keep(.balanced)),
            (8, ["b": 0], .keep(.balanced)),
            (40, ["b": 40, "c": 40, "d": 0], .letGo(1)), (2000, ["b": 0, "c": 0], .letGo(20)),
            (50_000, ["b": 0], .letGo(20)), (0, ["b": 1_000_000], .keep(.balanced)),
            // Of ten, the one that came last gets nobody, and no other has a fifth too much.
            (222, (1...8).reduce(into: ["last": 0]) { $0["w\($1)"] = 222 }, .letGo(2)),
            (200, (1...9).reduce(into: [:]) { $0["w\($1)"] = 200 }, .keep(.balanced)),
        ] as [(Int, [String: Int], StreamBalance.Verdict)]
    )
    func verdict(_ own: Int, _ others: [String: Int], _ expected: StreamBalance.Verdict) {
        var scene = Scene(own: own, others: others)
        #expect(scene.pass(20) == expected)
    }

    @Test("stops at the share, not below and not before")
    func stops() {
        var scene = Scene(own: 1300, others: ["b": 700])
        #expect(scene.pass(20) == .letGo(13))
        (scene.own, scene.others) = (1005, ["b": 995])
        #expect(scene.pass(2) == .letGo(5))
        (scene.own, scene.others) = (1000, ["b": 1000])
        #expect(scene.pass(1) == .keep(.balanced))
        (scene.own, scene.others) = (1200, ["b": 800])
        #expect(scene.pass(20) == .keep(.balanced), "what comes by chance moves nobody")
    }

    /// What a worker may be at.
    enum State: CaseIterable {
        case fresh, alone, balanced, lettingGo, resting, unheard, besideSilence

        fileprivate var scene: Scene {
            var scene = Scene(own: 1600, others: ["b": 400])
            switch self {
            case .fresh: scene.pass(2)
            case .alone:
                scene.others = [:]
                scene.pass(20)
            case .balanced:
                (scene.own, scene.others) = (1000, ["b": 1000])
                scene.pass(20)
            case .lettingGo: scene.pass(20)
            case .resting:
                scene.pass(20)
                scene.letGo(200)
                scene.pass(20)
            case .unheard:
                scene.pass(20)
                scene.disconnect()
                scene.isConnected = false
                scene.pass(1)
            case .besideSilence:
                scene.others["c"] = 100
                scene.pass(20)
                scene.others["c"] = nil
                scene.mute = 1
                scene.pass(20)
            }
            return scene
        }

        fileprivate var verdict: StreamBalance.Verdict {
            switch self {
            case .fresh, .unheard, .besideSilence: .keep(.unsettled)
            case .alone: .keep(.alone)
            case .balanced: .keep(.balanced)
            case .lettingGo: .letGo(16)
            case .resting: .keep(.futile)
            }
        }
    }

    /// What may happen to it.
    enum Event: CaseIterable {
        case time, again, newcomer, goodbye, strangersGoodbye, nonsense, invented, liesOfAKnown, loss, hold, restart

        /// Whether all have to be calm again first.
        fileprivate func unsettles(_ state: State) -> Bool {
            switch self {
            case .time, .again, .strangersGoodbye, .nonsense, .liesOfAKnown: false
            case .newcomer, .invented, .loss, .hold, .restart: true
            case .goodbye: state != .alone
            }
        }

        fileprivate func happen(to scene: inout Scene) -> StreamBalance.Verdict {
            switch self {
            case .time: return scene.pass(1)
            case .again: if let streams = scene.others["b"] { scene.receive("b", streams) }
            case .newcomer: scene.others["new"] = 0
            case .goodbye:
                scene.receive("b", 0, draining: true)
                scene.others["b"] = nil
            case .strangersGoodbye: scene.receive("stranger", 0, draining: true)
            case .nonsense:
                scene.receive("", 1)
                scene.receive(String(repeating: "x", count: 65), 1)
                scene.receive("negative", -1)
                scene.receive("huge", .max)
                scene.receive("b", .min)
            case .invented: for number in 1...5000 { scene.receive("invented \(number)", 0) }
            case .liesOfAKnown: if scene.others["b"] != nil { scene.receive("b", 1_000_000) }
            case .loss: scene.disconnect()
            case .hold: return scene.wake(after: 5)
            case .restart:
                scene.receive("b", 0, draining: true)
                scene.others["b"] = nil
                scene.others["b again"] = 0
            }
            return scene.pass(1)
        }
    }

    @Test("is what it was after each event, or waits for calm", arguments: State.allCases, Event.allCases)
    func table(_ state: State, _ event: Event) {
        var scene = state.scene
        #expect(scene.pass(1) == state.verdict, "so it begins")
        let verdict = event.happen(to: &scene)
        let waits = state.verdict == .keep(.unsettled) || event.unsettles(state)
        #expect(verdict == (waits ? .keep(.unsettled) : state.verdict))
        #expect(scene.balance.workers.streams.count <= KnownWorkers.most)
        guard event.unsettles(state) else { return }
        #expect(scene.pass(8) == .keep(.unsettled), "not before ten seconds are over")
        #expect(scene.balance.letGo == nil)
        // Invented workers are forgotten with the next silence; a silent one that still listens is waited for.
        scene.isConnected = true
        let later = scene.pass(12)
        if state == .besideSilence {
            #expect(later == .keep(.unsettled))
        } else {
            #expect(later != .keep(.unsettled))
        }
    }

    @Test("waits for a worker that is silent and still listens, and forgets one that ended")
    func silence() {
        var stopped = Scene(own: 1600, others: ["b": 400, "c": 1000])
        #expect(stopped.pass(20) == .letGo(16))
        (stopped.others["c"], stopped.mute) = (nil, 1)
        stopped.pass(7)
        for _ in 0..<550 { #expect(stopped.pass(1) == .keep(.unsettled), "readers would land there") }
        #expect(stopped.balance.workers.streams["c"] == 1000, "its readers count as long as they are there")
        #expect(stopped.pass(100) != .keep(.unsettled), "a connection whose machine is gone ends, too")

        var goesOn = Scene(own: 1600, others: ["b": 400, "c": 1000])
        goesOn.pass(20)
        (goesOn.others["c"], goesOn.mute) = (nil, 1)
        #expect(goesOn.pass(60) == .keep(.unsettled))
        (goesOn.others["c"], goesOn.mute) = (1000, 0)
        #expect(goesOn.pass(9) == .keep(.unsettled))
        #expect(goesOn.pass(9) == .letGo(16))

        var ended = Scene(own: 1600, others: ["b": 400, "c": 1000])
        ended.pass(20)
        ended.others["c"] = nil
        #expect(ended.pass(7) == .keep(.unsettled))
        #expect(ended.pass(12) == .letGo(16))
        #expect(ended.balance.workers.streams == ["b": 400])
    }

    @Test("takes a few streams at most for one lie, and none for the loss of its own voice")
    func lies() {
        var scene = Scene(own: 1000, others: ["b": 1000])
        scene.pass(20)
        var count = 0
        scene.receive("b", 0)
        for _ in 0..<30 { if case .letGo(let streams) = scene.pass(1) { count += streams } }
        #expect(count <= 30)

        var unheard = Scene(own: 1600, others: ["b": 400])
        unheard.pass(20)
        unheard.isConnected = false
        #expect(unheard.pass(5) == .keep(.unsettled), "without a word that the connection is lost")
        #expect(unheard.pass(600) == .keep(.unsettled))
        #expect(unheard.balance.workers.streams == ["b": 400], "who hears nothing calls nobody silent")
    }

    @Test("does not count a worker of an older version, which says nothing and does not listen")
    func older() {
        var scene = Scene(own: 2000, others: [:])
        #expect(scene.pass(60) == .keep(.alone))
    }

    @Test("rests when those who have too few gain nothing, until somebody comes or an hour has passed")
    func futile() {
        var scene = Scene(own: 1600, others: ["b": 400])
        var count = 0
        for _ in 0..<3000 {
            guard case .letGo(let streams) = scene.pass(1) else { continue }
            count += streams
            scene.letGo(streams)
        }
        #expect((64...200).contains(count), "\(count)")
        #expect(scene.pass(1) == .keep(.futile))
        #expect(scene.pass(700) == .letGo(16), "an hour has passed")
        scene.letGo(200)
        #expect(scene.pass(20) == .keep(.futile))
        scene.others["c"] = 0
        #expect(scene.pass(20) == .letGo(16))
    }
}

extension Scene {
    fileprivate mutating func letGo(_ count: Int) { balance.letGo(count) }
}
