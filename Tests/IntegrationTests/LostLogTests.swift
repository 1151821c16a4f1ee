import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMateRedis

@Suite("A reader whose user's log is lost")
@LoopActor
struct LostLogTests {
    private nonisolated static let doors = ["/v1/users/alice/changes", "/v1/changes?users=alice"]
    private static let log = "todomate:{alice}:log"

    /// One function of alice's, in one transaction with others.
    private func add(_ content: String, to server: any TestRedis) -> RedisCommand {
        var command = FunctionCall.command("todomate_add", of: "alice", isInCluster: server.isCluster)
        command.append(#"{"content":"\#(content)","date":"2026-11-20"}"#)
        return command
    }

    private func transaction(_ server: any TestRedis, _ commands: RedisCommand...) async throws {
        let client = RedisClient(server.url, timeout: .seconds(30))
        defer { client.close() }
        let node = try await client.node(of: "todomate:{alice}")
        for command in [RedisCommand("MULTI")] + commands + [RedisCommand("EXEC")] { try await node.send(command) }
    }

    @Test(
        "gets all that is there when it comes back with the place of an empty list",
        arguments: doors,
        RedisKind.allCases
    )
    func resume(_ door: String, _ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            let first = try BoardReader(gateway.port, door, as: "alice")
            try await eventually("it has begun") { first.events.contains { $0.name == "snapshot" } }
            let place = try #require(first.cursor)
            first.close()
            try await transaction(
                server,
                add("A", to: server),
                add("B", to: server),
                RedisCommand("DEL", Self.log),
                add("C", to: server)
            )
            let second = try BoardReader(gateway.port, door, as: "alice", since: place)
            try await eventually("all is there") { second.shown == ["A", "B", "C"] }
            second.close()
        }
    }

    @Test("gets all that is there when its connection to Redis broke meanwhile", arguments: doors, RedisKind.allCases)
    func open(_ door: String, _ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            let reader = try BoardReader(gateway.port, door, as: "alice")
            try await eventually("it has begun") { reader.events.contains { $0.name == "snapshot" } }
            try await transaction(
                server,
                RedisCommand("CLIENT", "KILL", "TYPE", "pubsub"),
                add("A", to: server),
                add("B", to: server),
                RedisCommand("DEL", Self.log),
                add("C", to: server)
            )
            try await eventually("all is there") { reader.shown == ["A", "B", "C"] }
            reader.close()
        }
    }

    @Test("loses what was flushed, though the log was gone before", arguments: doors, RedisKind.allCases)
    func flushed(_ door: String, _ kind: RedisKind) async throws {
        // Each door and each kind with both.
        let isOpen = (door == Self.doors[0]) == (kind == .one)
        try await withGateway(on: kind) { server, gateway in
            for content in ["A", "B"] { try await server.add("alice", content) }
            var early: BoardReader?
            if isOpen {
                let reader = try BoardReader(gateway.port, door, as: "alice")
                try await eventually("it has begun") { reader.shown == ["A", "B"] }
                early = reader
            }
            try await server.cli("DEL", Self.log)
            let reader = try early ?? BoardReader(gateway.port, door, as: "alice")
            try await eventually("it shows both") { reader.shown == ["A", "B"] }
            // With the todos the account is gone: it is there again in the same step.
            try await server.flush(but: "alice")
            try await eventually("both are gone") { reader.shown == [] }
            try await server.add("alice", "C")
            try await eventually("the next comes") { reader.shown == ["C"] }
            reader.close()
        }
    }

    @Test("has no list that stands for another one", arguments: ["alice", "bob"], RedisKind.allCases)
    func lists(_ viewer: String, _ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await server.call("todomate_settings", "alice", #"{"visibility":"public"}"#)
            var tags: [String] = []
            for content in ["A", "B"] {
                try await server.add("alice", content)
                try await server.cli("DEL", Self.log)
                let fields = [try GatewayProcess.bearer(viewer)] + tags.map { "If-None-Match: \($0)" }
                let answer = try await gateway.ask("GET /v1/users/alice/todos", fields)
                #expect(answer.status == 200 && answer.body.contains(#""content":"\#(content)""#))
                tags = answer.fields("ETag")
                #expect(tags.count == 1 && !tags[0].hasPrefix("\"0-"))
            }
        }
    }

    @Test(
        "has one place for what it shows, and is not started over again and again",
        arguments: doors,
        RedisKind.allCases
    )
    func settles(_ door: String, _ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            for content in ["A", "B"] { try await server.add("alice", content) }
            try await server.cli("DEL", Self.log)
            let reader = try BoardReader(gateway.port, door, as: "alice")
            try await eventually("it has begun") { reader.shown == ["A", "B"] }
            // A marker that comes after whatever else there may be to tell.
            for content in ["C", "D"] {
                try await server.add("alice", content)
                try await eventually("the next comes") { reader.shown.last == content }
            }
            #expect(reader.events.map(\.name) == ["snapshot", "added", "added"])
            let place = try #require(reader.cursor)
            reader.close()
            try await server.add("alice", "E")
            let later = try BoardReader(gateway.port, door, as: "alice", since: place)
            try await eventually("what was missed comes") { later.events.map(\.name) == ["added"] }
            later.close()
        }
    }
}

extension BoardReader {
    /// The contents of all todos that a reader has who does what the events say, in the order of their revisions.
    var shown: [String] {
        var todos: [String: (revision: Int, content: String)] = [:]
        func put(_ todo: [String: Any]) {
            todos[todo["id"] as? String ?? ""] = (todo["revision"] as? Int ?? 0, todo["content"] as? String ?? "")
        }
        for event in events {
            switch event.name {
            case "snapshot":
                todos = [:]
                for todo in event.json["todos"] as? [[String: Any]] ?? [] { put(todo) }
            case "added", "modified": if let todo = event.json["todo"] as? [String: Any] { put(todo) }
            case "removed": todos[event.todo?.id ?? ""] = nil
            default: break
            }
        }
        return todos.values.sorted { $0.revision < $1.revision }.map(\.content)
    }
}
