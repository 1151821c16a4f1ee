import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMateRedis

/// Each node has a library of its own, and is one Redis to this; see `ClusterFunctionTests`.
@Suite("The function library in Redis")
@LoopActor
struct LibraryTests {
    /// Loads the library as it would be in another version.
    private func load(
        version: String,
        into server: RedisServer,
        _ change: (String) -> String = { $0 }
    ) async throws {
        let own = String(decoding: FunctionLibrary.source, as: UTF8.self)
        let line = try #require(own.firstMatch(of: /local LIBRARY_VERSION = \d+/)).0
        let source = change(own.replacing(line, with: "local LIBRARY_VERSION = \(version)"))
        let client = RedisClient(server.url)
        defer { client.close() }
        try await client.send(RedisCommand("FUNCTION", "LOAD", source))
    }

    private func version(_ server: RedisServer) async throws -> String {
        try await server.cli("FCALL_RO", "todomate_version", "0")
    }

    /// The version that this build brings along.
    private func ownVersion() async throws -> String {
        try await withRedis { server in
            _ = try await server.todomate("list", "alice")
            return try await version(server)
        }
    }

    @Test("is loaded by a worker that starts, and by the first command")
    func loads() async throws {
        try await withRedis { server in
            try await withWorker(on: server) { _ in
                let version = try await version(server)
                #expect(Int(version) ?? 0 > 0)
            }
            try await server.cli("FUNCTION", "FLUSH")
            #expect(try await version(server).contains("Function not found"))
            let outcome = try await server.todomate("list", "alice")
            #expect(outcome.ending == .exit(0))
            #expect(try await version(server) == ownVersion())
        }
    }

    @Test("comes back after FUNCTION FLUSH, under a running worker and for the next command")
    func flushed() async throws {
        try await withRedis { server in
            try await withWorker(on: server) { worker in
                try await server.add("alice", "before")
                try await server.cli("FUNCTION", "FLUSH")
                let outcome = try await server.todomate("add", "alice", "after")
                #expect(outcome.ending == .exit(0))
                try await eventually("both came") { worker.versions == [1, 2] }
                // The worker itself needs it to read what it missed.
                try await server.cli("FUNCTION", "FLUSH")
                try await server.cli("CLIENT", "KILL", "TYPE", "pubsub")
                try await eventually("the worker brought it") { try await Int(version(server)) != nil }
                try await server.add("alice", "later")
                try await eventually("it goes on") { worker.versions == [1, 2, 3] }
            }
        }
    }

    @Test("is replaced when it is older, keeping the todos", arguments: ["worker", "command"])
    func older(_ starter: String) async throws {
        let own = try await ownVersion()
        try await withRedis { server in
            try await load(version: "0", into: server)
            #expect(try await version(server) == "0")
            try await server.add("alice", "written by the old one")
            if starter == "worker" {
                try await withWorker(on: server) { _ in }
            } else {
                _ = try await server.todomate("list", "alice")
            }
            #expect(try await version(server) == own)
            let list = try await server.todomate("list", "alice", "--all", "--plain")
            #expect(list.output.hasSuffix("written by the old one\n"))
        }
    }

    @Test("is left alone when it is newer, and works")
    func newer() async throws {
        try await withRedis { server in
            try await load(version: "999", into: server)
            try await withWorker(on: server) { worker in
                let outcome = try await server.todomate("add", "alice", "milk")
                #expect(outcome.ending == .exit(0))
                try await eventually("it came") { worker.versions == [1] }
            }
            #expect(try await version(server) == "999")
        }
    }

    @Test("is left alone when it is newer and has lost a function, which the older worker then says")
    func newerWithoutFunction() async throws {
        try await withRedis { server in
            try await load(version: "999", into: server) {
                $0.replacing("'todomate_short'", with: "'todomate_enumerate'")
            }
            let outcome = try await server.todomate("list", "alice")
            #expect(outcome.ending != .exit(0) && outcome.errors.contains("Function not found"), "\(outcome.errors)")
            #expect(try await version(server) == "999")
        }
    }

    @Test("waits for who is loading one, and is not replaced by an older one then")
    func simultaneous() async throws {
        try await withRedis { server in
            try await server.cli("SET", "todomate:library", "1", "PX", "60000")
            let list = Task { try await server.todomate("list", "alice") }
            try await eventually("it waits") {
                let calls = try await server.cli("INFO", "commandstats").firstMatch(of: /cmdstat_set:calls=(\d+)/)
                return calls.flatMap { Int($0.1) } ?? 0 > 2
            }
            try await load(version: "999", into: server)
            try await server.cli("DEL", "todomate:library")
            let outcome = try await list.value
            #expect(outcome.ending == .exit(0), "\(outcome.errors)")
            #expect(try await version(server) == "999")
            #expect(try await server.cli("EXISTS", "todomate:library") == "0")
        }
    }

    @Test("survives a dump, a restore and a restart")
    func dumped() async throws {
        try await withRedis("--appendonly", "yes", "--appendfsync", "always") { server in
            _ = try await server.todomate("add", "alice", "milk")
            let own = try await version(server)
            let dump = "redis-cli -s \(server.url) FUNCTION DUMP | head -c -1"
            let restore = "redis-cli -s \(server.url) -x FUNCTION RESTORE"
            let outcome = try await Program.run(
                "sh",
                [
                    "-c",
                    "\(dump) > \(server.folder.path)/dump && redis-cli -s \(server.url) FUNCTION FLUSH "
                        + "&& \(restore) < \(server.folder.path)/dump",
                ]
            )
            #expect(outcome.output == "OK\nOK\n")
            #expect(try await version(server) == own)
            await server.crash()
            try await server.start()
            #expect(try await version(server) == own)
            try await server.add("alice", "bread")
            #expect(try await server.log(of: "alice").count == 2)
        }
    }
}
