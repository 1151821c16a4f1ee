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
        let request = try #require(outbox.next(base: [:], besides: []).request)
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
        let first = try #require(outbox.next(base: base, besides: []).request)
        _ = try outbox.edit(TodoPatch(status: .complete), todo("a"), key: "k2", at: made)
        _ = try outbox.edit(TodoPatch(content: "c"), todo("b"), key: "k3", at: made)
        #expect(outbox.next(base: base, besides: []).request?.todo == "b")
        #expect(outbox.next(base: base, besides: []).request == nil, "a waits for its answer")
        #expect(first.revision == ExpectedRevision(1, micros: 10))
        // The next one of the todo goes on from the answer, which the base has not reached.
        _ = outbox.answered(first.number, .written(change(7), todo("a", "b", at: 7)), reached: change(2))
        let second = try #require(outbox.next(base: base, besides: []).request)
        #expect(second.key == "k2" && second.revision == ExpectedRevision(7, micros: 70))
    }

    @Test("says the same again where no answer came, whatever has become of the base")
    func again() throws {
        var outbox = try edited()
        let first = try #require(outbox.next(base: ["a": todo("a")], besides: []).request)
        _ = outbox.answered(first.number, .passing("lost"), reached: change(1))
        #expect(outbox.next(base: ["a": todo("a", "echo", at: 9)], besides: []).request == first)
        // And so does the next run of the program.
        var next = Outbox(outbox.entries)
        #expect(next.next(base: [:], besides: []).request == first)
    }

    @Test("keeps what is answered until the base has reached it")
    func reaching() throws {
        var outbox = try edited()
        let request = try #require(outbox.next(base: ["a": todo("a")], besides: []).request)
        _ = outbox.answered(request.number, .written(change(5), todo("a", "b", at: 5)), reached: change(4))
        #expect(outbox.projected("a", on: todo("a"), of: "alice")?.content == "b", "it does not flicker back")
        #expect(outbox.baseMoved(to: change(4), base: ["a": todo("a")]) == [])
        // Somebody else wrote after that: the base is newer than the answer.
        #expect(outbox.projected("a", on: todo("a", "theirs", at: 6), of: "alice")?.content == "theirs")
        #expect(outbox.baseMoved(to: change(5), base: ["a": todo("a", "b", at: 5)]) == [.drop(request.number)])
        // An answer that comes after its change settles at once.
        var late = try edited()
        let other = try #require(late.next(base: ["a": todo("a")], besides: []).request)
        #expect(
            late.answered(other.number, .written(change(5), todo("a", "b", at: 5)), reached: change(5))
                == [.drop(other.number)]
        )
    }

    @Test("settles what changed nothing")
    func unchanged() throws {
        var outbox = try edited()
        let request = try #require(outbox.next(base: ["a": todo("a")], besides: []).request)
        #expect(
            outbox.answered(request.number, .unchanged(todo("a", "b", at: 3)), reached: change(3)) == [
                .drop(request.number)
            ]
        )
        // What the base has already is not even sent.
        var known = try edited()
        let next = known.next(base: ["a": todo("a", "b", at: 2)], besides: [])
        #expect(next.request == nil && next.steps == [.drop(1)])
    }

    @Test("sends again what a server has lost")
    func lost() throws {
        for (reached, base, isNew, isBack) in [
            (ChangeID(version: 5, microseconds: 51), todo("a", "x", at: 1), false, true),
            (change(5), todo("a", "b", at: 5), false, false),
            (change(8), todo("a", "x", at: 1), false, true),
            (change(8), todo("a", "theirs", at: 7), false, false),
            (change(3), todo("a", "x", at: 1), true, true),
            (change(3), todo("a", "x", at: 1), false, false),
        ] {
            var outbox = try edited()
            let request = try #require(outbox.next(base: ["a": todo("a")], besides: []).request)
            _ = outbox.answered(request.number, .written(change(5), todo("a", "b", at: 5)), reached: change(2))
            _ = outbox.baseMoved(to: reached, base: ["a": base], isNew: isNew)
            #expect(outbox.entries.contains { $0.state == .waiting } == isBack, "\(reached)")
        }
    }

    @Test("parks what is refused, which holds up nothing, until it is tried again or given up")
    func refusing() throws {
        let base = ["a": todo("a")]
        var outbox = try edited()
        let request = try #require(outbox.next(base: base, besides: []).request)
        _ = try outbox.edit(TodoPatch(status: .complete), todo("a"), key: "k2", at: made)
        _ = outbox.answered(request.number, .refused("the month is full"), reached: change(1))
        #expect(outbox.entries[0].state == .refused("the month is full"))
        #expect(outbox.projected("a", on: todo("a"), of: "alice")?.content == "a", "it is not shown as done")
        #expect(outbox.next(base: base, besides: []).request?.key == "k2")
        _ = outbox.retry(request.number, key: "k3", base: base)
        #expect(outbox.entries.map(\.key) == ["k2", "k3"] && outbox.entries[1].state == .waiting)
        #expect(outbox.discard(outbox.entries[1].number) == [], "only what is refused is given up")
    }

    @Test("lets a removal win, and keeps what was written meanwhile")
    func removals() throws {
        // By the base, before it is sent.
        var outbox = try edited()
        #expect(outbox.next(base: [:], besides: []).request == nil)
        #expect(outbox.entries.first?.isRefused == true)
        let steps = outbox.retry(1, key: "k2", base: [:])
        #expect(steps.first == .drop(1))
        guard case .add(let draft)? = outbox.entries.first?.intent else { throw TodoError.broken("no add") }
        #expect((draft.id, draft.content) == ("a", "b"), "it comes back with what was written")
        // By the answer.
        var other = try edited()
        let request = try #require(other.next(base: ["a": todo("a")], besides: []).request)
        _ = other.answered(request.number, .missing("gone"), reached: change(1))
        #expect(other.entries.first?.state == .refused("gone"))
        // What is to be removed and is gone is done.
        var removed = Outbox()
        _ = try removed.remove(todo("a"), key: "k1", at: made)
        let removal = try #require(removed.next(base: ["a": todo("a")], besides: []).request)
        #expect(removed.answered(removal.number, .missing("gone"), reached: change(1)) == [.drop(1)])
        // Edited elsewhere meanwhile, it is removed all the same, as it is now.
        _ = try removed.remove(todo("a"), key: "k2", at: made)
        let second = try #require(removed.next(base: ["a": todo("a")], besides: []).request)
        _ = removed.answered(second.number, .conflict(todo("a", "theirs", at: 4)), reached: change(1))
        #expect(removed.next(base: [:], besides: []).request?.revision == ExpectedRevision(4, micros: 40))
    }

    @Test("tells a repeated add from one whose id another todo has")
    func ids() throws {
        var outbox = Outbox()
        _ = try outbox.add(draft("x"), "n", key: "k1", at: made)
        let request = try #require(outbox.next(base: [:], besides: []).request)
        var repeated = outbox
        _ = outbox.answered(request.number, .exists(todo("n", "else", at: 2)), reached: change(1))
        #expect(outbox.entries.first?.isRefused == true)
        _ = repeated.answered(request.number, .passing("lost"), reached: change(1))
        #expect(repeated.next(base: [:], besides: []).request == request)
        _ = repeated.answered(request.number, .exists(todo("n", "edited since", at: 2)), reached: change(1))
        #expect(repeated.entries.first?.state == .answered(change(2)))
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
