import EventLoop
import Foundation
import TodoMate
import Testing

@Suite("The checker of what readers saw")
@LoopActor
struct RecordCheckerTests {
    private func event(_ version: Int, _ kind: String = "added", uid: String = "alice", micros: Int? = nil) -> SeenEvent
    {
        let id = "\(version)-\(micros ?? 1000 + version)"
        return SeenEvent(kind: kind, id: id, data: "{\"id\":\"\(id)\",\"uid\":\"\(uid)\",\"content\":\"\(uid)!x\"}")
    }

    private func snapshot(_ version: Int) -> SeenEvent {
        SeenEvent(kind: "snapshot", id: "\(version)-\(1000 + version)", data: "{}")
    }

    private func objections(_ events: [SeenEvent], day: String? = nil) -> [String] {
        var checker = RecordChecker()
        checker.check(StreamClient.Record(uid: "alice", day: day, events: events), "reader")
        return checker.objections
    }

    @Test("finds nothing wrong with each version once and in order, and with holes across snapshots")
    func sound() {
        #expect(objections([snapshot(0), event(1), event(2)]) == [])
        #expect(objections([snapshot(3), event(4), snapshot(9), event(10), snapshot(2), event(3, micros: 9999)]) == [])
        #expect(objections([snapshot(0), event(2), event(7)], day: "2026-11-20") == [])
    }

    @Test("finds holes, repeats, disorder, a start without a snapshot, and what is somebody else's")
    func unsound() {
        #expect(objections([event(1)]).count == 1)
        #expect(objections([snapshot(0), event(2)]).count == 1)
        #expect(objections([snapshot(0), event(1), event(1)]).count == 2)
        #expect(objections([snapshot(0), event(1), event(3), event(2)]).count == 2)
        #expect(objections([snapshot(0), event(1), event(2, micros: 5)]).count == 1)
        #expect(objections([snapshot(0), event(1, uid: "bob")]).count == 2)
        #expect(objections([snapshot(0), event(7), event(2)], day: "2026-11-20").count == 1)
        #expect(objections([SeenEvent(kind: "added", id: nil, data: "{}")]).count == 1)
    }

    @Test("finds readers who were told different things under one id")
    func different() {
        var checker = RecordChecker()
        checker.check(StreamClient.Record(uid: "alice", events: [snapshot(0), event(1)]), "one")
        checker.check(StreamClient.Record(uid: "alice", events: [snapshot(0), event(1, "removed")]), "two")
        #expect(checker.objections.count == 1)
    }

    @Test("finds the same in what workers print")
    func lines() {
        let line = { (version: Int) in "{\"id\":\"\(version)-\(1000 + version)\",\"todo\":{\"uid\":\"alice\"}}" }
        let reset = #"{"type":"reset","uid":"alice"}"#
        for (lines, count) in [
            ([line(4), line(5)], 0), ([line(4), reset, line(9)], 0), ([line(4), line(6)], 1), ([line(4), line(4)], 2),
            (["nonsense"], 1),
        ] {
            var checker = RecordChecker()
            checker.check(lines: lines, "worker")
            #expect((lines.count > 0) && checker.objections.count == count, "\(lines)")
        }
    }
}

@Suite("The ledger of acknowledged writes")
struct LedgerTests {
    private func todo(_ content: String, revision: Int) -> Todo {
        Todo(
            id: "t",
            uid: "alice",
            date: CalendarDate("2026-11-20") ?? .init(.distantPast, in: .gmt),
            content: content,
            position: 1,
            revision: revision,
            createdAt: .distantPast,
            updatedAt: .distantPast
        )
    }

    private func objections(_ ledger: Ledger, _ stored: Todo?) -> Int {
        ledger.objections(to: ["alice": stored.map { ["t": $0] } ?? [:]]).count
    }

    @Test("knows what may be stored, and what may not")
    func judgements() {
        var ledger = Ledger()
        ledger.wrote("t", todo("a", revision: 1), of: "alice")
        #expect(objections(ledger, todo("a", revision: 1)) == 0)
        #expect(objections(ledger, nil) == 1)
        #expect(objections(ledger, todo("b", revision: 2)) == 1)
        ledger.mayHaveWritten("t", "b")
        #expect(objections(ledger, todo("b", revision: 2)) == 0)
        #expect(objections(ledger, todo("c", revision: 2)) == 1)
        ledger.mayHaveRemoved("t")
        #expect(objections(ledger, nil) == 0)
        ledger.wrote("t", nil, of: "alice")
        #expect(objections(ledger, nil) == 0)
        #expect(objections(ledger, todo("b", revision: 2)) == 1)
    }
}
