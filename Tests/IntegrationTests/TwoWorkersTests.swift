import EventLoop
import Foundation
import TestServers
import Testing

@Suite("Workers on one Redis")
@LoopActor
struct TwoWorkersTests {
    private func worker(_ server: RedisServer, _ options: [String]) async throws -> RunningProgram {
        let worker = try RunningProgram("todomate", ["worker", "--redis", "unix://\(server.url)"] + options)
        try await eventually("the worker observes") { worker.errors.contains("message=observing") }
        return worker
    }

    private func todomate(_ server: RedisServer, _ arguments: String...) async throws -> Program.Outcome {
        try await Program.run("todomate", arguments, environment: ["TODOMATE_REDIS": "unix://\(server.url)"])
    }

    @Test("print every change of the users they observe, whoever writes it, and none of anybody else")
    func follow() async throws {
        try await withRedis { server in
            let workers = [
                try await worker(server, ["--observe", "alice,bob"]),
                try await worker(server, ["--observe", "alice,bob"]),
                try await worker(server, ["--observe", "bob"]),
            ]
            try await server.cli(
                "FCALL",
                "todomate_add",
                "1",
                "todomate:{alice}",
                #"{"id":"t1","content":"milk","date":"2026-11-20"}"#
            )
            try await server.cli("FCALL", "todomate_update", "1", "todomate:{alice}", "t1", #"{"status":"complete"}"#)
            let plain = #"{"type":"added","todo":{"id":"p1","uid":"alice","date":"2026-11-20","content":"plain"}}"#
            try await server.cli("PUBLISH", "todomate:{alice}:changes", plain)
            for arguments in [
                ["add", "alice", "bread", "--date", "2026-11-21", "--id", "t2"],
                ["edit", "alice", "t2", "--content", "rye"],
                ["start", "alice", "t2"], ["done", "alice", "t2"], ["reopen", "alice", "t2"],
                ["move", "alice", "t2", "--date", "2026-11-20"], ["move", "alice", "t2", "--before", "t1"],
                ["remove", "alice", "t2", "--expect", "9"],
            ] {
                let outcome = try await Program.run(
                    "todomate",
                    arguments,
                    environment: ["TODOMATE_REDIS": "unix://\(server.url)"]
                )
                #expect(outcome.ending == .exit(0), "\(arguments): \(outcome.errors)")
            }
            try await server.cli(
                "FCALL",
                "todomate_add",
                "1",
                "todomate:{bob}",
                #"{"content":"bob's","date":"2026-11-20"}"#
            )
            let alice = [
                "alice  added     2026-11-20  todo        milk", "alice  modified  2026-11-20  complete    milk",
                "alice  added     2026-11-20  todo        plain", "alice  added     2026-11-21  todo        bread",
                "alice  modified  2026-11-21  todo        rye", "alice  modified  2026-11-21  inProgress  rye",
                "alice  modified  2026-11-21  complete    rye", "alice  modified  2026-11-21  todo        rye",
                "alice  modified  2026-11-20  todo        rye", "alice  modified  2026-11-20  todo        rye",
                "alice  removed   2026-11-20  todo        rye",
            ]
            let bob = ["bob  added     2026-11-20  todo        bob's"]
            for (worker, lines) in zip(workers, [alice + bob, alice + bob, bob]) {
                try await eventually("bob's change came") { worker.lines.contains(bob[0]) }
                #expect(worker.lines == lines)
                #expect(await worker.stop() == .exit(0))
            }
        }
    }

    @Test("print the messages themselves for machines")
    func json() async throws {
        try await withRedis { server in
            let worker = try await worker(server, ["--observe", "alice", "--json"])
            for number in 1...20 {
                try await server.cli(
                    "FCALL",
                    "todomate_add",
                    "1",
                    "todomate:{alice}",
                    "{\"content\":\"한 \(number)\",\"date\":\"2026-11-20\"}"
                )
            }
            try await eventually("all came") { worker.lines.count == 20 }
            let log = try await server.cli("--json", "FCALL_RO", "todomate_since", "1", "todomate:{alice}", "0-0")
            let messages = try JSONDecoder().decode([String].self, from: Data(log.utf8))
            #expect(worker.lines == messages)
            await worker.stop()
        }
    }

    @Test(
        "drop what is no valid message, say why, and go on",
        arguments: [
            ("not json", "not JSON"), (#"{"type":"added","todo":{"id":"t"#, "not JSON"), ("", "not JSON"),
            (
                #"{"type":"added","todo":{"id":"t","uid":"bob","date":"2026-11-20","content":"x"}}"#,
                "uid is not the channel's"
            ),
            (#"{"type":"burnt","todo":{"id":"t","uid":"alice","date":"2026-11-20","content":"x"}}"#, "'type'"),
            (#"{"type":"added","todo":{"id":"t","uid":"alice","content":"x"}}"#, "'date' is missing"),
            (
                "{\"type\":\"added\",\"todo\":{\"id\":\"t\",\"uid\":\"alice\",\"date\":\"2026-11-20\",\"content\":\"a\nb\"}}",
                "not JSON"
            ),
            (
                #"{"id":"99-99","type":"added","todo":{"id":"t","uid":"alice","date":"2026-11-20","content":"x"}}"#,
                "not in the user's log"
            ),
        ]
    )
    func refuse(_ message: String, _ reason: String) async throws {
        try await withRedis { server in
            let worker = try await worker(server, ["--observe", "alice"])
            try await server.cli("PUBLISH", "todomate:{alice}:changes", message)
            try await server.cli(
                "FCALL",
                "todomate_add",
                "1",
                "todomate:{alice}",
                #"{"content":"after","date":"2026-11-20"}"#
            )
            try await eventually("the next change came") { worker.lines.count == 1 }
            #expect(worker.lines == ["alice  added     2026-11-20  todo        after"])
            try await eventually("the reason is logged") { worker.errors.contains(reason) }
            await worker.stop()
        }
    }

    @Test("drop a megabyte and invalid UTF-8, and take no notice of extra fields")
    func refuseBytes() async throws {
        try await withRedis { server in
            let worker = try await worker(server, ["--observe", "alice"])
            let publish = "redis-cli -s \(server.url) -x PUBLISH 'todomate:{alice}:changes'"
            for source in ["head -c 1000000 /dev/zero | tr '\\0' 'x'", #"printf '{"type":"added","todo":\377}'"#] {
                #expect(try await Program.run("sh", ["-c", "\(source) | \(publish)"]).output == "1\n")
            }
            let extra =
                #"{"x":[1],"type":"added","todo":{"y":{},"id":"t","uid":"alice","date":"2026-11-20","content":"extra"}}"#
            try await server.cli("PUBLISH", "todomate:{alice}:changes", extra)
            try await eventually("the last one came") { worker.lines.count == 1 }
            #expect(worker.errors.contains("1000000 bytes") && worker.errors.contains("not UTF-8"))
            await worker.stop()
        }
    }

    @Test("wait for a Redis that comes later")
    func waits() async throws {
        let server = try RedisServer()
        let worker = try RunningProgram(
            "todomate",
            ["worker", "--redis", "unix://\(server.url)", "--observe", "alice"]
        )
        try await eventually("it waits") { worker.errors.contains("waiting for Redis") }
        try await server.start()
        try await eventually("it observes") { worker.errors.contains("message=observing") }
        #expect(try await todomate(server, "add", "alice", "x").ending == .exit(0))
        try await eventually("the change came") { worker.lines.count == 1 }
        #expect(await worker.stop() == .exit(0))
        await server.stop()
    }

    @Test("subscribe to the users they observe, and to nobody else")
    func channels() async throws {
        try await withRedis { server in
            let users = (0..<50).map { "user\($0)" }
            let worker = try await worker(server, ["--observe", users.joined(separator: ",")])
            let channels = try await server.cli("PUBSUB", "CHANNELS").split(separator: "\n").map(String.init)
            #expect(Set(channels) == Set(users.map { "todomate:{\($0)}:changes" }))
            await worker.stop()
            try await eventually("Redis forgets them") { try await server.cli("PUBSUB", "CHANNELS") == "" }
        }
    }
}
