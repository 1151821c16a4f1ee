import EventLoop
import Foundation
import TestServers
import Testing

@Suite("todomate watch")
@LoopActor
struct WatchTests {
    /// Runs `body` with a function that returns what a terminal of 80 by 24 shows while this command runs in it.
    private func withTerminal(
        _ command: String,
        body: @LoopActor (@LoopActor () async throws -> String) async throws -> Void
    ) async throws {
        let socket = FileManager.default.temporaryDirectory.appending(path: "tmux-\(UUID().uuidString.prefix(8))").path
        let shell = "exec \(Program.builtPrograms.path)/\(command)"
        let tmux = ["-u", "-S", socket, "-f", "/dev/null"]
        let server = try RunningProgram("tmux", tmux + ["-D"])
        try await eventually("tmux listens") { FileManager.default.fileExists(atPath: socket) }
        _ = try await Program.run("tmux", tmux + ["new-session", "-d", "-x", "80", "-y", "24", shell])
        do {
            try await body { try await Program.run("tmux", tmux + ["capture-pane", "-p"]).output }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        try? FileManager.default.removeItem(atPath: socket)
    }

    @Test("draws one user's day beside the month and follows, with wide letters in place")
    func board() async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "우유 사기 🥛", "--id", "t1")
            try await withTerminal("todomate watch alice --redis unix://\(server.url)") { screen in
                try await eventually("it shows the todo") { try await screen().contains("우유 사기 🥛") }
                _ = try await server.todomate("done", "alice", "t1")
                _ = try await server.todomate("add", "alice", "second", "--id", "t2")
                _ = try await server.todomate("add", "bob", "not for alice")
                try await eventually("it follows") { try await screen().contains("second") }
                let shown = try await screen()
                #expect(!shown.contains("not for alice"))
                #expect(shown.contains("Mo") && shown.contains("Su"), "the month stands beside the day:\n\(shown)")
                for id in ["t1", "t2"] { _ = try await server.todomate("remove", "alice", id) }
                try await eventually("removed todos leave") {
                    let now = try await screen()
                    return !now.contains("second") && !now.contains("우유")
                }
            }
        }
    }

    @Test("draws a list a user side by side, each with its own user's todos")
    func sideBySide() async throws {
        try await withRedis { server in
            try await withTerminal("todomate watch alice bob --redis unix://\(server.url)") { screen in
                _ = try await server.todomate("add", "alice", "for alice")
                _ = try await server.todomate("add", "bob", "for bob")
                try await eventually("both follow") {
                    let shown = try await screen()
                    return shown.contains("for alice") && shown.contains("for bob")
                }
                let lines = try await screen().split(separator: "\n").map(String.init)
                let both = try #require(lines.first { $0.contains("for alice") && $0.contains("for bob") })
                let names = try #require(lines.first { $0.contains("alice") && $0.contains("bob") })
                let column = { (line: String, word: String) in line.components(separatedBy: word)[0].count }
                #expect(column(names, "bob") <= column(both, "for bob"))
                #expect(column(both, "for alice") < column(names, "bob"))
            }
        }
    }

    @Test("writes plain lines when nobody looks at a terminal")
    func plainLines() async throws {
        try await withRedis { server in
            _ = try await server.todomate("add", "alice", "there already")
            let watch = try RunningProgram("todomate", ["watch", "alice", "bob", "--redis", "unix://\(server.url)"])
            try await eventually("it lists") { watch.lines.count == 1 }
            _ = try await server.todomate("add", "bob", "live")
            try await eventually("it follows") { watch.lines.count == 2 }
            #expect(watch.lines[0].hasPrefix("alice  today") && watch.lines[0].hasSuffix("there already"))
            #expect(watch.lines[1].hasPrefix("bob  added") && watch.lines[1].hasSuffix("live"))
            let ending = await watch.stop()
            #expect(ending == .exit(0))
        }
    }
}
