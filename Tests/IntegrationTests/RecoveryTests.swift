import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMateRedis

@Suite("What a worker shows after a mishap")
@LoopActor
struct RecoveryTests {
    /// Runs `body` with a connection of its own to what holds alice's data.
    private func withNode(
        _ server: any TestRedis,
        _ body: @LoopActor (RedisNode) async throws -> Void
    ) async throws {
        let client = RedisClient(server.url, timeout: .seconds(30))
        defer { client.close() }
        try await body(try await client.node(of: "todomate:{alice}"))
    }

    /// One `FCALL todomate_add` for alice.
    private func adding(_ content: String, to server: any TestRedis) -> RedisCommand {
        var command = FunctionCall.command("todomate_add", of: "alice", isInCluster: server.isCluster)
        command.append("{\"content\":\"\(content)\",\"date\":\"2026-11-20\"}")
        return command
    }

    @Test("is each change once, over three crashes of Redis", arguments: RedisKind.allCases)
    func crashes(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let options = ["--observe", "alice", "--json"]
            try await withWorkers(on: server, options, options) { workers in
                // What is lost of a history of which nothing came yet can only be said to be lost: on nothing, anything may follow.
                try await server.add("alice", "before all crashes", id: "t0")
                for worker in workers { try await eventually("the first came") { worker.lines.count == 1 } }
                for round in 1...3 {
                    try await server.add("alice", "before crash \(round)", id: "t\(round)")
                    try await server.crash("alice")
                    try await server.restart("alice", isEmpty: false)
                    // At once: some of this is written before the workers are back.
                    try await server.call("todomate_update", "alice", "t\(round)", #"{"status":"complete"}"#)
                    try await server.call("todomate_remove", "alice", "t\(round)")
                }
                let log = try await server.log(of: "alice")
                #expect(log.count == 10)
                for worker in workers {
                    try await eventually("the last came") { worker.lines.last == log.last }
                    #expect(worker.lines == log)
                }
            }
        }
    }

    @Test(
        "is each of 300 changes once and in order, while its subscription is cut again and again",
        arguments: RedisKind.allCases
    )
    func cuts(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                try await withNode(server) { node in
                    var cuts = 0
                    for written in 1...300 {
                        try await node.send(adding("\(written)", to: server))
                        // The worker is never further behind than this, so it is cut while it reads, waits and catches up.
                        try await eventually("it follows") { written - worker.lines.count < 40 }
                        guard written.isMultiple(of: 7) else { continue }
                        cuts += try await node.send(RedisCommand("CLIENT", "KILL", "TYPE", "pubsub")).integer ?? 0
                    }
                    try await eventually("the last came") { worker.versions.last == 300 }
                    #expect(worker.versions == Array(1...300))
                    #expect(cuts > 5, "it was cut \(cuts) times")
                    let log = try await server.log(of: "alice")
                    #expect(worker.lines == log)
                }
            }
        }
    }

    @Test(
        "is each change once, whichever of its connections is cut",
        arguments: ["normal", "pubsub", "all"],
        RedisKind.allCases
    )
    func connections(_ type: String, _ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                for version in stride(from: 1, to: 10, by: 2) {
                    try await server.add("alice", "x")
                    if type != "pubsub" { try await server.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes") }
                    if type != "normal" { try await server.cli("CLIENT", "KILL", "TYPE", "pubsub") }
                    try await server.add("alice", "x")
                    try await eventually("both came") { worker.lines.count > version }
                }
                #expect(worker.versions == Array(1...10))
            }
        }
    }

    @Test(
        "is a hint to start over when the data are gone, then what comes next",
        arguments: [0, 1, 2, 5],
        RedisKind.allCases
    )
    func flushed(_ before: Int, _ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                for number in 0..<before { try await server.add("alice", "\(number)") }
                try await eventually("all came") { worker.lines.count == before }
                try await server.cli("FLUSHALL")
                try await server.add("alice", "first")
                try await server.add("alice", "second")
                try await server.add("alice", "third")
                try await eventually("the last came") { worker.output.contains("third") || worker.versions.last == 0 }
                try await server.add("alice", "fourth")
                try await eventually("the next came") { worker.output.contains("fourth") }
                let after = worker.versions.dropFirst(before)
                if before == 0 {
                    #expect(after == [1, 2, 3, 4])
                } else {
                    // The reset stands for as much of the new history as there was when the worker noticed.
                    #expect(after.first == 0 && Array(after.dropFirst()) == Array(1...4).suffix(after.count - 1))
                }
            }
        }
    }

    @Test("is a hint to start over when Redis comes back empty, then what comes next", arguments: RedisKind.allCases)
    func emptyAfterCrash(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                for number in 1...3 { try await server.add("alice", "\(number)") }
                try await eventually("all came") { worker.lines.count == 3 }
                try await server.crash("alice")
                try await server.restart("alice", isEmpty: true)
                try await eventually("it starts over") { worker.versions == [1, 2, 3, 0] }
                // The functions were gone as well: the command brings them.
                let outcome = try await server.todomate("add", "alice", "anew")
                #expect(outcome.ending == .exit(0))
                try await eventually("it goes on") { worker.versions == [1, 2, 3, 0, 1] }
            }
        }
    }

    @Test(
        "is a hint to start over when the log no longer has what was missed",
        arguments: ["0", "1"],
        RedisKind.allCases
    )
    func trimmed(_ length: String, _ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                try await server.add("alice", "seen")
                try await eventually("it came") { worker.versions == [1] }
                try await withNode(server) { node in
                    // As one transaction, so that the worker cannot come back in between.
                    for command in [
                        RedisCommand("MULTI"), RedisCommand("CLIENT", "KILL", "TYPE", "pubsub"),
                        adding("missed", to: server),
                        adding("missed", to: server), RedisCommand("XTRIM", "todomate:{alice}:log", "MAXLEN", length),
                    ] { try await node.send(command) }
                    let answers = try await node.send(RedisCommand("EXEC")).array ?? []
                    #expect(answers.map(\.integer) == [1, nil, nil, length == "0" ? 3 : 2])
                }
                try await eventually("it starts over") { worker.versions == [1, 0] }
                try await server.add("alice", "next")
                // A log that was emptied begins anew, above all revisions.
                try await eventually("it goes on") { worker.versions == [1, 0, 4] }
            }
        }
    }

    @Test(
        "is a hint to start over when Redis fell back to an earlier state",
        arguments: [true, false],
        RedisKind.allCases
    )
    func tailLost(_ isConnected: Bool, _ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                try await withNode(server) { node in
                    try await server.add("alice", "kept")
                    let backup = try await node.send(RedisCommand("DUMP", "todomate:{alice}:log")).bytes ?? []
                    for _ in 2...3 { try await server.add("alice", "lost") }
                    try await eventually("all came") { worker.versions == [1, 2, 3] }
                    var restore = RedisCommand("RESTORE", "todomate:{alice}:log", "0")
                    restore.append(backup)
                    restore.append("REPLACE")
                    let kill = isConnected ? [] : [RedisCommand("CLIENT", "KILL", "TYPE", "pubsub")]
                    let rewritten = [restore, adding("other 2", to: server), adding("other 3", to: server)]
                    for command in [RedisCommand("MULTI")] + kill + rewritten + [RedisCommand("EXEC")] {
                        try await node.send(command)
                    }
                }
                try await eventually("it starts over") { worker.versions.contains(0) }
                try await server.add("alice", "next")
                try await eventually("it goes on") { worker.versions == [1, 2, 3, 0, 4] }
            }
        }
    }

    @Test("is each change once, when hundreds were missed", arguments: RedisKind.allCases)
    func manyMissed(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            try await withWorker(on: server) { worker in
                try await withNode(server) { node in
                    try await node.send(adding("seen", to: server))
                    try await eventually("it came") { worker.versions == [1] }
                    try await node.send(RedisCommand("MULTI"))
                    try await node.send(RedisCommand("CLIENT", "KILL", "TYPE", "pubsub"))
                    for number in 2...900 { try await node.send(adding("\(number)", to: server)) }
                    try await node.send(RedisCommand("EXEC"))
                    try await node.send(adding("last", to: server))
                }
                try await eventually("the last came") { worker.versions.last == 901 }
                #expect(worker.versions == Array(1...901))
            }
        }
    }
}
