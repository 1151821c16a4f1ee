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

    @Test(
        "lets microseconds step back within a history by more than a minute, and by no less",
        arguments: [nil, "2026-11-20"]
    )
    func clock(day: String?) {
        let begin = SeenEvent(kind: "snapshot", id: "1-500000000", data: "{}")
        for (back, count) in [(60_000_001, 0), (3_600_000_000, 0), (60_000_000, 1), (1, 1), (0, 1)] {
            let last = 4_000_000_000
            let events = [begin, event(2, micros: last), event(3, micros: last - back)]
            #expect(objections(events, day: day).count == count, "\(back)")
        }
        // What the filter left out may have come in between.
        let holes = [begin, event(2, micros: 4_000_000_000), event(4, micros: 3_999_000_000)]
        #expect(objections(holes, day: "2026-11-20") == [])
        #expect(objections(holes).count == 1)
    }

    private func todo(_ content: String, revision: Int, micros: Int, reactions: String = "") -> String {
        "{\"id\":\"t\",\"uid\":\"alice\",\"date\":\"2026-11-20\",\"content\":\"alice!\(content)\",\"revision\":\(revision),"
            + "\"micros\":\(micros),\"createdAt\":\"2026-11-20T09:00:00Z\",\"updatedAt\":\"2026-11-20T09:00:00Z\"\(reactions)}"
    }

    private func list(_ id: String, _ todos: String...) -> SeenEvent {
        SeenEvent(kind: "snapshot", id: id, data: "{\"id\":\"\(id)\",\"todos\":[\(todos.joined(separator: ","))]}")
    }

    private func change(_ id: String, _ todo: String, _ kind: String = "modified") -> SeenEvent {
        SeenEvent(kind: kind, id: id, data: "{\"id\":\"\(id)\",\"type\":\"\(kind)\",\"todo\":\(todo)}")
    }

    private func objections(_ records: [[SeenEvent]], day: String? = nil) -> [String] {
        var checker = RecordChecker()
        for (number, events) in records.enumerated() {
            checker.check(StreamClient.Record(uid: "alice", day: day, events: events), "reader \(number)")
        }
        return checker.objections
    }

    @Test("finds two states under one id, whether they were read or came about")
    func states() {
        let (a, b) = (todo("a", revision: 1, micros: 5), todo("b", revision: 2, micros: 7))
        #expect(objections([[list("1-5", a), change("2-7", b)], [list("2-7", b)]]) == [])
        #expect(objections([[list("1-5", a), change("2-7", a, "removed")], [list("2-7")]]) == [])
        #expect(objections([[list("2-7", a)], [list("2-7")]]).count == 1)
        #expect(objections([[list("1-5", a), change("2-7", b)], [list("2-7", a)]]).count == 1)
        // The state of a user of whom there is nothing.
        #expect(objections([[list("0-0")], [list("0-0", a)]]).count == 1)
        // Other days are not told to those who asked for one, and todos without a log have no name.
        #expect(objections([[list("2-7", a)], [list("2-7")]], day: "2026-11-20") == [])
        #expect(objections([[list("0-1", a)], [list("0-1")]]) == [])
    }

    @Test("finds two sets of words of one write, wherever they were seen")
    func words() {
        let (one, other) = (todo("a", revision: 2, micros: 7), todo("b", revision: 2, micros: 7))
        let reacted = todo("a", revision: 2, micros: 7, reactions: ",\"reactions\":{\"👍\":1}")
        #expect(objections([[list("2-7", one)], [list("3-9", reacted)]]) == [])
        #expect(objections([[list("2-7", one)], [list("3-9", other)]]).count == 1)
        #expect(objections([[list("2-7", one)], [list("2-8"), change("3-9", other)]]).count == 1)
        #expect(objections([[list("2-7", one)], [list("3-9", todo("b", revision: 2, micros: 8))]]) == [])
        #expect(objections([[list("2-7", one)], [list("3-9", other)]], day: "2026-11-20").count == 1)
        var checker = RecordChecker()
        checker.check(lines: ["{\"id\":\"2-7\",\"type\":\"added\",\"todo\":\(one)}"], "worker")
        #expect(checker.objections == [])
        let told = try? JSONDecoder().decode(TodoDTO.self, from: Data(other.utf8)).toModel()
        checker.check(told: [told].compactMap(\.self), "writer")
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
            var other = RecordChecker()
            // Of changes of the account nothing is printed.
            other.check(lines: lines, accountsOf: ["alice"], "worker")
            #expect(other.objections.count == (lines == [line(4), line(6)] ? 0 : count))
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

    @Test("remembers what is gone: written over, removed or lost, and of the loser alone")
    func former() {
        var ledger = Ledger()
        ledger.wrote("t", todo("a", revision: 1), of: "alice")
        ledger.wrote("t", todo("a", revision: 1), of: "alice")
        #expect(ledger.former["t"] == nil, "nothing is gone when a write had nothing to do")
        ledger.wrote("t", todo("b", revision: 2), of: "alice")
        #expect(ledger.former["t"]?.map(\.content) == ["a"])
        ledger.forget(of: "bob")
        #expect(ledger.entries["t"] != nil)
        ledger.forget(of: "alice")
        #expect(ledger.entries["t"] == nil)
        #expect(ledger.former["t"]?.map(\.content) == ["a", "b"])
        #expect(ledger.told.map(\.content) == ["a", "a", "b"])
        #expect(objections(ledger, nil) == 0)
    }

    @Test("gives no id away of which a write may still come")
    func quiet() {
        var ledger = Ledger()
        ledger.wrote("t", todo("a", revision: 1), of: "alice")
        #expect(ledger.isQuiet("t"))
        ledger.mayHaveWritten("t", "b")
        #expect(!ledger.isQuiet("t"))
        ledger.wrote("t", todo("c", revision: 3), of: "alice")
        ledger.forget(of: "alice")
        #expect(!ledger.isQuiet("t"), "also when it was answered later, or lost")
    }
}
