import Foundation
import Testing
import TodoMate

@testable import TodoMateClient

/// A todo of these tests, as of a change.
func todo(_ id: String, _ content: String = "a", at version: Int = 1, status: TodoStatus = .todo) -> Todo {
    Todo(
        id: id,
        uid: "alice",
        date: CalendarDate.earliest,
        content: content,
        status: status,
        position: 1,
        revision: version,
        micros: version * 10,
        createdAt: Date(timeIntervalSince1970: 0),
        updatedAt: Date(timeIntervalSince1970: 0)
    )
}

/// A change of these tests.
func change(_ version: Int) -> ChangeID { ChangeID(version: version, microseconds: version * 10) }

@Suite("An outbox")
struct OutboxTests {
    private let made = Date(timeIntervalSince1970: 0)

    private func draft(_ content: String) -> TodoDraft { TodoDraft(date: CalendarDate.earliest, content: content) }

    private func edited(_ id: String = "a", _ content: String = "b", after seen: Todo? = nil) throws -> Outbox {
        var outbox = Outbox()
        _ = try outbox.edit(TodoPatch(content: content), seen ?? todo(id), key: "k1", at: made)
        return outbox
    }

    @Test("merges what waits, and nothing into what was sent")
    func merging() throws {
        var outbox = Outbox()
        _ = try outbox.add(draft("x"), "n", key: "k1", at: made)
        let shown = try #require(outbox.projected("n", on: nil, of: "alice"))
        _ = try outbox.edit(TodoPatch(content: "y"), shown, key: "k2", at: made)
        _ = try outbox.edit(TodoPatch(status: .complete), shown, key: "k3", at: made)
        #expect(outbox.entries.count == 1 && outbox.entries[0].key == "k1")
        guard case .add(let whole) = outbox.entries[0].intent else { throw TodoError.broken("no add") }
        #expect((whole.content, whole.status, whole.id) == ("y", .complete, "n"))
        let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        #expect(request.intent == .add(whole) && request.revision == nil)
        _ = try outbox.edit(TodoPatch(content: "z"), shown, key: "k4", at: made)
        #expect(outbox.entries.map(\.key) == ["k1", "k4"])
        #expect(outbox.projected("n", on: nil, of: "alice")?.content == "z")
    }

    @Test("forgets what was never sent, and is removed again")
    func neverSent() throws {
        var outbox = Outbox()
        _ = try outbox.add(draft("x"), "n", key: "k1", at: made)
        let shown = try #require(outbox.projected("n", on: nil, of: "alice"))
        #expect(try outbox.remove(shown, key: "k2", at: made) == [.drop(1)])
        #expect(outbox.entries == [])
        var other = try edited()
        _ = try other.remove(todo("a"), key: "k2", at: made)
        #expect(other.entries.map(\.intent) == [.remove] && other.entries[0].key == "k1")
    }

    @Test("sends one of a todo at a time, in order, and lets no other todo wait")
    func order() throws {
        let base = ["a": todo("a"), "b": todo("b")]
        var outbox = try edited()
        let first = try #require(outbox.next(base: base, besides: [], reached: .zero).request)
        _ = try outbox.edit(TodoPatch(status: .complete), todo("a"), key: "k2", at: made)
        _ = try outbox.edit(TodoPatch(content: "c"), todo("b"), key: "k3", at: made)
        #expect(outbox.next(base: base, besides: [], reached: .zero).request?.todo == "b")
        #expect(outbox.next(base: base, besides: [], reached: .zero).request == nil, "a waits for its answer")
        #expect(first.revision == ExpectedRevision(1, micros: 10))
        // The next one of the todo goes on from the answer, which the base has not reached.
        _ = outbox.answered(first.number, .written(change(7), todo("a", "b", at: 7)), reached: change(2))
        let second = try #require(outbox.next(base: base, besides: [], reached: .zero).request)
        #expect(second.key == "k2" && second.revision == ExpectedRevision(7, micros: 70))
    }

    @Test("says the same again where no answer came, whatever has become of the base")
    func again() throws {
        var outbox = try edited()
        let first = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        _ = outbox.answered(first.number, .passing("lost"), reached: change(1))
        #expect(outbox.next(base: ["a": todo("a", "echo", at: 9)], besides: [], reached: .zero).request == first)
        // And so does the next run of the program.
        var next = Outbox(outbox.entries)
        #expect(next.next(base: [:], besides: [], reached: .zero).request == first)
    }

    @Test("keeps what is answered until the base has reached it")
    func reaching() throws {
        var outbox = try edited()
        let request = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        _ = outbox.answered(request.number, .written(change(5), todo("a", "b", at: 5)), reached: change(4))
        #expect(outbox.projected("a", on: todo("a"), of: "alice")?.content == "b", "it does not flicker back")
        #expect(outbox.baseMoved(to: change(4), base: ["a": todo("a")]) == [])
        // Somebody else wrote after that: the base is newer than the answer.
        #expect(outbox.projected("a", on: todo("a", "theirs", at: 6), of: "alice")?.content == "theirs")
        #expect(outbox.baseMoved(to: change(5), base: ["a": todo("a", "b", at: 5)]) == [.drop(request.number)])
        // An answer that comes after its change settles at once.
        var late = try edited()
        let other = try #require(late.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        #expect(
            late.answered(other.number, .written(change(5), todo("a", "b", at: 5)), reached: change(5))
                == [.drop(other.number)]
        )
    }

    @Test("settles what changed nothing")
    func unchanged() throws {
        var outbox = try edited()
        let request = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        #expect(
            outbox.answered(request.number, .unchanged(todo("a", "b", at: 3)), reached: change(3)) == [
                .drop(request.number)
            ]
        )
        // What the base has already is not even sent.
        var known = try edited()
        let next = known.next(base: ["a": todo("a", "b", at: 2)], besides: [], reached: .zero)
        #expect(next.request == nil && next.steps == [.drop(1)])
    }

    @Test("sends again what a server has lost")
    func lost() throws {
        let other = ChangeID(version: 5, microseconds: 51)
        for (reached, base, isReplaced, isBack) in [
            // Change by change.
            (change(3), todo("a", "x", at: 1), false, false),
            (ChangeID(version: 3, microseconds: 51), todo("a", "x", at: 1), false, true),
            (change(5), todo("a", "b", at: 5), false, false),
            (change(5), nil, false, false),
            (other, todo("a", "x", at: 1), false, true),
            (change(8), todo("a", "theirs", at: 7), false, false),
            (ChangeID(version: 8, microseconds: 49), todo("a", "x", at: 1), false, true),
            // As a snapshot, which is of any history.
            (.zero, nil, true, true),
            (change(3), todo("a", "x", at: 1), true, true),
            (change(5), todo("a", "b", at: 5), true, false),
            (other, todo("a", "x", at: 1), true, true),
            (change(8), todo("a", "b", at: 5), true, false),
            (change(8), todo("a", "x", at: 1), true, true),
            (change(8), todo("a", "theirs", at: 7), true, true),
            (change(8), nil, true, true),
        ] as [(ChangeID, Todo?, Bool, Bool)] {
            var outbox = try edited()
            let request = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
            _ = outbox.answered(request.number, .written(change(5), todo("a", "b", at: 5)), reached: change(2))
            _ = outbox.baseMoved(to: reached, base: base.map { ["a": $0] } ?? [:], isReplaced: isReplaced)
            #expect(outbox.entries.contains(where: \.isOpen) == isBack, "\(reached) \(isReplaced)")
            // In the same bytes, so that the server knows what it has done.
            if isBack { #expect(outbox.next(base: [:], besides: [], reached: .zero).request == request) }
        }
    }

    @Test(
        "takes no answer for what the server has once another history has taken the place of the one that was answered"
    )
    func late() throws {
        for isFirst in [false, true] {
            var outbox = try edited()
            let request = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
            let answer = Outbox.Outcome.written(change(5), todo("a", "b", at: 5))
            // The base is of the new history already, or of the old one still, in which it is further.
            if isFirst { _ = outbox.baseMoved(to: change(8), base: ["a": todo("a")], isReplaced: true) }
            _ = outbox.answered(
                request.number,
                answer,
                reached: isFirst ? change(8) : ChangeID(version: 9, microseconds: 49)
            )
            #expect(outbox.entries.map(\.state) == [isFirst ? .sent : .answered(change(5))])
            var base = todo("a", "old", at: 9)
            base.micros = 49
            #expect(outbox.projected("a", on: isFirst ? todo("a") : base, of: "alice")?.content == "b", "no flicker")
            guard isFirst else { continue }
            #expect(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request == request)
            _ = outbox.answered(request.number, .written(change(9), todo("a", "b", at: 9)), reached: change(8))
            #expect(outbox.entries.map(\.state) == [.answered(change(9))])
        }
    }

    @Test("shows nothing again that was removed, where a snapshot comes before or after that", arguments: [1, 5, 6, 9])
    func removedBehind(reached: Int) throws {
        var outbox = Outbox()
        _ = try outbox.add(draft("x"), "n", key: "k1", at: made)
        let first = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        _ = outbox.answered(first.number, .written(change(5), todo("n", "x", at: 5)), reached: change(1))
        _ = try outbox.remove(todo("n", "x", at: 5), key: "k2", at: made)
        let second = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        _ = outbox.answered(second.number, .written(change(6), nil), reached: change(1))
        let base = reached == 5 ? ["n": todo("n", "x", at: 5)] : [:]
        _ = outbox.baseMoved(to: change(reached), base: base, isReplaced: true)
        #expect(outbox.projected("n", on: base["n"], of: "alice") == nil)
        #expect(outbox.entries.isEmpty == (reached >= 6))
    }

    @Test("shows what the server has and others did alike, until the base has reached that")
    func alike() throws {
        for (reached, isLeft) in [(change(1), true), (change(3), true), (change(4), false), (change(9), false)] {
            var outbox = try edited()
            let request = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
            _ = outbox.answered(request.number, .conflict(todo("a", "b", at: 4)), reached: reached)
            #expect(outbox.entries.map(\.state) == (isLeft ? [.answered(change(4))] : []), "\(reached)")
            guard isLeft else { continue }
            #expect(outbox.projected("a", on: todo("a"), of: "alice")?.content == "b")
            #expect(outbox.baseMoved(to: change(4), base: ["a": todo("a", "b", at: 4)]) == [.drop(1)])
        }
    }

    @Test("parks what is refused, which holds up nothing, until it is tried again or given up")
    func refusing() throws {
        let base = ["a": todo("a")]
        var outbox = try edited()
        let request = try #require(outbox.next(base: base, besides: [], reached: .zero).request)
        _ = try outbox.edit(TodoPatch(status: .complete), todo("a"), key: "k2", at: made)
        _ = outbox.answered(request.number, .refused(.invalid("the month is full")), reached: change(1))
        #expect(outbox.entries[0].state == .refused(.invalid("the month is full")))
        #expect(outbox.projected("a", on: todo("a"), of: "alice")?.content == "a", "it is not shown as done")
        #expect(outbox.next(base: base, besides: [], reached: .zero).request?.key == "k2")
        _ = outbox.retry(request.number, key: "k3", base: base)
        #expect(outbox.entries.map(\.key) == ["k2", "k3"] && outbox.entries[1].state == .waiting)
        #expect(outbox.discard(outbox.entries[1].number) == [], "only what is refused is given up")
    }

    @Test("lets a removal win, and keeps what was written meanwhile")
    func removals() throws {
        // By the base, before it is sent.
        var outbox = try edited()
        #expect(outbox.next(base: [:], besides: [], reached: .zero).request == nil)
        #expect(outbox.entries.first?.isRefused == true)
        let steps = outbox.retry(1, key: "k2", base: [:])
        #expect(steps.first == .drop(1))
        guard case .add(let draft)? = outbox.entries.first?.intent else { throw TodoError.broken("no add") }
        #expect((draft.id, draft.content) == ("a", "b"), "it comes back with what was written")
        // By the answer.
        var other = try edited()
        let request = try #require(other.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        _ = other.answered(request.number, .missing("gone"), reached: change(1))
        #expect(other.entries.first?.state == .refused(.notFound("gone")))
        // What is to be removed and is gone is done.
        var removed = Outbox()
        _ = try removed.remove(todo("a"), key: "k1", at: made)
        let removal = try #require(removed.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        #expect(removed.answered(removal.number, .missing("gone"), reached: change(1)) == [.drop(1)])
        // At another place meanwhile, it is removed all the same, as it is now.
        _ = try removed.remove(todo("a"), key: "k2", at: made)
        let second = try #require(removed.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        var moved = todo("a", at: 4)
        moved.position = 9
        _ = removed.answered(second.number, .conflict(moved), reached: change(1))
        #expect(
            removed.next(base: [:], besides: [], reached: .zero).request?.revision == ExpectedRevision(4, micros: 40)
        )
    }

    /// What somebody else has changed in a todo that is removed here.
    private static let changes: [@Sendable (inout Todo) -> Void] = [
        { $0.content = "theirs" }, { $0.detail = "theirs" }, { $0.status = .complete }, { $0.visibility = .private },
        { $0.date = $0.date.adding(days: 1) }, { $0.time = TimeOfDay(hour: 9, minute: 30) }, { $0.goal = "g" },
    ]

    @Test("removes no word unseen, and does so when it is said again", arguments: changes.indices, [true, false])
    func unseen(_ index: Int, isSent: Bool) throws {
        var theirs = todo("a", at: 4)
        Self.changes[index](&theirs)
        var outbox = Outbox()
        _ = try outbox.remove(todo("a"), key: "k1", at: made)
        if isSent {
            let request = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
            _ = outbox.answered(request.number, .conflict(theirs), reached: change(1))
        }
        let base = ["a": theirs]
        #expect(outbox.next(base: base, besides: [], reached: .zero).request == nil)
        #expect(outbox.entries.map(\.isRefused) == [true] && outbox.projected("a", on: theirs, of: "alice") == theirs)
        _ = outbox.retry(outbox.entries[0].number, key: "k2", base: base)
        let request = try #require(outbox.next(base: base, besides: [], reached: .zero).request)
        #expect(request.intent == .remove && request.revision == theirs.written)
    }

    @Test("tells a repeated add from one whose id another todo has")
    func ids() throws {
        var outbox = Outbox()
        _ = try outbox.add(draft("x"), "n", key: "k1", at: made)
        var request = try #require(outbox.next(base: [:], besides: [], reached: change(1)).request)
        _ = outbox.answered(request.number, .passing("lost"), reached: change(1))
        request.repeatedSince = change(1)
        #expect(outbox.next(base: [:], besides: [], reached: change(5)).request == request)
        var repeated = outbox
        _ = repeated.answered(request.number, .exists(todo("n", "x", at: 2)), reached: change(1))
        #expect(repeated.entries.first?.state == .answered(change(2)))
        // However often it was sent: words that are nowhere else wait for the person.
        let theirs = todo("n", "else", at: 2)
        _ = outbox.answered(request.number, .exists(theirs), reached: change(1))
        #expect(outbox.entries.map(\.isRefused) == [true] && outbox.entries[0].intent == request.intent)
        let base = ["n": theirs]
        _ = outbox.retry(1, key: "k2", base: base)
        let (again, steps) = outbox.next(base: base, besides: [], reached: .zero)
        #expect(again?.intent == .edit(TodoPatch(content: "x")) && again?.revision == theirs.written)
        #expect(steps.contains(.tell(Overwritten(todo: "n", field: "content", theirs: "else", mine: "x"))))
    }

    @Test(
        "says of an add that is sent again what was known before, also after a restart, and shows it until its end is known"
    )
    func repeatedAdd() throws {
        // It is removed here, which the base has not reached, and brought back.
        var outbox = Outbox()
        _ = try outbox.remove(todo("a"), key: "k1", at: made)
        let removal = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: change(3)).request)
        _ = outbox.answered(removal.number, .written(change(7), nil), reached: change(3))
        let added = try outbox.add(draft("x"), "a", key: "k2", at: made)
        #expect(added.count == 1)
        let (first, steps) = outbox.next(base: ["a": todo("a")], besides: [], reached: change(3))
        #expect(first?.repeatedSince == nil && removal.repeatedSince == nil)
        let kept = steps.compactMap { step -> OutboxEntry? in
            if case .put(let entry) = step { StoredEntry.entry(of: StoredEntry.json(of: entry)) } else { nil }
        }
        for var outbox in [outbox, Outbox(kept)] {
            // This program hears nothing, and another one knows of no attempt.
            outbox.inFlight = []
            _ = outbox.baseMoved(to: change(9), base: [:])
            let second = try #require(outbox.next(base: [:], besides: [], reached: change(9)).request)
            #expect(second.key == "k2" && second.repeatedSince == change(7))
            let number = second.number
            // What was answered, and is not in a base that was read anew, is said again as well, by a program that never sent it.
            _ = outbox.answered(number, .written(change(12), todo("a", "x", at: 12)), reached: change(9))
            var third = Outbox(outbox.entries.compactMap { StoredEntry.entry(of: StoredEntry.json(of: $0)) })
            _ = third.baseMoved(to: change(9), base: [:], isReplaced: true)
            #expect(third.next(base: [:], besides: [], reached: change(9)).request == second)
            // It was removed elsewhere: nothing flickers until the base is there, nor does it come back where it is removed here as well.
            _ = third.answered(number, .written(change(14), nil), reached: change(9))
            let shown = try #require(third.projected("a", on: nil, of: "alice"))
            #expect(shown.content == "x")
            var removed = third
            _ = try removed.remove(shown, key: "k3", at: made)
            #expect(removed.next(base: [:], besides: [], reached: change(9)).request == nil)
            #expect(removed.projected("a", on: todo("a", "x", at: 12), of: "alice") == nil)
            for var outbox in [third, removed] {
                _ = outbox.baseMoved(to: change(14), base: [:])
                #expect(outbox.entries == [])
            }
        }
    }

    @Test("does not take an add for done by one before it, in a history that took the place of another")
    func repeatedAddAfterReplacement() throws {
        var outbox = Outbox()
        for (version, key) in zip(3..., ["add", "remove", "again"]) {
            if key == "remove" {
                _ = try outbox.remove(todo("a", "x", at: 3), key: key, at: made)
            } else {
                _ = try outbox.add(draft("x"), "a", key: key, at: made)
            }
            let request = try #require(outbox.next(base: [:], besides: [], reached: change(2)).request)
            let left = key == "remove" ? nil : todo("a", "x", at: version)
            _ = outbox.answered(request.number, .written(change(version), left), reached: change(2))
        }
        _ = outbox.baseMoved(to: ChangeID(version: 3, microseconds: 200), base: [:])
        var since: [ChangeID?] = []
        for version in 4...6 {
            let request = try #require(outbox.next(base: [:], besides: [], reached: change(2)).request)
            since.append(request.repeatedSince)
            let id = ChangeID(version: version, microseconds: 50 * version)
            let left = request.intent == .remove ? nil : todo("a", "x", at: version)
            _ = outbox.answered(request.number, .written(id, left), reached: change(2))
        }
        #expect(since == [change(2), nil, ChangeID(version: 5, microseconds: 250)])
    }

    @Test("writes what was to bring a todo back where somebody else did", arguments: [1, 2])
    func broughtBack(attempts: Int) throws {
        var outbox = try edited()
        _ = outbox.next(base: [:], besides: [], reached: .zero)
        _ = outbox.retry(1, key: "k2", base: [:])
        for _ in 1..<attempts {
            let lost = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
            _ = outbox.answered(lost.number, .passing("lost"), reached: change(1))
        }
        let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        let theirs = todo("a", "theirs", at: 4, status: .complete)
        let steps = outbox.answered(request.number, .exists(theirs), reached: change(1))
        #expect(steps.contains(.tell(Overwritten(todo: "a", field: "content", theirs: "theirs", mine: "b"))))
        let next = try #require(outbox.next(base: ["a": theirs], besides: [], reached: .zero).request)
        #expect(next.intent == .edit(TodoPatch(content: "b")) && next.revision == theirs.written, "only what was typed")
    }

    @Test("keeps what was done with a todo that is not taken together with it")
    func refusedAdd() throws {
        var outbox = Outbox()
        _ = try outbox.add(draft("x"), "n", key: "k1", at: made)
        let shown = try #require(outbox.projected("n", on: nil, of: "alice"))
        let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        _ = try outbox.edit(TodoPatch(detail: "more"), shown, key: "k2", at: made)
        var removed = outbox
        _ = outbox.answered(request.number, .refused(.invalid("the month is full")), reached: change(1))
        let whole = TodoDraft(id: "n", date: CalendarDate.earliest, content: "x", detail: "more")
        #expect(outbox.entries.map(\.intent) == [.add(whole)] && outbox.entries[0].isRefused)
        _ = try removed.remove(shown, key: "k3", at: made)
        let steps = removed.answered(request.number, .refused(.invalid("the month is full")), reached: change(1))
        #expect(removed.entries.map(\.isRefused) == [true] && steps.contains(.drop(2)))
    }

    @Test("keeps two refused drafts of one id apart, of which the first one is tried again")
    func twoDrafts() throws {
        let theirs = todo("n", "else", at: 2)
        var outbox = Outbox()
        for text in ["x", "y"] {
            _ = try outbox.add(draft(text), "n", key: text, at: made)
            if text == "y" { _ = outbox.retry(1, key: "again", base: ["n": theirs]) }
            let request = try #require(outbox.next(base: ["n": theirs], besides: [], reached: .zero).request)
            #expect(request.key == text)
            _ = outbox.answered(request.number, .exists(theirs), reached: change(2))
        }
        #expect(outbox.entries.map(\.isRefused) == [true, false])
        #expect(PendingChange(outbox.entries[0], of: "alice")?.todo.content == "y")
        #expect(
            outbox.next(base: ["n": theirs], besides: [], reached: .zero).request?.intent
                == .edit(TodoPatch(content: "x"))
        )
    }

    @Test("says nothing of what nobody else has changed where an edit before was refused")
    func refusedEdit() throws {
        let base = ["a": todo("a")]
        var outbox = try edited()
        let request = try #require(outbox.next(base: base, besides: [], reached: .zero).request)
        let shown = try #require(outbox.projected("a", on: todo("a"), of: "alice"))
        _ = try outbox.edit(TodoPatch(content: "c"), shown, key: "k2", at: made)
        _ = outbox.answered(request.number, .refused(.invalid("no")), reached: change(1))
        let (next, steps) = outbox.next(base: base, besides: [], reached: .zero)
        #expect(next?.intent == .edit(TodoPatch(content: "c")))
        #expect(!steps.contains { if case .tell = $0 { true } else { false } }, "\(steps)")
    }

    @Test("is bounded, and says so before anything is done")
    func bounds() throws {
        var outbox = Outbox()
        for number in 0..<Outbox.most { _ = try outbox.add(draft("x"), "n\(number)", key: "k", at: made) }
        let before = outbox
        #expect(throws: TodoError.self) { _ = try outbox.add(draft("x"), "more", key: "k", at: made) }
        #expect(throws: TodoError.self) { _ = try outbox.edit(TodoPatch(content: "y"), todo("a"), key: "k", at: made) }
        #expect(throws: TodoError.self) { _ = try outbox.remove(todo("a"), key: "k", at: made) }
        #expect(outbox == before)
        // What waits already can be changed.
        _ = try outbox.edit(TodoPatch(content: "y"), todo("n1"), key: "k", at: made)
        #expect(outbox.entries.count == Outbox.most)
    }

    @Test("writes nothing over what is elsewhere by what was typed and typed back before it was sent")
    func takenBack() throws {
        var outbox = try edited()
        let shown = try #require(outbox.projected("a", on: todo("a"), of: "alice"))
        _ = try outbox.edit(TodoPatch(status: .complete), shown, key: "k2", at: made)
        var whole = outbox
        // All of it is as it was: there is nothing to send.
        #expect(try whole.edit(TodoPatch(content: "a", status: .todo), shown, key: "k3", at: made) == [.drop(1)])
        #expect(whole.entries.isEmpty)
        _ = try outbox.edit(TodoPatch(content: "a"), shown, key: "k3", at: made)
        let (request, steps) = outbox.next(base: ["a": todo("a", "else", at: 2)], besides: [], reached: .zero)
        #expect(request?.intent == .edit(TodoPatch(status: .complete)))
        #expect(!steps.contains { if case .tell = $0 { true } else { false } }, "\(steps)")
    }

    @Test("keeps what is set back to what it was before somebody else changed it")
    func setBack() throws {
        var outbox = Outbox()
        _ = try outbox.edit(TodoPatch(detail: "d"), todo("a"), key: "k1", at: made)
        let base = ["a": todo("a", "theirs", at: 2, status: .complete)]
        let shown = try #require(outbox.projected("a", on: base["a"], of: "alice"))
        _ = try outbox.edit(TodoPatch(content: "a", status: .todo), shown, key: "k2", at: made)
        let (request, steps) = outbox.next(base: base, besides: [], reached: .zero)
        #expect(request?.intent == .edit(TodoPatch(content: "a", detail: "d", status: .todo)))
        #expect(!steps.contains { if case .tell = $0 { true } else { false } }, "they saw it: \(steps)")
    }

    @Test("lets those that get no answer hold up no others")
    func swallowed() throws {
        let ids = ["a", "b", "c", "d", "e", "f"]
        let base = Dictionary(uniqueKeysWithValues: ids.map { ($0, todo($0)) })
        var outbox = Outbox()
        for id in ids { _ = try outbox.edit(TodoPatch(content: "x"), todo(id), key: "k\(id)", at: made) }
        func sent(_ count: Int) -> [Outbox.Request] {
            (0..<count).compactMap { _ in outbox.next(base: base, besides: [], reached: .zero).request }
        }
        let first = sent(4)
        #expect(first.map(\.todo) == ["a", "b", "c", "d"])
        for request in first { _ = outbox.answered(request.number, .passing("no answer"), reached: change(1)) }
        #expect(sent(4).map(\.todo) == ["e", "f", "a", "b"])
    }

    @Test("keeps no answer for ever where the server's clock was set back")
    func clockSetBack() throws {
        var outbox = try edited()
        let request = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        _ = outbox.answered(request.number, .passing("lost"), reached: change(1))
        // It was written by a clock that was far ahead.
        let answer = Outbox.Outcome.written(ChangeID(version: 10, microseconds: 9000), todo("a", "b", at: 10))
        let theirs = todo("a", "later", at: 12)
        _ = outbox.next(base: [:], besides: [], reached: .zero)
        _ = outbox.answered(request.number, answer, reached: change(11))
        _ = outbox.baseMoved(to: change(12), base: ["a": theirs])
        #expect(outbox.next(base: ["a": theirs], besides: [], reached: .zero).request == request, "it may be lost")
        _ = outbox.answered(request.number, answer, reached: change(12))
        #expect(outbox.entries.isEmpty && outbox.projected("a", on: theirs, of: "alice")?.content == "later")
    }

    enum Before: CaseIterable, Sendable { case nothing, waiting, sent, answered, refused, draft }

    private static let (old, new) = (TodoPatch(content: "a"), TodoPatch(content: "b"))
    private static let (done, oldDone) = (TodoPatch(status: .complete), TodoPatch(content: "a", status: .complete))
    private static let newDone = TodoPatch(content: "b", status: .complete)

    /// What of an edit is for the server, by what was done with the todo before: here its content was made "b", if anything, or it was added.
    private static func left(of patch: TodoPatch, _ before: Before) -> TodoPatch? {
        switch before {
        case .nothing, .waiting, .refused: patch == old ? nil : patch == oldDone ? done : patch
        case .sent, .answered: patch == new ? nil : patch == newDone ? done : patch
        // Of what the server never had, all is said.
        case .draft: patch
        }
    }

    @Test("sends nothing of a patch that is as it was seen", arguments: [old, new, oldDone, newDone], Before.allCases)
    func asSeen(_ patch: TodoPatch, _ before: Before) throws {
        var outbox = before == .nothing ? Outbox() : try edited()
        var base = ["a": todo("a")]
        if before == .draft {
            (outbox, base) = (Outbox(), [:])
            _ = try outbox.add(draft("a"), "a", key: "k1", at: made)
        }
        let request =
            [.nothing, .waiting].contains(before) ? nil : outbox.next(base: base, besides: [], reached: .zero).request
        if let request, before == .answered {
            _ = outbox.answered(request.number, .written(change(2), todo("a", "b", at: 2)), reached: change(1))
        }
        if let request, before == .refused {
            _ = outbox.answered(request.number, .refused(.invalid("no")), reached: change(1))
        }
        let seen = try #require(outbox.projected("a", on: base["a"], of: "alice"))
        _ = try outbox.edit(patch, seen, key: "k2", at: made)
        let last = outbox.entries.last { $0.isOpen && $0.number != request?.number }
        #expect(last?.intent == Self.left(of: patch, before).map { .edit($0) })
    }

    /// What is done behind an edit of the content that is refused then, and what is left of it.
    private static let behind: [(patch: TodoPatch, left: TodoPatch?)] = [
        (TodoPatch(content: "a"), nil),
        (TodoPatch(content: "a", status: .complete), TodoPatch(status: .complete)),
        (TodoPatch(content: "c"), TodoPatch(content: "c")),
        (TodoPatch(status: .complete), TodoPatch(status: .complete)),
    ]

    @Test("has nothing left of what took back what was refused", arguments: behind.indices)
    func takenBackBehind(_ index: Int) throws {
        let (patch, left) = Self.behind[index]
        var outbox = try edited()
        let request = try #require(outbox.next(base: ["a": todo("a")], besides: [], reached: .zero).request)
        let shown = try #require(outbox.projected("a", on: todo("a"), of: "alice"))
        _ = try outbox.edit(patch, shown, key: "k2", at: made)
        let steps = outbox.answered(request.number, .refused(.invalid("no")), reached: change(1))
        #expect(left != nil || steps.contains(.drop(2)))
        let next = outbox.next(base: ["a": todo("a", left?.content ?? "theirs", at: 2)], besides: [], reached: .zero)
            .request
        #expect(next?.intent == left.flatMap { $0.content == nil ? .edit($0) : nil })
        #expect(outbox.entries.contains { $0.state == .refused(.invalid("no")) })
    }

    @Test("has room for what waits beside what was refused, and for so much of that")
    func refusedRoom() throws {
        var outbox = Outbox()
        for number in 0..<Outbox.most {
            _ = try outbox.add(draft("x"), "n\(number)", key: "k", at: made)
            let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
            _ = outbox.answered(request.number, .refused(.invalid("no")), reached: change(1))
            // One less than the most were refused: there is room for another one.
            if number == Outbox.most - 2 {
                var other = outbox
                for number in 0..<Outbox.most { _ = try other.add(draft("x"), "m\(number)", key: "k", at: made) }
                #expect(throws: TodoError.self) { _ = try other.add(draft("x"), "more", key: "k", at: made) }
            }
        }
        let before = outbox
        #expect {
            _ = try outbox.add(draft("x"), "more", key: "k", at: made)
        } throws: { error in
            "\(error)".contains("were refused")
        }
        #expect(outbox == before)
        let first = try #require(outbox.entries.first)
        _ = outbox.discard(first.number)
        _ = try outbox.add(draft("x"), "more", key: "k", at: made)
    }

    /// What is done here, what was seen, what is there; what is left to be sent, and of which fields is told.
    private static let merges: [(mine: TodoPatch, theirs: Todo, left: TodoPatch, told: [String])] = [
        (TodoPatch(content: "b"), todo("a"), TodoPatch(content: "b"), []),
        (TodoPatch(content: "b"), todo("a", "b"), TodoPatch(), []),
        (TodoPatch(content: "b"), todo("a", "c"), TodoPatch(content: "b"), ["content"]),
        (TodoPatch(content: "b"), todo("a", status: .complete), TodoPatch(content: "b"), []),
        (
            TodoPatch(content: "b", status: .complete), todo("a", "c", status: .complete), TodoPatch(content: "b"),
            ["content"]
        ),
        (TodoPatch(position: 7), todo("a"), TodoPatch(position: 7), []),
        (TodoPatch(position: 1), todo("a"), TodoPatch(), []),
        (
            TodoPatch(date: CalendarDate.earliest.adding(days: 1), position: 1), todo("a"),
            TodoPatch(date: CalendarDate.earliest.adding(days: 1), position: 1), []
        ),
        (TodoPatch(goal: ""), todo("a"), TodoPatch(), []),
        (TodoPatch(time: .remove), todo("a"), TodoPatch(), []),
    ]

    @Test("merges field by field", arguments: 0..<merges.count)
    func fields(_ index: Int) {
        let (mine, theirs, left, told) = Self.merges[index]
        let merge = TodoMerge(mine, seen: todo("a"), theirs: theirs)
        #expect(merge.patch == left && merge.overwritten.map(\.field) == told)
    }
}
