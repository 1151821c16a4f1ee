import EventLoop
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
