import EventLoop
import Foundation
import TestServers
import Testing

/// A folder for the data of `todomate up`, removed with this object.
final class DataFolder {
    let url: URL

    init(_ name: String = "data") {
        url = FileManager.default.temporaryDirectory.appending(
            path: "todomate-up-\(UUID().uuidString.prefix(8))/\(name)"
        )
    }

    deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
}

/// A `todomate up` that runs, and its Redis.
struct Up {
    let program: RunningProgram
    let folder: URL

    /// The path of its Redis's socket.
    var socket: String { folder.appending(path: "redis.sock").path }

    /// The port of its Redis, as its banner says.
    var port: Int? {
        program.output.firstMatch(of: /Redis listens on 127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
    }

    /// The password of its Redis; nothing where it has none.
    var password: String {
        let text = try? String(contentsOf: folder.appending(path: "password"), encoding: .utf8)
        return text?.trimmingCharacters(in: .newlines) ?? ""
    }

    /// Runs redis-cli on the socket.
    func cli(_ arguments: String...) async throws -> String {
        let login = password.isEmpty ? [:] : ["REDISCLI_AUTH": password]
        let outcome = try await Program.run("redis-cli", ["-s", socket] + arguments, environment: login)
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    func add(_ content: String) async throws {
        let todo = "{\"content\":\"\(content)\",\"date\":\"2026-11-20\"}"
        let answer = try await cli("FCALL", "todomate_add", "1", "todomate:{alice}", todo)
        #expect(answer.hasPrefix("{"))
    }

    /// What the workers printed of these contents: who and what.
    func shown(_ contents: String...) -> [String] {
        program.lines.filter { line in contents.contains { line.hasSuffix("  \($0)") } }.map { line in
            let words = line.split(separator: " ")
            return "\(words[0]) \(words[words.count - 1])"
        }.sorted()
    }

    /// The numbers of its redis-server and its workers; Linux keeps them by thread.
    var children: [String: [Int32]] {
        get async throws {
            let tasks = "/proc/\(await program.pid)/task"
            var children: [String: [Int32]] = [:]
            for thread in try FileManager.default.contentsOfDirectory(atPath: tasks) {
                let numbers = try String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)
                for number in numbers.split(separator: " ").compactMap({ Int32($0) }) {
                    let name = (try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)) ?? "gone"
                    children[name.trimmingCharacters(in: .newlines), default: []].append(number)
                }
            }
            // A sanitizer's own helper, which it starts to look names up.
            children["llvm-symbolizer"] = nil
            return children
        }
    }

    /// Waits until Redis has handed its file all that it answered: with `appendfsync everysec` it answers first where the
    /// disk is slow, and loses what it has answered if it is killed then.
    func waitUntilWritten() async throws {
        try await eventually("the file has it all") {
            try await cli("INFO", "persistence").contains("aof_buffer_length:0\r")
        }
    }

    func log(_ message: String) -> Int { program.errors.components(separatedBy: message).count - 1 }
}

/// Runs `body` while `todomate up` runs and its workers follow; ends it afterwards.
@LoopActor
func withUp(
    in folder: DataFolder,
    workers: Int = 2,
    _ options: String...,
    environment: [String: String] = [:],
    body: @LoopActor (Up) async throws -> Void
) async throws {
    try await withUp(in: folder, workers: workers, options: options, environment: environment, body: body)
}

/// The same with options that are not counted beforehand.
@LoopActor
func withUp(
    in folder: DataFolder,
    workers: Int = 2,
    options: [String],
    environment: [String: String] = [:],
    body: @LoopActor (Up) async throws -> Void
) async throws {
    let words = ["up", "--data", folder.url.path, "--http-port", String(try freePort())] + options
    let program = try RunningProgram("todomate", words, environment: environment)
    do {
        try await eventually("all workers observe") {
            program.errors.components(separatedBy: "message=observing").count == workers + 1
        }
        try await body(Up(program: program, folder: folder.url))
    } catch {
        await program.stop()
        throw error
    }
    let ending = await program.stop()
    #expect(ending == .exit(0))
}

@Suite("todomate up", .serialized)
@LoopActor
struct UpTests {
    @Test("prints lines that work when pasted, and its workers follow them")
    func banner() async throws {
        try await withUp(in: DataFolder()) { up in
            let lines = up.program.lines.filter { $0.contains(" -s \(up.socket) ") || $0.contains("curl") }
            #expect(lines.count == 5)
            // Those that go on listening first, so that they hear the others.
            let listeners = lines.filter { $0.contains(" SUBSCRIBE ") || $0.contains("curl -N ") }
            let shells = try listeners.map { try RunningProgram("sh", ["-c", "exec \($0)"]) }
            for shell in shells { try await eventually("it listens") { !shell.output.isEmpty } }
            for line in lines where !listeners.contains(line) {
                let outcome = try await Program.run("sh", ["-c", line])
                #expect(outcome.ending == .exit(0) && outcome.errors == "")
                #expect(!outcome.output.contains("ERR") && !outcome.output.contains("TODOMATE_"), "\(outcome.output)")
            }
            let shown = ["worker-1 hi", "worker-1 milk", "worker-2 hi", "worker-2 milk"]
            try await eventually("the workers follow") { up.shown("Buy milk", "hi").count >= 4 }
            #expect(up.shown("Buy milk", "hi") == shown)
            for shell in shells {
                try await eventually("it heard both") {
                    shell.output.contains("Buy milk") && shell.output.contains("\"hi\"")
                }
                await shell.stop()
            }
        }
    }

    @Test("starts again what is killed, and shows every change once", arguments: ["redis-server", "todomate", "all"])
    func restarts(_ victim: String) async throws {
        try await withUp(in: DataFolder()) { up in
            try await up.add("before")
            try await eventually("both show it") { up.shown("before").count == 2 }
            try await up.waitUntilWritten()
            let before = try await up.children
            #expect(before["redis-server"]?.count == 1 && before["todomate"]?.count == 2, "\(before)")
            let victims =
                switch victim {
                case "all": before.values.flatMap { $0 }
                case "todomate": Array(before["todomate"]?.prefix(1) ?? [])
                default: before[victim] ?? []
                }
            for number in victims { kill(number, SIGKILL) }
            let lostWorkers = victims.count { before["todomate"]?.contains($0) == true }
            try await eventually("all are back") {
                up.log("starting it again") == victims.count && up.log("message=observing") == 2 + lostWorkers
            }
            // Redis reads its file again first.
            try await eventually("Redis answers") { try await up.cli("PING") == "PONG" }
            try await up.add("after")
            try await eventually("both show it") { up.shown("after").count >= 2 }
            #expect(up.shown("before", "after").count == 4, "none twice")
            #expect(up.shown("after") == ["worker-1 after", "worker-2 after"])
            let changes = try await up.cli("XLEN", "todomate:{alice}:log")
            #expect(changes == "2")
            let after = try await up.children
            for (name, numbers) in before {
                let untouched = Set(numbers).subtracting(victims)
                #expect(untouched.isSubset(of: after[name] ?? []), "what was not killed goes on")
                #expect(after[name]?.count == numbers.count)
            }
        }
    }

    @Test("ends everything when told to, and finds the todos again", arguments: [SIGINT, SIGTERM])
    func ends(_ signal: Int32) async throws {
        let folder = DataFolder()
        var children: [Int32] = []
        try await withUp(in: folder) { up in
            try await up.add("kept")
            children = try await up.children.values.flatMap { $0 }
            #expect(children.count == 3)
            await up.program.signal(signal)
            let ending = await up.program.waitUntilEnded()
            #expect(ending == .exit(0))
            for child in children { #expect(kill(child, 0) == -1) }
        }
        try await withUp(in: folder) { up in
            let list = try await up.cli("FCALL_RO", "todomate_list", "1", "todomate:{alice}")
            #expect(list.contains("\"kept\""))
            try await up.add("more")
            let changes = try await up.cli("XLEN", "todomate:{alice}:log")
            #expect(changes == "2")
        }
    }

    @Test("leaves no process behind even when it is killed, and starts again in the same folder")
    func killed() async throws {
        let folder = DataFolder()
        let words = ["up", "--data", folder.url.path, "--http-port", String(try freePort())]
        let program = try RunningProgram("todomate", words)
        try await eventually("it is up") { program.errors.components(separatedBy: "message=observing").count == 3 }
        let up = Up(program: program, folder: folder.url)
        try await up.add("kept")
        try await up.waitUntilWritten()
        let children = try await up.children.values.flatMap { $0 }
        await program.signal(SIGKILL)
        await program.waitUntilEnded()
        try await eventually("all are gone") { children.allSatisfy { kill($0, 0) == -1 } }
        try await withUp(in: folder) { up in
            let changes = try await up.cli("XLEN", "todomate:{alice}:log")
            #expect(changes == "1")
        }
    }

    @Test("runs as many workers for as many users as are asked for")
    func options() async throws {
        try await withUp(in: DataFolder(), workers: 4, "--workers", "4", "--observe", "carol,alice") { up in
            #expect(up.program.output.contains("4 workers") && up.program.output.contains("todomate:{carol}"))
            try await up.add("milk")
            try await eventually("all show it") { up.shown("milk").count == 4 }
            #expect(up.shown("milk") == (1...4).map { "worker-\($0) milk" })
        }
    }
}
