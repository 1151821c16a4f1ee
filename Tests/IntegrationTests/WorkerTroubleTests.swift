import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A worker in trouble")
@LoopActor
struct WorkerTroubleTests {
    @Test("says that it may not subscribe, is not ready, and follows once it may", arguments: RedisKind.allCases)
    func refusedSubscription(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await server.cli("ACL", "SETUSER", "wim", "on", ">secret", "~*", "+@all", "resetchannels")
            let url =
                server.isCluster
                ? server.address.replacing("://", with: "://wim:secret@")
                : "\(server.address)?user=wim&password=secret"
            let port = try freePort()
            let options = ["worker", "--redis", url, "--observe", "alice", "--listen", "127.0.0.1:\(port)"]
            let worker = try RunningProgram("todomate", options)
            func readiness() async throws -> String {
                try await Program.run("curl", ["-s", "-m", "60", "http://127.0.0.1:\(port)/readyz"]).output
            }
            try await eventually("it says so") { try await readiness().contains("NOPERM") }
            #expect(worker.errors.contains("no changes are received at the moment"))
            try await server.cli("ACL", "SETUSER", "wim", "allchannels")
            try await eventually("it is ready") { try await readiness() == "ready\n" }
            try await eventually("it observes") { worker.errors.contains("message=observing") }
            try await server.add("alice", "milk")
            try await eventually("it follows") { worker.output.contains("milk") }
            await worker.stop()
        }
    }

    @Test(
        "goes on behind an entry of the log that is no change, and tells its observers to start over",
        arguments: RedisKind.allCases
    )
    func foreignEntry(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                try await server.add("alice", "one")
                try await eventually("it came") { worker.lines.count == 1 }
                try await server.cli("XADD", "todomate:{alice}:log", "*", "foo", "bar")
                try await server.add("alice", "two")
                try await eventually("it starts over") { worker.lines.contains(resetLine("alice")) }
                try await server.add("alice", "three")
                try await eventually("it goes on") { worker.output.contains("three") }
                #expect(worker.errors.contains("the log of changes cannot be read"))
            }
        }
    }

    @Test("says once that a log cannot be read at all, and follows when it can be", arguments: RedisKind.allCases)
    func noLog(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await server.cli("SET", "todomate:{alice}:log", "x")
            let worker = try RunningProgram("todomate", ["worker", "--redis", server.address, "--observe", "alice"])
            let message = "the log of changes cannot be read"
            try await eventually("it says so") { worker.errors.contains(message) }
            #expect(!worker.errors.contains("message=observing"))
            try await server.cli("DEL", "todomate:{alice}:log")
            try await eventually("it observes") { worker.errors.contains("message=observing") }
            #expect(worker.errors.components(separatedBy: message).count == 2)
            await worker.stop()
        }
    }

    @Test(
        "is not held up by a reader of its output who stalls, and tells it to start over",
        arguments: RedisKind.allCases
    )
    func stalledReader(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let pipe = server.folder.path + "/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            let words = "worker --redis \(server.address) --observe alice --json --listen 127.0.0.1:\(try freePort())"
            let line = "exec \(Program.builtPrograms.path)/todomate \(words) > \(pipe)"
            let worker = try RunningProgram("sh", ["-c", line])
            try await eventually("it observes") { worker.errors.contains("message=observing") }
            // A pipe holds 64 KiB, and the worker keeps another MiB for its reader.
            let detail = String(repeating: "x", count: 10_000)
            for number in 1...150 {
                let todo = "{\"id\":\"t\(number)\",\"content\":\"x\",\"detail\":\"\(detail)\",\"date\":\"2026-11-20\"}"
                try await server.call("todomate_add", "alice", todo)
            }
            let url = try #require(worker.errors.firstMatch(of: /message=listening host=(\S+) port=(\d+)/))
            let health = try await Program.run("curl", ["-s", "-m", "60", "http://\(url.1):\(url.2)/healthz"])
            #expect(health.output == "alive\n")
            var output = ""
            try await eventually("it tells to start over") {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = read(reader, &bytes, bytes.count)
                if count > 0 { output += String(decoding: bytes.prefix(count), as: UTF8.self) }
                return output.contains(resetLine("alice"))
            }
            // What came before that came whole and in order.
            let versions = output.matches(of: /(?m)^\{"id":"(\d+)-/).compactMap { Int($0.1) }
            #expect(versions == Array(1...versions.count) && versions.count < 150)
            let ending = await worker.stop()
            #expect(ending == .exit(0))
        }
    }
}
