import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// The kinds of repository that obey the one contract.
enum RepositoryKind: CaseIterable {
    case inMemory, redis, cluster, http, offline

    /// Those that answer with what a server has, as it writes: ``SettledOffline`` says what does not hold on a device.
    static let ofServers = allCases.filter { $0 != .offline }

    /// Runs `body` with a repository of this kind.
    ///
    /// - Parameter lines: what it holds of the user `a`, as lines of an archive.
    @LoopActor
    func with(
        holding lines: [String] = [],
        _ body: @escaping @LoopActor (any TodoRepositoryType) async throws -> Void
    ) async throws {
        switch self {
        case .inMemory, .http, .offline:
            let repository = InMemoryTodoRepository()
            try await hold(lines, in: repository.stores)
            switch self {
            case .http: try await withHTTPStores(over: repository) { try await body($0.todos) }
            case .offline: try await SettledOffline.with(over: repository.stores) { try await body($0) }
            default: try await body(repository)
            }
        case .redis, .cluster:
            try await withRedis(on: self == .redis ? .one : .cluster) { server in
                let repository = RedisTodoRepository(server.url)
                defer { repository.close() }
                if !lines.isEmpty { try await repository.prepare() }
                try await hold(lines, in: repository.stores)
                try await body(repository)
            }
        }
    }

    @LoopActor
    private func hold(_ lines: [String], in stores: Stores) async throws {
        for first in stride(from: 0, to: lines.count, by: 100) {
            let some = lines[first..<min(first + 100, lines.count)].map { Array($0.utf8) }
            let outcomes = try await stores.archives.write(some, of: "a", replacing: false)
            #expect(outcomes.allSatisfy { $0 == .added })
        }
    }
}

private let today = CalendarDate("2026-11-20")!
private let tomorrow = CalendarDate("2026-11-21")!

/// Writes down what a user's channel says.
@LoopActor
private final class Channel: TodoChannelListener {
    private(set) var isOpen = false
    private(set) var changes: [TodoChange] = []
    nonisolated init() {}
    func channelOpened() { isOpen = true }
    func channelPublished(_ change: TodoChange) { changes.append(change) }
    func channelRefused(_ refusal: MessageRefusal) { Issue.record("\(refusal)") }
    func channelLost() { isOpen = false }
}

@Suite("Every repository", .serialized)
@LoopActor
struct RepositoryContractTests {
    @Test("stores what is added, with defaults, a revision and times", arguments: RepositoryKind.allCases)
    func adds(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let draft = TodoDraft(id: "t1", date: today, content: "Buy \"milk\" \\ 우유 🥛", detail: "two\nlines\t.")
            let change = try #require(try await repository.add(draft, for: "alice").change)
            #expect((change.id?.version, change.kind) == (1, .added))
            let todo = try await repository.todo("t1", of: "alice")
            #expect(todo == change.todo)
            #expect((todo.content, todo.detail, todo.date, todo.uid) == (draft.content, draft.detail, today, "alice"))
            #expect((todo.status, todo.position, todo.revision) == (.todo, 1, 1))
            #expect(todo.micros == change.id?.microseconds)
            #expect(abs(todo.createdAt.timeIntervalSinceNow) < 60 && todo.createdAt == todo.updatedAt)
        }
    }

    @Test("chooses an id when none is given", arguments: RepositoryKind.allCases)
    func choosesID(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            var ids: Set<String> = []
            for _ in 0..<50 {
                ids.insert(try await repository.add(TodoDraft(date: today, content: "x"), for: "a").todo.id)
            }
            #expect(ids.count == 50)
        }
    }

    @Test("takes the same add twice as one, and refuses another under the same id", arguments: RepositoryKind.allCases)
    func addsOnce(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let draft = TodoDraft(id: "t1", date: today, content: "once")
            let first = try await repository.add(draft, for: "alice")
            let second = try await repository.add(draft, for: "alice")
            #expect(first.change?.kind == .added)
            #expect(second.change == nil && second.todo == first.todo)
            #expect(try await repository.latestChangeID(of: "alice") == first.change?.id)
            // One that was worked on meanwhile is still the one that was added.
            _ = try await repository.update("t1", of: "alice", with: TodoPatch(status: .complete), expecting: nil)
            let third = try await repository.add(draft, for: "alice")
            #expect(third.change == nil && third.todo.status == .complete && third.todo.revision == 2)
            await #expect(throws: TodoError.exists("another todo has the id t1: choose another id, or update that one"))
            {
                _ = try await repository.add(TodoDraft(id: "t1", date: today, content: "twice"), for: "alice")
            }
        }
    }

    @Test(
        "changes the given parts alone, each change being the user's next version",
        arguments: RepositoryKind.allCases
    )
    func updates(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let added = try await repository.add(
                TodoDraft(id: "t1", date: today, content: "a", detail: "d"),
                for: "alice"
            )
            let update = try await repository.update(
                "t1",
                of: "alice",
                with: TodoPatch(content: "b", status: .complete),
                expecting: added.todo.written
            )
            let change = try #require(update.change)
            #expect((change.id?.version, change.kind) == (2, .modified))
            #expect((change.todo.content, change.todo.detail, change.todo.status) == ("b", "d", .complete))
            #expect((change.todo.revision, change.todo.position) == (2, 1))
            #expect(change.todo.micros == change.id?.microseconds)
            #expect(change.todo.createdAt == added.todo.createdAt)
            let moved = try await repository.update("t1", of: "alice", with: TodoPatch(date: tomorrow), expecting: nil)
            #expect((moved.todo.date, moved.todo.position) == (tomorrow, 3))
            let placed = try await repository.update("t1", of: "alice", with: TodoPatch(position: 1.25), expecting: nil)
            #expect((placed.todo.date, placed.todo.position) == (tomorrow, 1.25))
        }
    }

    @Test("writes nothing for a patch that changes nothing", arguments: RepositoryKind.allCases)
    func idleUpdate(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let added = try await repository.add(TodoDraft(id: "t1", date: today, content: "a"), for: "alice")
            let change = try await repository.update(
                "t1",
                of: "alice",
                with: TodoPatch(date: today, content: "a"),
                expecting: nil
            )
            #expect(change.change == nil)
            #expect(change.todo == added.todo)
            #expect(try await repository.latestChangeID(of: "alice") == added.change?.id)
        }
    }

    @Test(
        "refuses a write that expects another revision, and shows the current todo",
        arguments: RepositoryKind.allCases
    )
    func conflicts(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let current = try await repository.add(TodoDraft(id: "t1", date: today, content: "a"), for: "alice").todo
            let conflict = TodoError.conflict(
                "the todo is now at revision 1: read it again and retry",
                current: current
            )
            await #expect(throws: conflict) {
                _ = try await repository.update("t1", of: "alice", with: TodoPatch(content: "b"), expecting: 7)
            }
            await #expect(throws: conflict) { _ = try await repository.remove("t1", of: "alice", expecting: 0) }
            #expect(try await repository.todo("t1", of: "alice") == current)
        }
    }

    @Test("removes, and answers with the todo as it last was", arguments: RepositoryKind.allCases)
    func removes(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let added = try await repository.add(TodoDraft(id: "t1", date: today, content: "a"), for: "alice")
            let change = try await repository.remove("t1", of: "alice", expecting: 1)
            #expect((change.id?.version, change.kind, change.todo) == (2, .removed, added.todo))
            let snapshot = try await repository.snapshot(of: "alice", in: nil)
            #expect(snapshot.todos == [] && (kind == .offline || snapshot.id == change.id))
            let missing = TodoError.notFound("alice has no todo with the id t1")
            await #expect(throws: missing) { _ = try await repository.todo("t1", of: "alice") }
            await #expect(throws: missing) { _ = try await repository.remove("t1", of: "alice", expecting: nil) }
            await #expect(throws: missing) {
                _ = try await repository.update("t1", of: "alice", with: TodoPatch(content: "b"), expecting: nil)
            }
        }
    }

    @Test("reads the todos of some days in list order, as of the latest change", arguments: RepositoryKind.allCases)
    func snapshots(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let empty = try await repository.snapshot(of: "alice", in: nil)
            #expect(empty.todos == [] && (kind == .offline || empty.id == .zero))
            for (id, date, position) in [
                ("c", tomorrow, nil), ("b", today, 2), ("a", today, 1), ("z", CalendarDate("2026-12-01")!, nil),
            ] as [(String, CalendarDate, Double?)] {
                _ = try await repository.add(
                    TodoDraft(id: id, date: date, content: id, position: position),
                    for: "alice"
                )
            }
            _ = try await repository.add(TodoDraft(id: "other", date: today, content: "bob's"), for: "bob")
            let month = try await repository.snapshot(of: "alice", in: CalendarMonth("2026-11")!.days)
            #expect(month.todos.map(\.id) == ["a", "b", "c"])
            #expect(kind == .offline || month.id.version == 4)
            #expect(try await repository.snapshot(of: "alice", in: today...today).todos.map(\.id) == ["a", "b"])
            #expect(try await repository.snapshot(of: "alice", in: nil).todos.count == 4)
        }
    }

    @Test("logs every change, and reads on from any of them", arguments: RepositoryKind.allCases)
    func log(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            #expect(try await repository.changes(of: "alice", since: .zero)?.count == 0)
            let add = try await repository.add(TodoDraft(id: "t", date: today, content: "a"), for: "alice")
            let update = try await repository.update("t", of: "alice", with: TodoPatch(content: "b"), expecting: nil)
            let (first, second) = (try #require(add.change), try #require(update.change))
            let third = try await repository.remove("t", of: "alice", expecting: nil)
            // Who has seen nothing may have seen the nothing of another history.
            #expect(try await repository.changes(of: "alice", since: .zero)?.count == nil)
            #expect(
                try await repository.changes(of: "alice", since: first.id!)?.map(\.message)
                    == [second, third].map(\.message)
            )
            #expect(try await repository.changes(of: "alice", since: third.id!)?.count == 0)
            let unknown = ChangeID(version: 2, microseconds: second.id!.microseconds + 1)
            #expect(try await repository.changes(of: "alice", since: unknown)?.count == nil)
            #expect(
                try await repository.changes(of: "alice", since: ChangeID(version: 9, microseconds: 9))?.count == nil
            )
        }
    }

    @Test("publishes exactly what it logs, to the listeners of that user", arguments: RepositoryKind.ofServers)
    func publishes(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let (alice, bob) = (Channel(), Channel())
            repository.openChannel(of: "alice", alice)
            repository.openChannel(of: "bob", bob)
            try await eventually("both are open") { alice.isOpen && bob.isOpen }
            _ = try await repository.add(TodoDraft(id: "t", date: today, content: "한 \"a\""), for: "alice")
            _ = try await repository.update("t", of: "alice", with: TodoPatch(detail: "\n"), expecting: nil)
            _ = try await repository.remove("t", of: "alice", expecting: nil)
            try await eventually("three changes came") { alice.changes.count == 3 }
            let first = try #require(alice.changes.first?.id)
            let log = try await repository.changes(of: "alice", since: first)
            #expect(alice.changes.dropFirst().map(\.message) == log?.map(\.message))
            #expect(bob.changes.isEmpty)
            repository.closeChannel(of: "alice")
            _ = try await repository.add(TodoDraft(date: today, content: "unheard"), for: "alice")
            _ = try await repository.add(TodoDraft(date: today, content: "heard"), for: "bob")
            try await eventually("bob's came") { bob.changes.count == 1 }
            #expect(alice.changes.count == 3)
        }
    }

    @Test("offers all changes as an asynchronous sequence", arguments: RepositoryKind.allCases)
    func sequence(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let changes = repository.observeTodoChanges()
            var iterator = changes.makeAsyncIterator()
            // The subscription is confirmed once a first change comes through.
            let writer = Task { @LoopActor in
                while !Task.isCancelled {
                    // One that failed would be followed by the next.
                    _ = try? await repository.add(TodoDraft(date: today, content: "x"), for: "alice")
                    await Task.yield()
                }
            }
            let change = await iterator.next()
            writer.cancel()
            #expect(change?.todoDTO.toModel().uid == "alice")
        }
    }

    @Test(
        "refuses what breaks a bound and writes nothing",
        arguments: RepositoryKind.allCases,
        [
            ("", "content must have 1 to 500 characters"),
            (String(repeating: "x", count: 501), "content must have 1 to 500 characters"),
            ("a\nb", "one line"), ("a\tb", "one line"), ("\u{7F}", "one line"), ("\u{85}", "one line"),
            ("a\u{2028}b", "one line"),
            ("   ", "only spaces"), ("\u{3000}", "only spaces"),
        ]
    )
    func badContent(_ kind: RepositoryKind, _ bad: (content: String, reason: String)) async throws {
        try await kind.with { repository in
            await #expect {
                _ = try await repository.add(TodoDraft(date: today, content: bad.content), for: "alice")
            } throws: { error in
                if case TodoError.invalid(let text) = error { text.contains(bad.reason) } else { false }
            }
            let latest = try await repository.latestChangeID(of: "alice")
            #expect(latest == .zero)
        }
    }

    @Test("takes what is just within the bounds", arguments: RepositoryKind.allCases)
    func edges(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let draft = TodoDraft(
                id: String(repeating: "Z", count: 64),
                date: CalendarDate.latest,
                content: String(repeating: "😀", count: 500),
                detail: String(repeating: "한", count: 10_000),
                status: .incomplete,
                position: -9_007_199_254_740_991
            )
            let uid = String(repeating: "@", count: 64)
            let change = try await repository.add(draft, for: uid)
            #expect(try await repository.todo(draft.id!, of: uid) == change.todo)
            #expect(
                (change.todo.content, change.todo.detail, change.todo.position) == (
                    draft.content, draft.detail, draft.position
                )
            )
        }
    }

    @Test(
        "keeps the separators of a detail, and writes none of them raw",
        arguments: RepositoryKind.ofServers,
        [
            ("\u{2028}", #"\u2028"#), ("\u{2029}a", #"\u2029a"#), ("a\u{2029}\u{2028}", #"a\u2029\u2028"#),
            ("…\u{2028}\u{2028}\\\u{2029}\"\n", #"…\u2028\u2028\\\u2029\"\n"#), (#"\u2028"#, #"\\u2028"#),
            (#"\\u2029"# + "\u{2028}", #"\\\\u2029\u2028"#),
        ]
    )
    func separators(_ kind: RepositoryKind, _ example: (detail: String, json: String)) async throws {
        let detail = example.detail
        try await kind.with { repository in
            func isEscaped(_ json: [UInt8]) -> Bool {
                String(decoding: json, as: UTF8.self).contains(#""detail":"\#(example.json)","status""#)
            }
            let channel = Channel()
            repository.openChannel(of: "alice", channel)
            try await eventually("the channel is open") { channel.isOpen }
            _ = try await repository.add(TodoDraft(id: "a", date: today, content: "x", detail: detail), for: "alice")
            _ = try await repository.add(TodoDraft(id: "b", date: tomorrow, content: "x"), for: "alice")
            let patch = TodoPatch(detail: detail)
            _ = try await repository.update("b", of: "alice", with: patch, expecting: nil)
            for id in ["a", "b"] { #expect(try await repository.todo(id, of: "alice").detail == detail) }
            let snapshot = try await repository.snapshot(of: "alice", in: nil)
            #expect(snapshot.todos.map(\.detail) == [detail, detail])
            for todo in snapshot.todos { #expect(isEscaped(Array(TodoDTO(todo).json.utf8))) }
            try await eventually("all came") { channel.changes.count == 3 }
            let first = try #require(channel.changes.first?.id)
            let log = try #require(try await repository.changes(of: "alice", since: first))
            for changes in [channel.changes, channel.changes.prefix(1) + log] {
                #expect(changes.map(\.todo.detail) == [detail, "", detail])
                for change in changes where change.todo.detail != "" { #expect(isEscaped(change.message)) }
            }
        }
    }

    @Test("refuses ids, users, details and positions that break a bound", arguments: RepositoryKind.allCases)
    func otherBounds(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            func refuses(_ reason: String, _ body: () async throws -> Void) async {
                await #expect {
                    try await body()
                } throws: { error in
                    if case TodoError.invalid(let text) = error { text.contains(reason) } else { false }
                }
            }
            for id in ["", "a b", "ü", "a/b", String(repeating: "x", count: 65)] {
                await refuses("id must be") {
                    _ = try await repository.add(TodoDraft(id: id, date: today, content: "x"), for: "a")
                }
                await refuses("id must be") { _ = try await repository.todo(id, of: "a") }
                await refuses("id must be") { _ = try await repository.remove(id, of: "a", expecting: nil) }
            }
            for uid in ["", "a b", "a{b", "a}", "ü", String(repeating: "x", count: 65)] {
                await refuses("uid must be") {
                    _ = try await repository.add(TodoDraft(date: today, content: "x"), for: uid)
                }
                await refuses("uid must be") { _ = try await repository.snapshot(of: uid, in: nil) }
                await refuses("uid must be") { _ = try await repository.changes(of: uid, since: .zero) }
            }
            await refuses("detail must have at most") {
                _ = try await repository.add(
                    TodoDraft(date: today, content: "x", detail: String(repeating: "x", count: 10_001)),
                    for: "a"
                )
            }
            await refuses("detail must have no control") {
                _ = try await repository.add(TodoDraft(date: today, content: "x", detail: "\u{1B}[2J"), for: "a")
            }
            for position in [Double.infinity, .nan, 9_007_199_254_740_994] {
                await refuses("position must be") {
                    _ = try await repository.add(TodoDraft(date: today, content: "x", position: position), for: "a")
                }
            }
            let latest = try await repository.latestChangeID(of: "a")
            #expect(latest == .zero)
        }
    }

    @Test("holds ten thousand todos of a month and no more", arguments: RepositoryKind.ofServers)
    func fullMonth(_ kind: RepositoryKind) async throws {
        let lines = (0..<9999).map { #"{"id":"t\#($0)","uid":"a","date":"2026-11-20","content":"x"}"# }
        try await kind.with(holding: lines) { repository in
            _ = try await repository.add(TodoDraft(id: "last", date: today, content: "x"), for: "a")
            let full = TodoError.full("2026-11 already holds 10000 todos: remove some first")
            await #expect(throws: full) {
                _ = try await repository.add(TodoDraft(id: "more", date: tomorrow, content: "x"), for: "a")
            }
            _ = try await repository.add(
                TodoDraft(id: "dec", date: CalendarDate("2026-12-01")!, content: "x"),
                for: "a"
            )
            await #expect(throws: full) {
                _ = try await repository.update("dec", of: "a", with: TodoPatch(date: today), expecting: nil)
            }
            _ = try await repository.update("t1", of: "a", with: TodoPatch(date: tomorrow), expecting: nil)
            _ = try await repository.remove("t2", of: "a", expecting: nil)
            _ = try await repository.add(TodoDraft(id: "more", date: today, content: "x"), for: "a")
        }
    }

    @Test("places a todo between any two others, as often as one likes", arguments: RepositoryKind.allCases)
    func places(_ kind: RepositoryKind) async throws {
        try await kind.with { repository in
            let service = TodoService(repository)
            for id in ["a", "b", "c"] {
                try await service.create(TodoDraft(id: id, date: today, content: id), for: "u")
            }
            func order() async throws -> [String] { try await service.todos(of: "u", in: today...today).map(\.id) }
            try await service.move("c", of: "u", to: .before("a"))
            #expect(try await order() == ["c", "a", "b"])
            try await service.move("c", of: "u", to: .after("b"))
            #expect(try await order() == ["a", "b", "c"])
            // Far more often than halving leaves room for.
            for round in 0..<120 {
                try await service.move(round % 2 == 0 ? "c" : "b", of: "u", to: .after("a"))
                #expect(try await order() == (round % 2 == 0 ? ["a", "c", "b"] : ["a", "b", "c"]))
            }
            try await service.create(TodoDraft(id: "far", date: tomorrow, content: "far"), for: "u")
            try await service.move("far", of: "u", to: .before("b"))
            #expect(try await order() == ["a", "far", "b", "c"])
        }
    }
}
