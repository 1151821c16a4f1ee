import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A worker whose Redis is lost")
@LoopActor
struct LostRedisTests {
    private func worker(_ server: RedisServer) async throws -> RunningProgram {
        let worker = try RunningProgram(
            "todomate",
            ["worker", "--redis", "unix://\(server.url)", "--observe", "alice", "--json"]
        )
        try await eventually("the worker observes") { worker.errors.contains("message=observing") }
        return worker
    }

    private func add(_ server: RedisServer, _ content: String) async throws {
        try await server.cli(
            "FCALL",
            "todomate_add",
            "1",
            "todomate:{alice}",
            "{\"content\":\"\(content)\",\"date\":\"2026-11-20\"}"
        )
    }

    private func versions(_ worker: RunningProgram) -> [Int] {
        worker.lines.compactMap { line in
            (line.firstMatch(of: /^\{"id":"(\d+)-/)?.1).flatMap { Int($0) }
        }
    }

    @Test("shows what is changed after a crash and restart, and nothing twice")
    func crash() async throws {
        try await withRedis("--appendonly", "yes", "--appendfsync", "always") { server in
            let worker = try await worker(server)
            try await add(server, "before")
            try await eventually("it came") { worker.lines.count == 1 }
            await server.crash()
            try await server.start()
            try await add(server, "after")
            try await eventually("it came") { worker.lines.count >= 2 }
            #expect(versions(worker) == [1, 2])
            await worker.stop()
        }
    }

    @Test("misses nothing of what is written while its connections are cut again and again")
    func cut() async throws {
        try await withRedis { server in
            let worker = try await worker(server)
            let writer = Task {
                for number in 1...200 { try await add(server, "\(number)") }
            }
            for _ in 0..<8 {
                let before = worker.lines.count
                try await eventually("writes go on") { worker.lines.count > before || versions(worker).last == 200 }
                try await server.cli("CLIENT", "KILL", "TYPE", "pubsub")
            }
            try await writer.value
            try await eventually("all came") { worker.lines.count >= 200 }
            #expect(versions(worker) == Array(1...200))
            await worker.stop()
        }
    }

    @Test("tells to start over when the data are gone")
    func flushed() async throws {
        try await withRedis { server in
            let worker = try await worker(server)
            for content in ["a", "b"] { try await add(server, content) }
            try await eventually("both came") { worker.lines.count == 2 }
            try await server.cli("FLUSHALL")
            try await add(server, "anew")
            try await eventually("it starts over") { worker.lines.contains(#"{"type":"reset","uid":"alice"}"#) }
            try await add(server, "next")
            try await eventually("it goes on") { versions(worker).last == 2 && worker.lines.count >= 4 }
            await worker.stop()
        }
    }

    @Test("brings the functions back when they were flushed")
    func functions() async throws {
        try await withRedis { server in
            let worker = try await worker(server)
            try await server.cli("FUNCTION", "FLUSH")
            let outcome = try await Program.run("todomate", ["add", "alice", "x", "--redis", "unix://\(server.url)"])
            #expect(outcome.ending == .exit(0))
            try await eventually("it came") { worker.lines.count == 1 }
            await worker.stop()
        }
    }
}
