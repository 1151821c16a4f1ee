import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// A program in another language, with none of our code, against the same Redis and worker: `Witness/witness.py`.
/// On one Redis, as it follows no redirection of a node.
@Suite("A witness in Python")
@LoopActor
struct WitnessTests {
    /// Keeps each change as the message that it came as.
    private final class MessageObserver: TodoChangeObserver {
        private(set) var messages: [String] = []

        nonisolated init() {}
        func receive(_ change: TodoChange) { messages.append(String(decoding: change.message, as: UTF8.self)) }
    }

    /// What the witness prints at its end.
    private struct Testimony: Decodable {
        struct Outcome: Decodable, Equatable {
            var posted, patched, late, deleted, stranger: Int
            var current: String
            var noDay: Int
            var refusals: [String]

            enum CodingKeys: String, CodingKey {
                case posted, patched, late, deleted, stranger, current, refusals
                case noDay = "no day"
            }
        }

        var outcome: Outcome
        var subscribed, streamed, resumed, since: [String]
        var named, folded, latest, overHTTP: Bool
        var listed: [TodoDTO]

        enum CodingKeys: String, CodingKey {
            case outcome, subscribed, streamed, resumed, since, named, folded, latest, listed
            case overHTTP = "over http"
        }
    }

    private nonisolated static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Witness/witness.py").path
    /// The witness makes seven of them, this test the others.
    private nonisolated static let versions = 11

    @Test("writes and follows by Redis and by HTTP, and agrees with Swift byte by byte")
    func agrees() async throws {
        try await withGateway { server, gateway in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            let container = DIContainer(repository: repository)
            let (todos, changes) = (container.todoService, container.todoRealtimeService)
            let observer = MessageObserver()
            changes.addObserver(observer, for: "alice")
            await changes.waitUntilFollowing("alice")

            let witness = try RunningProgram(
                "/usr/bin/python3",
                [
                    "-B", Self.script, server.folder.path + "/redis.sock", String(gateway.port), GatewayProcess.secret,
                    "alice", String(Self.versions),
                ]
            )
            try await eventually("it follows") { witness.output.hasPrefix("ready\n") || !witness.errors.isEmpty }
            // While it writes, so does Swift.
            let date = try #require(CalendarDate("2026-11-22"))
            for content in ["from Swift", "한글 \u{1F1F0}\u{1F1F7} e\u{301}"] {
                let id = try await todos.create(TodoDraft(date: date, content: content), for: "alice").id
                let patch = TodoPatch(detail: "\"quoted\"\n\\ and \u{2028}", status: .inProgress, position: -1.25)
                _ = try await todos.update(id, of: "alice", with: patch, expecting: nil)
            }
            let ending = await witness.waitUntilEnded()
            try #require(ending == .exit(0), "\(witness.errors)")

            let printed = try #require(witness.lines.last)
            let testimony = try JSONDecoder().decode(Testimony.self, from: Data(printed.utf8))
            let outcome = Testimony.Outcome(
                posted: 201,
                patched: 200,
                late: 412,
                deleted: 204,
                stranger: 403,
                current: "2026-12-01",
                noDay: 422,
                refusals: ["INVALID", "EXISTS", "CONFLICT", "NOT_FOUND", "GONE", "USAGE"].map { "TODOMATE_\($0)" }
            )
            #expect(testimony.outcome == outcome)

            // One history, whoever tells it.
            let log = try await server.log(of: "alice")
            #expect(log.count == Self.versions)
            try await eventually("Swift has seen all of it") { observer.messages.count == Self.versions }
            #expect(observer.messages == log)
            #expect(testimony.subscribed == log)
            #expect(testimony.streamed == log)
            #expect(testimony.resumed == Array(log.dropFirst(3)))
            #expect(testimony.since == Array(log.dropFirst(3)))
            #expect(testimony.named && testimony.folded && testimony.latest && testimony.overHTTP)

            let snapshot = try await repository.snapshot(of: "alice", in: nil)
            let listed = testimony.listed.map { $0.toModel() }
            #expect(listed.sorted(by: Todo.isInListOrder) == snapshot.todos)
            #expect(snapshot.todos.count == 5)
        }
    }
}
