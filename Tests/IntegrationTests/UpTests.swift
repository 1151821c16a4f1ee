import EventLoop
import Foundation
import TestServers
import Testing

@Suite("todomate up", .serialized)
@LoopActor
struct UpTests {
    /// Runs `body` while `todomate up` runs in a fresh folder; hands over the program, the Redis port and the folder.
    private func withUp(
        in folder: URL? = nil,
        _ body: @LoopActor (RunningProgram, String) async throws -> Void
    ) async throws {
        let data =
            folder
            ?? FileManager.default.temporaryDirectory.appending(path: "todomate-up-\(UUID().uuidString.prefix(8))")
        let up = try RunningProgram("todomate", ["up", "--data", data.path, "--port", "17379", "--http-port", "18080"])
        try await eventually("both workers observe") {
            up.errors.components(separatedBy: "message=observing").count == 3
        }
        let port = up.output.firstMatch(of: /redis-cli -p (\d+)/).map { String($0.1) } ?? ""
        do {
            try await body(up, port)
        } catch {
            await up.stop()
            throw error
        }
        await up.stop()
        if folder == nil { try? FileManager.default.removeItem(at: data) }
    }

    private func cli(_ port: String, _ arguments: String...) async throws -> String {
        try await Program.run("redis-cli", ["-p", port] + arguments).output.trimmingCharacters(in: .newlines)
    }

    private func add(_ port: String, _ content: String) async throws {
        _ = try await cli(
            port,
            "FCALL",
            "todomate_add",
            "1",
            "todomate:{alice}",
            "{\"content\":\"\(content)\",\"date\":\"2026-11-20\"}"
        )
    }

    @Test("prints lines that work when pasted, and its workers follow them")
    func banner() async throws {
        try await withUp { up, _ in
            let lines = up.lines.filter { $0.contains("redis-cli") && !$0.contains("SUBSCRIBE") }
            #expect(lines.count == 3)
            for line in lines {
                let outcome = try await Program.run("sh", ["-c", line])
                #expect(
                    outcome.ending == .exit(0) && !outcome.output.contains("ERR")
                        && !outcome.output.contains("TODOMATE_")
                )
            }
            for worker in ["worker-1", "worker-2"] {
                try await eventually("\(worker) follows") {
                    up.lines.filter { $0.hasPrefix(worker) }.map { $0.suffix(8) } == ["Buy milk", "      hi"]
                }
            }
        }
    }

    @Test("starts again what dies, and loses nothing")
    func restarts() async throws {
        try await withUp { up, port in
            try await add(port, "one")
            let children = try await Program.run("pgrep", ["-P", String(await up.pid)]).output.split(separator: "\n")
            #expect(children.count == 3)
            for child in children { kill(try #require(Int32(child)), SIGKILL) }
            try await eventually("all three are back") {
                up.errors.components(separatedBy: "message=observing").count == 5
                    && up.errors.components(separatedBy: "starting it again").count == 4
            }
            try await add(port, "two")
            try await eventually("both workers show it") { up.lines.filter { $0.hasSuffix("two") }.count == 2 }
            #expect(try await cli(port, "XLEN", "todomate:{alice}:log") == "2")
        }
    }

    @Test("ends everything on Ctrl-C, and finds the todos again")
    func restartsWithData() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-up-\(UUID().uuidString.prefix(8))"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withUp(in: folder) { up, port in
            try await add(port, "kept")
            let children = try await Program.run("pgrep", ["-P", String(await up.pid)]).output.split(separator: "\n")
            await up.signal(SIGINT)
            #expect(await up.waitUntilEnded() == .exit(0))
            for child in children { #expect(kill(try #require(Int32(child)), 0) == -1) }
        }
        try await withUp(in: folder) { _, port in
            let list = try await cli(port, "FCALL_RO", "todomate_list", "1", "todomate:{alice}")
            #expect(list.contains("\"kept\""))
        }
    }

    @Test("leaves a port that is taken alone, and a folder that is in use")
    func taken() async throws {
        try await withUp { first, port in
            try await withUp { _, other in #expect(other != port) }
            let data = try #require(first.output.firstMatch(of: /kept in (\S+)\./)).1
            let second = try await Program.run("todomate", ["up", "--data", String(data)])
            #expect(second.ending == .exit(69))
            #expect(second.errors.contains("another 'todomate up' runs"))
            #expect(try await cli(port, "PING") == "PONG")
        }
    }
}
