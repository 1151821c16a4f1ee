import Foundation
import Testing

@testable import TodoMateClient

@Suite("The connection of a board")
struct BoardConnectionStateMachineTests {
    private typealias Machine = BoardConnectionStateMachine

    /// How a machine comes into each state.
    private static let states: [(name: String, make: @Sendable () -> BoardConnectionStateMachine)] = [
        ("idle", { Machine() }),
        ("asking", { made { _ = $0.watch(["a"]) } }),
        ("asking again", { made(connecting) { _ = $0.failed(answer(401)) } }),
        ("connecting", connecting),
        ("open", { made(connecting) { _ = $0.received(cursor: "c1", retry: nil, heartbeat: nil) } }),
        ("waiting", { made(connecting) { _ = $0.ended("gone") } }),
        ("refused", { made(connecting) { _ = $0.failed(answer(403)) } }),
        ("closed", { made(connecting) { _ = $0.close() } }),
    ]

    private static let connecting: @Sendable () -> BoardConnectionStateMachine = {
        made {
            _ = $0.watch(["a"])
            _ = $0.answered("t1")
        }
    }

    private static func made(
        _ make: () -> BoardConnectionStateMachine = { BoardConnectionStateMachine() },
        _ steps: (inout BoardConnectionStateMachine) -> Void
    ) -> BoardConnectionStateMachine {
        var machine = make()
        steps(&machine)
        return machine
    }

    private static func answer(_ status: Int, after seconds: Int? = nil) -> ServerFailure {
        let fields = seconds.map { ["retry-after": String($0)] } ?? [:]
        return ServerFailure(
            ServerAnswer(status: status, fields: fields, body: Data(#"{"type":"urn:todomate:problem:some"}"#.utf8))
        )
    }

    @Test("asks a source that always has another token three times, and then waits")
    func noTokenTaken() {
        var machine = Self.connecting()
        var asked = 0
        while machine.state == .connecting, asked < 10 {
            _ = machine.failed(Self.answer(401))
            asked += 1
            _ = machine.answered("t\(asked + 1)")
        }
        #expect(machine.state == .refused && asked == 3)
        // It is asked again later; what was refused before counts no more once a stream has lasted, and not after its first event.
        for (heartbeat, left) in [(StreamHeartbeat?.none, false), (.inTouch, true)] {
            _ = machine.waited()
            _ = machine.answered("t10")
            for token in ["t11", "t12"] {
                _ = machine.failed(Self.answer(401))
                _ = machine.answered(token)
            }
            _ = machine.received(cursor: "c1", retry: nil, heartbeat: heartbeat)
            _ = machine.failed(Self.answer(401))
            _ = machine.answered("t13")
            #expect((machine.state == .connecting) == left)
        }
    }

    private static let events:
        [String: @Sendable (inout BoardConnectionStateMachine) -> [BoardConnectionStateMachine.Effect]] = [
            "watch nobody": { $0.watch([]) },
            "watch others": { $0.watch(["b"]) },
            "hurry": { $0.hurry(isStale: false) },
            "hurry, as stale": { $0.hurry(isStale: true) },
            "other credentials": { $0.credentialsChanged() },
            "close": { $0.close() },
            "a token": { $0.answered("t2") },
            "the same token": { $0.answered("t1") },
            "no token": { $0.answered(nil) },
            "401": { $0.failed(answer(401)) },
            "429": { $0.failed(answer(429, after: 7)) },
            "403": { $0.failed(answer(403)) },
            "500": { $0.failed(answer(500)) },
            "an event": { $0.received(cursor: "c2", retry: nil, heartbeat: .inTouch) },
            "the end": { $0.ended("gone") },
            "silence": { $0.silent() },
            "doubt": { $0.doubted("odd") },
            "time": { $0.waited() },
        ]

    /// What becomes of each state, and what is done besides telling it; a dot for nothing at all.
    private static let table = """
                          | idle       | asking                 | asking again           | connecting             | open                   | waiting                 | refused         | closed
        watch nobody      | .          | idle off               | idle off               | idle off               | idle off               | idle stop               | idle stop       | .
        watch others      | asking ask | .                      | .                      | connecting off open:t1 | connecting off open:t1 | .                       | .               | .
        hurry             | .          | .                      | .                      | .                      | .                      | connecting stop open:t1 | asking stop ask | .
        hurry, as stale   | .          | .                      | .                      | connecting off open:t1 | connecting off open:t1 | connecting stop open:t1 | asking stop ask | .
        other credentials | .          | asking off ask         | asking off ask         | asking off ask         | asking off ask         | asking stop ask         | asking stop ask | .
        close             | closed     | closed off             | closed off             | closed off             | closed off             | closed stop             | closed stop     | .
        a token           | .          | connecting open:t2     | connecting open:t2     | .                      | .                      | .                       | .               | .
        the same token    | .          | connecting open:t1     | refused long0          | .                      | .                      | .                       | .               | .
        no token          | .          | connecting open:-      | refused long0          | .                      | .                      | .                       | .               | .
        401               | .          | .                      | .                      | asking-t1 ask-t1       | asking-t1 ask-t1       | .                       | .               | .
        429               | .          | .                      | .                      | waiting wait0/7        | waiting wait0/7        | .                       | .               | .
        403               | .          | .                      | .                      | refused long0          | refused long0          | .                       | .               | .
        500               | .          | .                      | .                      | waiting wait0/0        | waiting wait0/0        | .                       | .               | .
        an event          | .          | .                      | .                      | open                   | .                      | .                       | .               | .
        the end           | .          | .                      | .                      | waiting wait0/0        | waiting wait0/0        | .                       | .               | .
        silence           | .          | .                      | .                      | waiting off wait0/0    | waiting off wait0/0    | .                       | .               | .
        doubt             | .          | .                      | .                      | waiting off wait0/0    | waiting off wait0/0    | .                       | .               | .
        time              | .          | .                      | .                      | .                      | .                      | connecting open:t1      | asking ask      | .
        """

    private static func name(_ state: BoardConnectionStateMachine.State) -> String {
        switch state {
        case .idle: "idle"
        case .asking(let refused): "asking" + (refused.map { "-\($0)" } ?? "")
        case .connecting: "connecting"
        case .open: "open"
        case .waiting: "waiting"
        case .refused: "refused"
        case .closed: "closed"
        }
    }

    private static func name(_ effect: BoardConnectionStateMachine.Effect) -> String? {
        switch effect {
        case .ask(let refused): "ask" + (refused.map { "-\($0)" } ?? "")
        case .connect(_, _, let token): "open:\(token ?? "-")"
        case .disconnect: "off"
        case .wait(let failure, let least): "wait\(failure)/\(Int(least / .seconds(1)))"
        case .waitLong(let least): "long\(Int(least / .seconds(1)))"
        case .stopWaiting: "stop"
        case .report: nil
        }
    }

    @Test("does in every state what the table says of every event")
    func product() throws {
        let rows = Self.table.split(separator: "\n").map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(rows[0].dropFirst() == Self.states.map(\.name)[...])
        #expect(Set(rows.dropFirst().map { $0[0] }) == Set(Self.events.keys))
        for row in rows.dropFirst() {
            let event = try #require(Self.events[row[0]])
            for (index, state) in Self.states.enumerated() {
                var machine = state.make()
                let before = machine.state
                let effects = event(&machine)
                let words = (machine.state == before ? [] : [Self.name(machine.state)]) + effects.compactMap(Self.name)
                // What is opened anew stays in its state by name.
                let isAgain = machine.state == before && !words.isEmpty
                let told = (isAgain ? [Self.name(machine.state)] : []) + words
                let text = told.isEmpty ? "." : told.joined(separator: " ")
                #expect(text == row[index + 1], "\(row[0]) while \(state.name)")
            }
        }
    }

    @Test("says how it stands whenever that changes")
    func reports() {
        for state in Self.states {
            for (name, event) in Self.events {
                var machine = state.make()
                let before = machine.state
                let reports = event(&machine).compactMap { if case .report(let status) = $0 { status } else { nil } }
                guard machine.state != before, before != .idle || machine.state != .closed else { continue }
                let fits =
                    switch (machine.state, reports.last) {
                    case (.idle, .idle), (.closed, .idle), (.asking, .connecting), (.connecting, .connecting),
                        (.open, .live), (.waiting, .waiting), (.refused, .refused), (.refused, .signedOut):
                        true
                    default: false
                    }
                #expect(fits, "\(name) while \(state.name): \(reports)")
            }
        }
    }

    @Test("waits longer after each failure, until a stream has lasted")
    func failures() {
        var machine = Self.connecting()
        func waits(_ effects: [BoardConnectionStateMachine.Effect]) -> [String] { effects.compactMap(Self.name) }
        for failure in 0..<5 {
            _ = machine.received(cursor: "c", retry: nil, heartbeat: nil)
            #expect(waits(machine.ended("gone")) == ["wait\(failure)/0"], "its first event alone is no success")
            _ = machine.waited()
        }
        _ = machine.received(cursor: nil, retry: nil, heartbeat: .inTouch)
        #expect(waits(machine.ended("gone")) == ["wait0/0"])
    }

    @Test("is not live while the server says that it is out of touch, and is again once it says nothing of that")
    func outOfTouch() {
        typealias Effect = BoardConnectionStateMachine.Effect
        func statuses(_ effects: [Effect]) -> [String] {
            effects.map {
                if case .report(.waiting) = $0 { "waiting" } else { $0 == .report(.live) ? "live" : "\($0)" }
            }
        }
        // Right at the beginning, and in the middle.
        for first in [StreamHeartbeat.outOfTouch, nil] {
            var machine = Self.connecting()
            #expect(
                statuses(machine.received(cursor: nil, retry: nil, heartbeat: first)) == [
                    first == nil ? "live" : "waiting"
                ]
            )
            if first == nil {
                #expect(statuses(machine.received(cursor: nil, retry: nil, heartbeat: .outOfTouch)) == ["waiting"])
            }
            #expect(machine.received(cursor: "c", retry: nil, heartbeat: nil).isEmpty, "a change is no sign of life")
            #expect(machine.received(cursor: nil, retry: nil, heartbeat: .outOfTouch).isEmpty)
            #expect(statuses(machine.received(cursor: nil, retry: nil, heartbeat: .inTouch)) == ["live"])
            _ = machine.received(cursor: nil, retry: nil, heartbeat: .outOfTouch)
            _ = machine.ended("gone")
            _ = machine.waited()
            #expect(
                statuses(machine.received(cursor: nil, retry: nil, heartbeat: nil)) == ["live"],
                "another one may be well"
            )
        }
    }

    @Test(
        "reads what a heartbeat says, of any version",
        arguments: [
            ("heartbeat", "{}", StreamHeartbeat.inTouch), ("heartbeat", "", .inTouch),
            ("heartbeat", #"{"live":true}"#, .inTouch),
            ("heartbeat", #"{"live":false}"#, .outOfTouch), ("heartbeat", #"{"live":false,"more":[1]}"#, .outOfTouch),
            ("heartbeat", "nonsense", .inTouch), ("added", #"{"live":false}"#, nil),
        ]
    )
    func heartbeats(_ name: String, _ data: String, _ meaning: StreamHeartbeat?) {
        #expect(StreamHeartbeat(StreamEvent(name: name, data: Array(data.utf8))) == meaning)
    }

    @Test("comes back when a server that drains says so, and not earlier")
    func drains() {
        var machine = Self.connecting()
        _ = machine.received(cursor: nil, retry: .milliseconds(1700), heartbeat: nil)
        #expect(machine.ended("drained").contains(.wait(afterFailure: 0, atLeast: .milliseconds(1700))))
        _ = machine.waited()
        #expect(machine.ended("gone").contains(.wait(afterFailure: 1, atLeast: .zero)), "said once, it holds once")
    }

    @Test(
        "knows how long a server that refuses wants not to be asked",
        arguments: [(429, 7), (503, 7), (403, 7), (500, nil)] as [(Int, Int?)]
    )
    func notBefore(_ status: Int, _ seconds: Int?) {
        var machine = Self.made {
            _ = $0.watch(["a"])
            _ = $0.answered("t1")
            _ = $0.failed(Self.answer(status, after: seconds))
        }
        #expect(machine.notBefore == .seconds(seconds ?? 0))
        // Once it is asked again, it is as it says then.
        _ = machine.waited()
        _ = machine.answered("t2")
        #expect(machine.state == .connecting && machine.notBefore == .zero)
    }

    @Test("goes on from its place, and from none after a doubt")
    func cursors() {
        var machine = BoardConnectionStateMachine(after: "c0")
        _ = machine.watch(["a"])
        #expect(machine.answered("t").contains(.connect(users: ["a"], after: "c0", token: "t")))
        _ = machine.received(cursor: "c1", retry: nil, heartbeat: nil)
        _ = machine.received(cursor: nil, retry: nil, heartbeat: nil)
        #expect(machine.watch(["a", "b"]).contains(.connect(users: ["a", "b"], after: "c1", token: "t")))
        _ = machine.received(cursor: "c2", retry: nil, heartbeat: nil)
        _ = machine.doubted("odd")
        #expect(machine.waited().contains(.connect(users: ["a", "b"], after: nil, token: "t")))
    }

    @Test("asks for a token even of a server that took none")
    func withoutToken() {
        var machine = BoardConnectionStateMachine()
        _ = machine.watch(["a"])
        _ = machine.answered(nil)
        let effects = machine.failed(Self.answer(401))
        #expect(machine.state == .refused)
        #expect(effects.contains { if case .report(.signedOut) = $0 { true } else { false } })
        #expect(machine.credentialsChanged().contains(.ask(inPlaceOf: nil)))
    }
}
