import EventLoop
import Testing

@testable import TodoMate

@Suite("When changes are shared")
@LoopActor
struct ShareStateMachineTests {
    /// Everything that a share can be in; a name each, and how to get there.
    private static let states: [String: (inout ShareStateMachine) -> Void] = [
        "closed": { _ in },
        "reading": { _ = $0.open() },
        "resuming": { _ = $0.open(after: (.followers, ChangeID(version: 3, microseconds: 3))) },
        "showing": { show(&$0) },
        "going on": {
            show(&$0)
            _ = $0.viewerMissed()
        },
        "ended": { end(&$0, PairAccess(granted: .none, stance: .following)) },
        "ended unread": { end(&$0, nil) },
        "back": {
            end(&$0, nil)
            _ = $0.viewerMissed()
        },
        "left": {
            show(&$0)
            $0.close()
        },
    ]

    /// Everything that can happen to it.
    private static let events: [String: (inout ShareStateMachine) -> ShareStateMachine.Effect] = [
        "old todo": { $0.received(SharedHistory.todo("t", .public, at: 4)) },
        "new todo": { $0.received(SharedHistory.todo("t", .public, at: 6)) },
        "todo of another history": { $0.received(SharedHistory.todo("t", .public, at: 6, micros: 4)) },
        "relation of another history": {
            $0.ownerChanged(SharedHistory.owner(toward: "carol", blocked: true, at: 6, micros: 4))
        },
        "published todo": { $0.received(SharedHistory.todo("t", .public, at: nil)) },
        "owner and a third": { $0.ownerChanged(SharedHistory.owner(toward: "carol", blocked: true, at: 6)) },
        "owner as before": { $0.ownerChanged(SharedHistory.owner(follower: .following, at: 6)) },
        "owner blocks": { $0.ownerChanged(SharedHistory.owner(blocked: true, at: 6)) },
        "owner lets follow": { $0.ownerChanged(SharedHistory.owner(follower: .following, at: 6)) },
        "old block": { $0.ownerChanged(SharedHistory.owner(blocked: true, at: 4)) },
        "viewer and a third": { $0.viewerChanged(SharedHistory.viewer(.none, toward: "carol")) },
        "viewer as before": { $0.viewerChanged(SharedHistory.viewer(.following)) },
        "viewer leaves": { $0.viewerChanged(SharedHistory.viewer(.none)) },
        "viewer missed": { $0.viewerMissed() },
        "reset": { $0.reset() },
    ]

    /// What each event does in each state: the effect, and the state afterwards.
    private static let table: [String: [String: String]] = {
        let quiet = Dictionary(uniqueKeysWithValues: events.keys.map { ($0, "nothing") })
        let reading: [String: String] = quiet.merging([
            "old todo": "holds", "new todo": "holds", "owner and a third": "holds",
            "todo of another history": "holds", "relation of another history": "holds",
            "owner as before": "reads anew", "owner blocks": "reads anew", "owner lets follow": "reads anew",
            "old block": "reads anew", "viewer as before": "reads anew", "viewer leaves": "reads anew",
            "viewer missed": "reads anew", "reset": "reads a snapshot",
        ]) { $1 }
        return [
            "closed": quiet,
            "left": quiet,
            "reading": reading.merging(["reset": "reads anew"]) { $1 },
            "back": reading.merging(["reset": "reads anew"]) { $1 },
            "resuming": reading,
            // Nothing that was held while the access may have been none is delivered.
            "going on": reading.merging([
                "owner as before": "reads a snapshot", "owner blocks": "reads a snapshot",
                "owner lets follow": "reads a snapshot", "old block": "reads a snapshot",
            ]) { $1 },
            "showing": quiet.merging([
                "new todo": "delivers", "published todo": "delivers", "owner and a third": "delivers",
                "owner as before": "delivers", "owner lets follow": "delivers", "owner blocks": "reads a snapshot",
                "viewer leaves": "reads a snapshot", "viewer missed": "reads to go on", "reset": "reads a snapshot",
                "todo of another history": "reads a snapshot", "relation of another history": "reads a snapshot",
            ]) { $1 },
            "ended": quiet.merging([
                "owner lets follow": "reads a snapshot", "owner as before": "reads a snapshot",
                "viewer missed": "reads a snapshot", "reset": "reads a snapshot",
            ]) { $1 },
            // What could not be read is read again at the first sign of anything.
            "ended unread": quiet.merging([
                "owner and a third": "reads a snapshot", "owner as before": "reads a snapshot",
                "relation of another history": "reads a snapshot", "owner blocks": "reads a snapshot",
                "owner lets follow": "reads a snapshot",
                "old block": "reads a snapshot", "viewer as before": "reads a snapshot",
                "viewer leaves": "reads a snapshot", "viewer missed": "reads a snapshot", "reset": "reads a snapshot",
            ]) { $1 },
        ]
    }()

    nonisolated private static let names = [
        "closed", "reading", "resuming", "showing", "going on", "ended", "ended unread", "back", "left",
    ]

    @Test("is decided for each event in each state", arguments: names)
    func product(_ state: String) throws {
        let row = try #require(Self.table[state])
        let enter = try #require(Self.states[state])
        #expect(Set(Self.table.keys) == Set(Self.states.keys) && Self.states.count == Self.names.count)
        for (name, event) in Self.events {
            var machine = ShareStateMachine(of: "bob", for: "alice")
            enter(&machine)
            let before = Self.reading(machine)
            let effect = event(&machine)
            #expect(Self.describe(effect, machine, since: before) == row[name], "\(state): \(name)")
        }
    }

    @Test("begins where the reader was only with the same access, and not from the beginning of time")
    func start() {
        for access in Access.allCases {
            for version in [0, 3] {
                let id = ChangeID(version: version, microseconds: version)
                var machine = ShareStateMachine(of: "bob", for: "alice")
                guard case .read(let reading) = machine.open(after: (access, id)) else {
                    Issue.record("no read"); return
                }
                #expect(reading.start == (version == 0 ? .snapshot : .resume(access, after: id)))
                for granted in Access.allCases {
                    var copy = machine
                    let sides = PairAccess(granted: granted, stance: .following)
                    let effect = copy.know(sides, asOf: id, missed: [], by: reading)
                    #expect((effect != nil) == (granted == access && access != .none && version > 0))
                }
            }
        }
    }

    @Test("goes on only where no change that was missed could have changed the access")
    func touched() {
        let id = ChangeID(version: 3, microseconds: 3)
        let changes = [
            (SharedHistory.todo("t", .public, at: 4), true),
            (SharedHistory.owner(toward: "carol", blocked: true, at: 4), true),
            (SharedHistory.owner(blocked: true, at: 4), false),
        ]
        for (change, isPassed) in changes {
            var machine = ShareStateMachine(of: "bob", for: "alice")
            guard case .read(let reading) = machine.open(after: (.followers, id)) else {
                Issue.record("no read"); return
            }
            let sides = PairAccess(granted: .followers, stance: .following)
            #expect((machine.know(sides, asOf: id, missed: [change], by: reading) != nil) == isPassed)
        }
    }

    @Test("is not answered by what was read before something happened")
    func outOfDate() {
        var machine = ShareStateMachine(of: "bob", for: "alice")
        guard case .read(let first) = machine.open(), case .read(let second) = machine.viewerMissed() else {
            Issue.record("no read")
            return
        }
        #expect(!machine.isCurrent(first) && machine.isCurrent(second) && first.number != second.number)
        machine.close()
        #expect(!machine.isCurrent(second))
    }

    // MARK: Building

    private static func show(_ machine: inout ShareStateMachine) {
        guard case .read(let reading) = machine.open() else { return }
        let sides = PairAccess(granted: .followers, stance: .following)
        _ = machine.begin(sides, asOf: ChangeID(version: 5, microseconds: 5), by: reading)
    }

    private static func end(_ machine: inout ShareStateMachine, _ sides: PairAccess?) {
        guard case .read(let reading) = machine.open() else { return }
        _ = machine.end(sides, by: reading)
    }

    private static func reading(_ machine: ShareStateMachine) -> (ShareStateMachine.Reading, held: Int)? {
        if case .reading(let reading, let held, _) = machine.state { (reading, held.count) } else { nil }
    }

    private static func describe(
        _ effect: ShareStateMachine.Effect,
        _ machine: ShareStateMachine,
        since before: (reading: ShareStateMachine.Reading, held: Int)?
    ) -> String {
        switch effect {
        case .nothing: (reading(machine)?.held ?? 0) > (before?.held ?? 0) ? "holds" : "nothing"
        case .read(let reading):
            if before?.reading.start == reading.start {
                "reads anew"
            } else if case .stay = reading.start {
                "reads to go on"
            } else {
                "reads a snapshot"
            }
        case .deliver: "delivers"
        case .begin: "begins"
        case .resume: "resumes"
        case .end: "ends"
        case .several: "several"
        }
    }
}
