import EventLoop
import TestServers
import Testing

@testable import TodoMate

@Suite("A reader who comes while a Redis that is behind still answers")
@LoopActor
struct BehindRedisTests {
    /// Todos in memory of which so many reads of lists are as they were a while ago, as at a primary that was replaced in its sleep.
    private final class BehindRepository: TodoRepositoryType {
        private let current = InMemoryTodoRepository()
        private var old: TodoSnapshot?
        /// How many reads are still of the old state.
        var behind = 0
        private(set) var reads = 0

        func remember() async throws(TodoError) { old = try await current.snapshot(of: "alice", in: nil) }

        func snapshot(
            of uid: String,
            in days: ClosedRange<CalendarDate>?
        ) async throws(TodoError) -> TodoSnapshot {
            reads += 1
            guard behind > 0, let old else { return try await current.snapshot(of: uid, in: days) }
            behind -= 1
            return old
        }

        func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
            try await current.add(draft, for: uid)
        }
        func update(
            _ id: String,
            of uid: String,
            with patch: TodoPatch,
            expecting revision: ExpectedRevision?
        ) async throws(TodoError) -> TodoWrite {
            try await current.update(id, of: uid, with: patch, expecting: revision)
        }
        func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
            -> TodoChange
        {
            try await current.remove(id, of: uid, expecting: revision)
        }
        func record(_ id: String, of uid: String) async throws(TodoError) -> TodoRecord {
            try await current.record(id, of: uid)
        }
        func latestChangeID(of uid: String) async throws(TodoError) -> ChangeID {
            try await current.latestChangeID(of: uid)
        }
        func changes(of uid: String, since id: ChangeID, within bytes: Int?) async throws(TodoError) -> [TodoChange]? {
            try await current.changes(of: uid, since: id, within: bytes)
        }
        func openChannel(of uid: String, _ listener: any TodoChannelListener) { current.openChannel(of: uid, listener) }
        func closeChannel(of uid: String) { current.closeChannel(of: uid) }
        func observeTodoChanges() -> AsyncStream<DatabaseChange<TodoDTO>> { current.observeTodoChanges() }
    }

    @Test("is told to read again by what does not fit, whatever the order of the two")
    func verdicts() async throws {
        let service = TodoRealtimeService(BehindRepository())
        // What was read, what had been delivered, and whether that is taken.
        let cases = [
            ("5-500", "5-500", true), ("6-600", "5-500", true), ("4-400", "5-500", false), ("4-500", "5-500", false),
            // In the place of what was delivered there is something else: one of the two was lost.
            ("5-499", "5-500", false), ("5-501", "5-500", false),
            // Redis was emptied, or a successor has begun anew: so does following, first.
            ("1-600", "5-500", false), ("4-600", "5-500", false), ("0-1", "5-500", false),
            ("0-0", "0-0", true), ("0-1", "0-0", true),
        ]
        for (read, known, isTaken) in cases {
            let (read, known) = (try #require(ChangeID(read)), try #require(ChangeID(known)))
            var isRefused = false
            do { try service.check(read, of: "alice", isNotBefore: known) } catch { isRefused = true }
            #expect(isRefused != isTaken, "\(read) where \(known) was delivered")
        }
        try service.check(ChangeID(version: 1, microseconds: 1), of: "alice", isNotBefore: nil)
    }

    @Test("is shown what was delivered before, however often it answers", arguments: [0, 1, 3])
    func behind(_ times: Int) async throws {
        let day = try #require(CalendarDate("2026-11-20"))
        let repository = BehindRepository()
        _ = try await repository.add(TodoDraft(date: day, content: "first"), for: "alice")
        try await repository.remember()
        let (service, observer) = (TodoRealtimeService(repository), RecordingObserver())
        service.addObserver(observer, for: "alice")
        await service.waitUntilFollowing("alice")
        _ = try await repository.add(TodoDraft(date: day, content: "second"), for: "alice")
        try await eventually("it is delivered") { observer.lines == ["added second"] }
        repository.behind = times
        let snapshot = try await service.snapshot(of: "alice", in: nil)
        #expect(snapshot.todos.map(\.content) == ["first", "second"])
        #expect(repository.reads == times + 1)
        service.removeObserver(observer, for: "alice")
    }
}
