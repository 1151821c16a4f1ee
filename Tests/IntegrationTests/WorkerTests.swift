import EventLoop
import Foundation
import TestServers
import Testing

@Suite("Workers")
@LoopActor
struct WorkerTests {
    private nonisolated static let plain =
        #"{"type":"added","todo":{"id":"p1","uid":"alice","date":"2026-11-20","content":"plain"}}"#

    /// What is typed, and the line that each worker observing alice prints of it.
    private nonisolated static let session: [(words: [String], line: String)] = [
        (
            ["todomate_add", #"{"id":"t1","content":"milk","date":"2026-11-20"}"#],
            "alice  added     2026-11-20  todo        milk"
        ),
        (
            ["todomate_update", "t1", #"{"status":"incomplete"}"#, "1"],
            "alice  modified  2026-11-20  incomplete  milk"
        ),
        (["publish", plain], "alice  added     2026-11-20  todo        plain"),
        (["todomate_remove", "t1"], "alice  removed   2026-11-20  incomplete  milk"),
        (
            ["add", "alice", "빵 \u{1F35E} \"rye\"", "--date", "2026-11-21", "--id", "t2"],
            "alice  added     2026-11-21  todo        빵 \u{1F35E} \"rye\""
        ),
        (["edit", "alice", "t2", "--content", "rye"], "alice  modified  2026-11-21  todo        rye"),
        (["start", "alice", "t2"], "alice  modified  2026-11-21  inProgress  rye"),
        (["done", "alice", "t2"], "alice  modified  2026-11-21  complete    rye"),
        (["reopen", "alice", "t2"], "alice  modified  2026-11-21  todo        rye"),
        (["move", "alice", "t2", "--date", "2026-11-22"], "alice  modified  2026-11-22  todo        rye"),
        (
            ["add", "alice", "tea", "--date", "2026-11-22", "--id", "t3"],
            "alice  added     2026-11-22  todo        tea"
        ),
        (["move", "alice", "t3", "--before", "t2"], "alice  modified  2026-11-22  todo        tea"),
        (["remove", "alice", "t2"], "alice  removed   2026-11-22  todo        rye"),
    ]

    @Test(
        "print each change of their users exactly once, whoever wrote it, and none of anybody else",
        arguments: RedisKind.allCases
    )
    func everyDoor(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let both = ["--observe", "alice,bob"]
            try await withWorkers(on: server, both, both, ["--observe", "bob"]) { workers in
                for step in Self.session {
                    let rest = Array(step.words.dropFirst())
                    switch step.words[0] {
                    case "publish": try await server.publish(Array(rest[0].utf8), to: "alice")
                    case let name where name.hasPrefix("todomate_"):
                        let answer = try await server.call(name, "alice", rest)
                        #expect(answer.hasPrefix("{"), "\(step.words): \(answer)")
                    default:
                        let outcome = try await server.todomate(step.words)
                        #expect(outcome.ending == .exit(0), "\(step.words): \(outcome.errors)")
                    }
                }
                try await server.add("bob", "the last")
                let bob = ["bob  added     2026-11-20  todo        the last"]
                let alice = Self.session.map(\.line)
                for (worker, lines) in zip(workers, [alice + bob, alice + bob, bob]) {
                    try await eventually("bob's change came") { worker.lines.contains(bob[0]) }
                    #expect(worker.lines == lines)
                }
            }
        }
    }

    @Test("print for machines exactly the messages of the log", arguments: RedisKind.allCases)
    func json(_ kind: RedisKind) async throws {
        let todos = [
            #"{"content":"milk","date":"2026-11-20"}"#,
            #"{"id":"t2","content":"\" \\ \/ \u0041 한글 \ud83d\ude00","date":"2999-12-31","status":"incomplete"}"#,
            #"{"content":"e\u0301 مرحبا","date":"1900-01-01","detail":"two\nlines\r\tand \u2028"}"#
                .replacingOccurrences(of: "\\r", with: ""),
            #"{"content":"half","date":"2026-11-20","position":0.5}"#,
            #"{"content":"third","date":"2026-11-20","position":0.3333333333333333}"#,
            #"{"content":"tiny","date":"2026-11-20","position":-1e-7}"#,
            #"{"content":"far","date":"2026-11-20","position":9007199254740991}"#,
        ]
        try await withRedis(on: kind) { server in
            let options = ["--observe", "alice", "--json"]
            try await withWorkers(on: server, options, options) { workers in
                for todo in todos { try await server.call("todomate_add", "alice", todo) }
                try await server.call("todomate_update", "alice", "t2", #"{"detail":"more"}"#)
                try await server.call("todomate_remove", "alice", "t2")
                let log = try await server.log(of: "alice")
                #expect(log.count == todos.count + 2)
                for worker in workers {
                    try await eventually("all came") { worker.lines.count >= log.count }
                    #expect(worker.lines == log)
                }
            }
        }
    }

    @Test("wait for a Redis that is not up yet")
    func early() async throws {
        let server = try RedisServer()
        let worker = try RunningProgram("todomate", ["worker", "--redis", server.address, "--observe", "alice"])
        try await eventually("it waits") { worker.errors.contains("message=\"waiting for Redis\"") }
        try await server.start()
        try await eventually("it observes") { worker.errors.contains("message=observing") }
        try await server.add("alice", "milk")
        try await eventually("the change came") { worker.lines == ["alice  added     2026-11-20  todo        milk"] }
        #expect(worker.errors.components(separatedBy: "waiting for Redis").count == 2, "it says so once")
        let ending = await worker.stop()
        #expect(ending == .exit(0))
        await server.stop()
    }

    @Test("end at once and well when they are told to", arguments: [SIGTERM, SIGINT], [true, false])
    func stop(_ signal: Int32, _ isUp: Bool) async throws {
        let server = try RedisServer()
        if isUp { try await server.start() }
        let worker = try RunningProgram("todomate", ["worker", "--redis", server.address, "--observe", "alice"])
        let sign = isUp ? "message=observing" : "message=\"waiting for Redis\""
        try await eventually("it runs") { worker.errors.contains(sign) }
        await worker.signal(signal)
        let ending = await worker.waitUntilEnded()
        #expect(ending == .exit(0))
        #expect(worker.output == "" && worker.errors.contains("message=stopped"))
        await server.stop()
    }

    @Test(
        "subscribe to the channels of the users they observe, to no others, and leave none behind",
        arguments: RedisKind.allCases
    )
    func channels(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorkers(on: server, ["--observe", "alice,bob"], ["--observe", "bob"], []) { _ in
                let channels = ["alice", "bob"].map { "todomate:{\($0)}:changes" }
                let heard = try await server.channels()
                #expect(heard == channels)
                #expect(try await server.subscribers(of: channels[0]) == 1)
                #expect(try await server.subscribers(of: channels[1]) == 2)
                #expect(try await server.cli("PUBSUB", "NUMPAT") == "0")
            }
            try await eventually("nobody listens any more") { try await server.channels().isEmpty }
        }
    }

    @Test("observe fifty users at once", arguments: RedisKind.allCases)
    func manyUsers(_ kind: RedisKind) async throws {
        let users = (1...50).map { "user-\($0)@example.org" }
        try await withRedis(on: kind) { server in
            try await withWorkers(on: server, ["--observe", users.joined(separator: ",")]) { workers in
                let worker = workers[0]
                #expect(try await server.channels().count == 50)
                for user in users { try await server.add(user, "hello") }
                try await server.add("somebody-else", "hello")
                try await server.add(users[0], "the last")
                try await eventually("the last came") { worker.output.contains("the last") }
                #expect(worker.lines.dropLast() == users.map { "\($0)  added     2026-11-20  todo        hello" }[...])
            }
        }
    }

    @Test("end when nobody reads their output any more", arguments: RedisKind.allCases)
    func closedOutput(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let todomate = Program.builtPrograms.path + "/todomate"
            let line = "\(todomate) worker --redis \(server.address) --observe alice | head -n 1"
            let pipe = try RunningProgram("sh", ["-c", line])
            try await eventually("it observes") { pipe.errors.contains("message=observing") }
            // Only a write into the broken pipe tells the worker.
            try await eventually("it stops") {
                try await server.add("alice", "1")
                return pipe.errors.contains("message=stopped")
            }
            let ending = await pipe.waitUntilEnded()
            #expect(ending == .exit(0))
            #expect(pipe.lines == ["alice  added     2026-11-20  todo        1"])
        }
    }
}
