import EventLoop
import Foundation
import TestServers
import Testing

/// The sample package that depends on this one as any other package would; `scripts/test` builds it.
@Suite("The examples")
@LoopActor
struct ExampleTests {
    /// Runs `body` with a started example; its output comes line by line.
    private func withExample(
        _ name: String,
        on server: RedisServer,
        body: @LoopActor (RunningProgram) async throws -> Void
    ) async throws {
        let program = try RunningProgram(
            "stdbuf",
            ["-oL", "\(Checkout.examplePrograms)/\(name)"],
            environment: ["TODOMATE_REDIS": "unix://\(server.url)"]
        )
        do {
            try await body(program)
        } catch {
            await program.stop()
            throw error
        }
        await program.stop()
    }

    @Test("write a todo and observe it, and what others write")
    func feed() async throws {
        try await withRedis { server in
            try await withExample("TodoFeed", on: server) { feed in
                try await eventually("it sees its own writes") { feed.lines.count == 2 }
                let todo = "{\"content\":\"by redis-cli\",\"date\":\"2026-11-20\"}"
                try await server.cli("FCALL", "todomate_add", "1", "todomate:{alice}", todo)
                try await server.cli("FCALL", "todomate_add", "1", "todomate:{bob}", todo)
                try await server.cli("FCALL", "todomate_remove", "1", "todomate:{alice}", "no-such")
                try await eventually("it sees another's") { feed.lines.count == 3 }
                #expect(
                    feed.lines == ["added: Buy milk", "now complete: Buy milk", "added: by redis-cli"],
                    "\(feed.errors)"
                )
            }
        }
    }

    @Test("post an event, and hear each other's")
    func thermometer() async throws {
        try await withRedis { server in
            try await withExample("Thermometer", on: server) { first in
                try await eventually("it hears its own") { first.lines == ["Seoul: 21.0 °C"] }
                try await withExample("Thermometer", on: server) { second in
                    try await eventually("both hear the second") { first.lines.count == 2 && second.lines.count == 1 }
                    try await server.cli("PUBLISH", "todomate:shared:weather:seoul", "{\"celsius\":-3.5}")
                    try await eventually("both hear redis-cli") {
                        [first, second].allSatisfy { $0.lines.last == "Seoul: -3.5 °C" }
                    }
                }
            }
        }
    }

    @Test("sign in once, go on without a network, and send what waited, on the main thread's loop")
    func pocket() async throws {
        try await withRedis { server in
            for uid in ["alice", "bob"] {
                let script = "echo long-enough-for-all | \(Program.builtPrograms.path)/todomate user add \(uid)"
                let made = try await Program.run("sh", ["-c", script], environment: ["TODOMATE_REDIS": server.address])
                #expect(made.ending == .exit(0), "\(made.errors)")
            }
            @LoopActor
            func todomate(_ words: String...) async throws -> String {
                let outcome = try await Program.run("todomate", words, environment: ["TODOMATE_REDIS": server.address])
                #expect(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
                return outcome.output
            }
            _ = try await todomate("profile", "bob", "--audience", "public", "--visibility", "public")
            _ = try await todomate("follow", "bob", "alice")
            _ = try await todomate("follow", "alice", "bob")
            _ = try await todomate("add", "bob", "his", "--id", "his")
            _ = try await todomate("done", "bob", "his")
            let port = try freePort()
            let folder = server.folder.appending(path: "pocket").path
            @LoopActor
            func worker() async throws -> RunningProgram {
                let worker = try RunningProgram(
                    "todomate",
                    ["worker", "--redis", server.address, "--listen", "127.0.0.1:\(port)"],
                    environment: ["TODOMATE_SECRET": "the-secret-of-the-documentation-tests"]
                )
                try await eventually("the worker is ready") { worker.errors.contains("message=ready") }
                return worker
            }
            @LoopActor
            func pocket(_ content: String, password: String = "") async throws -> String {
                let outcome = try await Program.run(
                    "\(Checkout.appPrograms)/Pocket",
                    ["alice", content],
                    environment: [
                        "TODOMATE_SERVER": "http://127.0.0.1:\(port)", "POCKET_FOLDER": folder,
                        "TODOMATE_PASSWORD": password,
                    ]
                )
                #expect(outcome.ending == .exit(0), "\(outcome.errors)")
                return outcome.output
            }
            let first = try await worker()
            let online = try await pocket("Buy milk", password: "long-enough-for-all")
            #expect(online.hasPrefix("Buy milk\nall is at the server\n"), "\(online)")
            #expect(online.contains("bob has finished: his\n"), "\(online)")
            #expect(try await todomate("followers", "alice").contains("bob"), "accepted")
            await first.stop()
            let offline = try await pocket("Buy bread")
            #expect(offline == "Buy milk, Buy bread\n1 waits for the network\n")
            let second = try await worker()
            // One session, begun once.
            #expect(try await pocket("Buy tea").contains("all is at the server"))
            let list = try await todomate("list", "alice")
            for content in ["Buy milk", "Buy bread", "Buy tea"] { #expect(list.contains(content)) }
            #expect(try await todomate("session", "list", "alice").split(separator: "\n").count == 1)
            await second.stop()
        }
    }

    @Test(
        "of the articles print what they should",
        arguments: [
            ("Serving", "alice's list has it\n"), ("RepeatedWrite", "true true\n"),
            ("WritingAnObserver", "1 open\n+ Buy milk\n2 open\n~ Buy milk\n1 open\n1 open\n"),
            (
                "GettingStarted",
                "The list shows: [\"Buy milk\"]\nRefused: the todo is now at revision 1: read it again and retry\n"
            ),
        ]
    )
    func snippets(_ name: String, _ expected: String) async throws {
        let outcome = try await Program.run(name, [])
        #expect(outcome.output == expected, "\(outcome.errors)")
        #expect(outcome.ending == .exit(0))
    }

    @Test("of Redis alone count, publish and hear")
    func redis() async throws {
        try await withRedis { server in
            for visit in 1...2 {
                let outcome = try await Program.run("CommandsAndChannels", ["unix://\(server.url)"])
                #expect(outcome.output == "subscribed to news\nnews: visit \(visit)\n", "\(outcome.errors)")
            }
        }
    }
}
