import EventLoop
import Foundation
import Observing
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

private let today = CalendarDate("2026-11-20")!

@Suite("The Redis repository")
@LoopActor
struct RedisTodoRepositoryTests {
    /// Cuts the connection of a command that Redis has read and not carried out yet.
    private func cutDuringWrite(_ server: RedisServer, _ body: @escaping @LoopActor () async throws -> Void)
        async throws
    {
        try await server.cli("CLIENT", "PAUSE", "60000", "WRITE")
        let write = Task { try await body() }
        try await eventually("the write is held") {
            try await server.cli("INFO", "clients").contains("blocked_clients:1")
        }
        try await server.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        try await server.cli("CLIENT", "UNPAUSE")
        try await write.value
    }

    @Test("lets a view that could not be loaded recover once the fault is repaired")
    func viewRecovers() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            let container = DIContainer(repository: repository)
            let model = TodosInMonthViewModel(
                service: container.todoRealtimeService,
                uid: "alice",
                month: CalendarMonth(containing: today)
            )
            try await server.cli("HSET", "todomate:{alice}:todos", "bad", "garbage")
            try await server.cli("ZADD", "todomate:{alice}:days", "20261120", "bad")
            model.onAppear()
            try await eventually("it says that it failed") { if case .failed = model.phase { true } else { false } }
            _ = try await repository.add(TodoDraft(date: today, content: "milk"), for: "alice")
            try await server.cli("HDEL", "todomate:{alice}:todos", "bad")
            try await server.cli("ZREM", "todomate:{alice}:days", "bad")
            try await eventually("it is live") { model.phase == .live && model.todos.map(\.content) == ["milk"] }
        }
    }

    @Test("is asked one question by who begins to follow a user with the user's todos")
    func firstSnapshot() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            _ = try await repository.add(TodoDraft(date: today, content: "milk"), for: "alice")
            try await server.cli("CONFIG", "RESETSTAT")
            let (service, observer) = (TodoRealtimeService(repository), RecordingObserver())
            service.addObserver(observer, for: "alice")
            let snapshot = try await service.snapshot(of: "alice", in: nil)
            #expect(snapshot.todos.map(\.content) == ["milk"])
            let statistics = try await server.cli("INFO", "commandstats")
            #expect(statistics.contains("cmdstat_fcall_ro:calls=1,"))
            // Following has begun with it: what comes after it is told.
            _ = try await repository.add(TodoDraft(date: today, content: "bread"), for: "alice")
            try await eventually("the change is told") { observer.lines == ["added bread"] }
            service.removeObserver(observer, for: "alice")
        }
    }

    @Test("ends its readers' loops and lets go of those who wait when it is closed")
    func closing() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            let changes = repository.observeTodoChanges()
            let loop = Task { for await _ in changes {} }
            repository.close()
            await loop.value
            let client = RedisClient(server.url)
            client.close()
            await client.waitUntilConnected()
            let subject = SharedSubject<Int>("numbers", redis: server.url)
            let observer = IntObserver()
            subject.add(observer, for: "a")
            let wait = Task { await subject.waitUntilSubscribed(to: "a") }
            subject.close()
            await wait.value
        }
    }

    @Test("tells all changes of a cluster, also of those who come later, from their first on")
    func everybodyOfCluster() async throws {
        try await withRedis(on: .cluster) { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            let users = (0..<6).map { "early\($0)" }
            for uid in users { _ = try await repository.add(TodoDraft(date: today, content: "unheard"), for: uid) }
            let told = Told()
            let changes = repository.observeTodoChanges()
            let loop = Task { @LoopActor in
                for await change in changes {
                    let todo = change.todoDTO.toModel()
                    told.lines.append("\(todo.uid) \(todo.content)")
                }
            }
            try await eventually("everybody is subscribed to") {
                for uid in users { _ = try await repository.add(TodoDraft(date: today, content: "again"), for: uid) }
                return users.allSatisfy { told.lines.contains("\($0) again") }
            }
            let late = (0..<3).flatMap { user in (0..<4).map { "late\(user) \($0)" } }
            for line in late {
                let words = line.split(separator: " ").map(String.init)
                _ = try await repository.add(TodoDraft(date: today, content: words[1]), for: words[0])
            }
            try await eventually("the new ones are found") { Set(late).isSubset(of: told.lines) }
            _ = try await repository.add(TodoDraft(date: today, content: "last"), for: "late0")
            try await eventually("they are followed") { told.lines.contains("late0 last") }
            for uid in ["late0", "late1", "late2"] {
                let own = told.lines.filter { $0.hasPrefix(uid + " ") }
                #expect(own == (0..<4).map { "\(uid) \($0)" } + (uid == "late0" ? ["late0 last"] : []), "each once")
            }
            #expect(!told.lines.contains { $0.hasSuffix("unheard") })
            repository.close()
            await loop.value
        }
    }

    @LoopActor
    private final class Told { var lines: [String] = [] }

    @Test("repeats an add whose answer was lost, and adds once")
    func repeatsAdd() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            _ = try await repository.latestChangeID(of: "alice")
            try await cutDuringWrite(server) {
                _ = try await repository.add(TodoDraft(date: today, content: "once"), for: "alice")
            }
            #expect(try await repository.snapshot(of: "alice", in: nil).todos.map(\.content) == ["once"])
            #expect(try await repository.latestChangeID(of: "alice").version == 1)
        }
    }

    @Test("does not repeat an update whose answer was lost, and says that it may have happened")
    func reportsLostUpdate() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            _ = try await repository.add(TodoDraft(id: "t", date: today, content: "a"), for: "alice")
            await #expect {
                try await cutDuringWrite(server) {
                    _ = try await repository.update("t", of: "alice", with: TodoPatch(content: "b"), expecting: nil)
                }
            } throws: { error in
                if case TodoError.unavailable(let text) = error {
                    text.contains("may have been carried out")
                } else {
                    false
                }
            }
        }
    }

    @Test("replaces an older library and leaves a newer one alone", arguments: [0, 999])
    func libraryVersions(_ stored: Int) async throws {
        try await withRedis { server in
            @LoopActor func versionAfterStart() async throws -> Int? {
                let repository = RedisTodoRepository(server.url)
                defer { repository.close() }
                try await repository.prepare()
                return Int(try await server.cli("FCALL_RO", "todomate_version", "0"))
            }
            let own = try #require(try await versionAfterStart())
            let library = """
                #!lua name=todomate
                redis.register_function{function_name='todomate_version', flags={'no-writes'}, callback=function() return \(stored) end}
                """
            try await server.cli("FUNCTION", "LOAD", "REPLACE", library)
            let kept = try await versionAfterStart()
            #expect(kept == max(stored, own))
        }
    }

    @Test("says what to do when Redis refuses to write")
    func refusals() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            _ = try await repository.add(TodoDraft(date: today, content: "a"), for: "alice")
            try await server.cli("CONFIG", "SET", "maxmemory", "1")
            await #expect(
                throws: TodoError.unavailable(
                    "Redis is out of memory and wrote nothing: removing and hiding still work; its operator can raise maxmemory"
                )
            ) {
                _ = try await repository.add(TodoDraft(date: today, content: "b"), for: "alice")
            }
            try await server.cli("CONFIG", "SET", "maxmemory", "0")
            try await server.cli("REPLICAOF", "127.0.0.1", "1")
            await #expect(
                throws: TodoError.unavailable("this Redis is a read-only replica: name the primary with --redis")
            ) {
                _ = try await repository.add(TodoDraft(date: today, content: "b"), for: "alice")
            }
        }
    }
}

@LoopActor
private final class IntObserver: @LoopActor Observer {
    func receive(_ event: Int) {}
}
