import Foundation
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("An outbox, of routines' days")
struct OutboxRoutineTests {
    private let made = Date(timeIntervalSince1970: 0)
    private let day = CalendarDate("2026-11-25")!
    private let settings = ModelServer().settings
    private var unmade: Todo { get throws { try #require(settings.unmade("r--20261125")) } }

    /// The days of the routine that are gone, as they are shown.
    private func gone(_ outbox: Outbox) -> [CalendarDate] { outbox.projected(settings).routines[0].made }

    @Test("makes a todo of a day where nobody has, and puts both together where somebody was faster")
    func making() throws {
        var outbox = Outbox()
        let seen = try unmade
        _ = try outbox.edit(TodoPatch(status: .complete), seen, key: "k1", at: made)
        #expect(outbox.projected(seen.id, on: nil, of: "alice")?.status == .complete && gone(outbox) == [day])
        let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        #expect(request.intent == .edit(TodoPatch(status: .complete)) && request.revision == ExpectedRevision(0))

        var theirs = todo(seen.id, "Run", at: 5)
        (theirs.date, theirs.detail) = (day, "in the rain")
        _ = outbox.answered(request.number, .conflict(theirs), reached: .zero)
        let again = try #require(outbox.next(base: [seen.id: theirs], besides: [], reached: .zero).request)
        #expect(again.revision == theirs.written && again.intent == request.intent, "no word of theirs is overwritten")

        // Two devices that do the same have done it once.
        theirs.status = .complete
        _ = outbox.answered(again.number, .conflict(theirs), reached: .zero)
        #expect(outbox.baseMoved(to: change(5), base: [seen.id: theirs]) == [.drop(again.number)])
    }

    @Test("keeps what was written of a day that was left out elsewhere, or whose routine is gone")
    func ended() throws {
        var outbox = Outbox()
        _ = try outbox.edit(TodoPatch(detail: "with Bob"), try unmade, key: "k1", at: made)
        let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        _ = outbox.answered(request.number, .missing("it was skipped"), reached: .zero)
        #expect(outbox.entries.map(\.state) == [.refused(.notFound("it was skipped"))] && gone(outbox) == [])
        #expect(PendingChange(outbox.entries[0], of: "alice")?.todo.detail == "with Bob")
        _ = outbox.retry(request.number, key: "k2", base: [:])
        guard case .add(let draft)? = outbox.entries.first?.intent else { throw TodoError.broken("no add") }
        #expect(draft.detail == "with Bob" && draft.content == "Run" && draft.date == day)
    }

    @Test("leaves out a day and has it again, of which nothing is sent where it comes to nothing")
    func skipping() throws {
        var outbox = Outbox()
        let seen = try unmade
        _ = try outbox.skip(seen, isBack: false, key: "k1", at: made)
        #expect(gone(outbox) == [day] && outbox.projected(seen.id, on: nil, of: "alice") == nil)
        #expect(try outbox.skip(seen, isBack: false, key: "k2", at: made) == [])
        #expect(try outbox.skip(seen, isBack: true, key: "k3", at: made) == [.drop(1)])
        #expect(outbox.entries == [] && gone(outbox) == [])

        _ = try outbox.skip(seen, isBack: false, key: "k4", at: made)
        let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        #expect(request.intent == .skip(isBack: false) && request.revision == nil)
        // What was sent is taken back by another request, in order.
        _ = try outbox.skip(seen, isBack: true, key: "k5", at: made)
        #expect(gone(outbox) == [] && outbox.next(base: [:], besides: [], reached: .zero).request == nil)
        #expect(outbox.answered(request.number, .settled(settings), reached: .zero) == [.drop(request.number)])
        #expect(outbox.next(base: [:], besides: [], reached: .zero).request?.intent == .skip(isBack: true))
    }

    @Test("leaves out the day of which a todo was made and removed before anything was sent")
    func unmaking() throws {
        var outbox = Outbox()
        let seen = try unmade
        _ = try outbox.edit(TodoPatch(status: .complete), seen, key: "k1", at: made)
        let shown = try #require(outbox.projected(seen.id, on: nil, of: "alice"))
        _ = try outbox.remove(shown, key: "k2", at: made)
        #expect(outbox.entries.map(\.intent) == [.skip(isBack: false)] && gone(outbox) == [day])
        #expect(outbox.projected(seen.id, on: nil, of: "alice") == nil)

        // Once it was sent there is something to remove.
        var sent = Outbox()
        _ = try sent.edit(TodoPatch(status: .complete), seen, key: "k1", at: made)
        _ = sent.next(base: [:], besides: [], reached: .zero)
        _ = try sent.edit(TodoPatch(detail: "d"), shown, key: "k2", at: made)
        _ = try sent.remove(shown, key: "k3", at: made)
        #expect(sent.entries.map(\.intent) == [.edit(TodoPatch(status: .complete)), .remove])
    }

    @Test(
        "gives up what is so already, and keeps what cannot be",
        arguments: [
            (false, Outbox.Outcome.missing("gone"), nil), (true, .missing("gone"), .notFound("gone")),
            (true, .unneeded, nil),
            (false, .refused(.invalid("that was long ago")), .invalid("that was long ago")),
        ] as [(Bool, Outbox.Outcome, TodoError?)]
    )
    func answers(isBack: Bool, outcome: Outbox.Outcome, reason: TodoError?) throws {
        var outbox = Outbox()
        _ = try outbox.skip(try unmade, isBack: isBack, key: "k1", at: made)
        let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        _ = outbox.answered(request.number, outcome, reached: .zero)
        #expect(outbox.entries.map(\.state) == (reason.map { [.refused($0)] } ?? []))
    }

    @Test("leaves out the day that is skipped, there again, made and removed, before all that is sent")
    func unmakingAgain() throws {
        var outbox = Outbox()
        let seen = try unmade
        _ = try outbox.skip(seen, isBack: false, key: "k1", at: made)
        _ = outbox.next(base: [:], besides: [], reached: .zero)
        _ = try outbox.skip(seen, isBack: true, key: "k2", at: made)
        _ = try outbox.edit(TodoPatch(status: .complete), seen, key: "k3", at: made)
        let shown = try #require(outbox.projected(seen.id, on: nil, of: "alice"))
        _ = try outbox.remove(shown, key: "k4", at: made)
        #expect(outbox.entries.map(\.intent) == [.skip(isBack: false), .skip(isBack: true), .skip(isBack: false)])
        #expect(gone(outbox) == [day])
    }

    /// An outbox whose only request was sent so often, with the last of these.
    private func sent(_ attempts: Int, _ outbox: inout Outbox) throws -> Outbox.Request {
        for _ in 1..<attempts {
            let request = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
            _ = outbox.answered(request.number, .passing("no answer"), reached: .zero)
        }
        return try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
    }

    @Test(
        "settles a routine's day that is added again where it is there just so, and else keeps it",
        arguments: [1, 2, 3]
    )
    func addedAgain(attempts: Int) throws {
        for isSame in [true, false] {
            var outbox = Outbox()
            let id = try unmade.id
            _ = try outbox.add(TodoDraft(date: day, content: "Run", detail: "with Bob"), id, key: "k1", at: made)
            let request = try sent(attempts, &outbox)
            var theirs = todo(id, "Run", at: 5)
            (theirs.date, theirs.detail) = (day, isSame ? "with Bob" : "")
            _ = outbox.answered(request.number, .exists(theirs), reached: .zero)
            #expect(outbox.entries.map(\.isRefused) == [!isSame])
        }
    }

    @Test("writes one note of a day that two devices have begun, and tells what it overwrites", arguments: [1, 2, 3])
    func notes(attempts: Int) throws {
        var outbox = Outbox()
        let draft = DayNote.draft("mine", on: day)
        _ = try outbox.add(draft, "note-of-2026-11-25", key: "k1", at: made)
        let request = try sent(attempts, &outbox)
        var theirs = todo("note-of-2026-11-25", "📔", at: 5)
        (theirs.detail, theirs.visibility) = ("theirs", .private)
        let steps = outbox.answered(request.number, .exists(theirs), reached: .zero)
        #expect(steps.contains(.tell(Overwritten(todo: theirs.id, field: "detail", theirs: "theirs", mine: "mine"))))
        let again = try #require(outbox.next(base: [:], besides: [], reached: .zero).request)
        #expect(again.intent == .edit(TodoPatch(detail: "mine")) && again.revision == theirs.written)

        // What an earlier attempt of this device has written is there.
        var done = Outbox()
        _ = try done.add(draft, theirs.id, key: "k1", at: made)
        let last = try sent(attempts, &done)
        (theirs.content, theirs.date, theirs.detail) = (draft.content, draft.date, draft.detail)
        theirs.status = draft.status
        let reached = ChangeID(version: theirs.revision, microseconds: theirs.micros)
        #expect(done.answered(last.number, .exists(theirs), reached: reached) == [.drop(last.number)])
    }

    @Test("is kept as it was", arguments: [false, true])
    func keeping(isBack: Bool) throws {
        var outbox = Outbox()
        _ = try outbox.skip(try unmade, isBack: isBack, key: "k1", at: made)
        #expect(StoredEntry.entry(of: StoredEntry.json(of: outbox.entries[0])) == outbox.entries[0])
    }
}
