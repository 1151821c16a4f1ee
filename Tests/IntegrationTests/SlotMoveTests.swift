import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

@Suite("The move of a slot that was interrupted", .serialized)
@LoopActor
struct SlotMoveTests {
    private static let password = "the \"right\" one"
    private static let keys = 1500

    /// The line of the article, for these nodes.
    private static func line(_ source: Int, _ target: Int) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = try String(
            contentsOf: folder.appending(path: "Sources/TodoMate/TodoMate.docc/TheRedisContract.md"),
            encoding: .utf8
        )
        let line = try #require(article.firstMatch(of: /\n(deploy\/redis\/complete-move [^#\n]*)/)).1
        return folder.path + "/"
            + line.replacing("127.0.0.1:7000", with: "127.0.0.1:\(source)")
            .replacing("127.0.0.1:7001", with: "127.0.0.1:\(target)")
    }

    private func complete(
        from source: Int,
        to target: Int,
        _ options: String = "",
        password: String = password
    ) async throws -> Program.Outcome {
        try await Program.run(
            "sh",
            ["-c", try Self.line(source, target) + options],
            environment: ["REDISCLI_AUTH": password]
        )
    }

    /// What redis-cli prints, signed in.
    private func ask(_ node: RedisCluster.Node, _ words: String...) async throws -> String {
        try await Program.run(
            "redis-cli",
            ["-h", "127.0.0.1", "-p", String(node.port)] + words,
            environment: ["REDISCLI_AUTH": Self.password]
        ).output.trimmingCharacters(in: .newlines)
    }

    /// Half of alice's slot has gone, and then somebody ended the move; all nodes want a password.
    private func withHalfMove(
        _ body: @LoopActor (RedisCluster, RedisCluster.Node, RedisCluster.Node, Int) async throws -> Void
    ) async throws {
        try await withRedisCluster { cluster in
            let slot = HashSlot.of("{alice}")
            let source = try await cluster.owner(of: slot)
            let target = try #require(cluster.nodes.first { $0.id != source.id })
            let script =
                "for number = 1, tonumber(ARGV[1]) do redis.call('SET', '{alice} ' .. number .. '\"', number) end"
            _ = try await source.cli("EVAL", script, "1", "{alice}", String(Self.keys))
            try await cluster.beginMove(of: slot, to: target)
            try await cluster.moveKeys(Self.keys / 2, of: slot, to: target)
            for node in cluster.nodes { try await node.cli("CONFIG", "SET", "requirepass", Self.password) }
            try await body(cluster, source, target, slot)
            for node in cluster.nodes { _ = try await ask(node, "CONFIG", "SET", "requirepass", "") }
        }
    }

    @Test("is completed by the line of the article, with all keys, beside a password")
    func completes() async throws {
        try await withHalfMove { cluster, source, target, slot in
            let outcome = try await complete(from: source.port, to: target.port)
            #expect(outcome.ending == .exit(0), "\(outcome.errors)")
            #expect(
                outcome.output == "complete-move: slot \(slot) is at \(target.endpoint); 750 keys were left to move\n"
            )
            #expect(try await ask(target, "CLUSTER", "COUNTKEYSINSLOT", String(slot)) == String(Self.keys))
            #expect(try await ask(target, "GET", "{alice} 1500\"") == "1500")
            for node in [source, target] {
                #expect(!(try await ask(node, "CLUSTER", "NODES")).contains("["), "nothing is on its way any more")
            }
            #expect(try await ask(source, "GET", "{alice} 1").hasPrefix("MOVED \(slot) \(target.endpoint)"))
            let again = try await complete(from: source.port, to: target.port)
            #expect(again.ending == .exit(1) && again.errors.contains("no slot is on its way"), "\(again.errors)")
        }
    }

    @Test("goes on where only one of the nodes was told of its end", arguments: ["new", "old"])
    func lastStep(told: String) async throws {
        try await withHalfMove { cluster, source, target, slot in
            let keys = try await ask(source, "CLUSTER", "GETKEYSINSLOT", String(slot), String(Self.keys))
            let words = ["MIGRATE", "127.0.0.1", String(target.port), "", "0", "5000", "AUTH", Self.password, "KEYS"]
            let moved = try await Program.run(
                "redis-cli",
                ["-h", "127.0.0.1", "-p", String(source.port)] + words
                    + keys.split(separator: "\n").map(String.init),
                environment: ["REDISCLI_AUTH": Self.password]
            )
            #expect(moved.output == "OK\n")
            let (knowing, other, mark) = told == "new" ? (target, source, "->-") : (source, target, "-<-")
            #expect(try await ask(knowing, "CLUSTER", "SETSLOT", String(slot), "NODE", target.id) == "OK")
            #expect(!(try await ask(knowing, "CLUSTER", "NODES")).contains("["))
            #expect(try await ask(other, "CLUSTER", "NODES").contains("[\(slot)\(mark)"), "it has not heard of it")
            let outcome = try await complete(from: source.port, to: target.port)
            #expect(outcome.output.hasSuffix("0 keys were left to move\n"), "\(outcome.errors)")
            for node in [source, target] { #expect(!(try await ask(node, "CLUSTER", "NODES")).contains("[")) }
            #expect(try await ask(target, "CLUSTER", "COUNTKEYSINSLOT", String(slot)) == String(Self.keys))
            #expect(try await ask(source, "GET", "{alice} 1").hasPrefix("MOVED \(slot) \(target.endpoint)"))
        }
    }

    @Test("gives nothing away while the new node refuses a key, and goes on once it takes it")
    func refusedKey() async throws {
        try await withHalfMove { cluster, source, target, slot in
            let left = try await ask(source, "CLUSTER", "GETKEYSINSLOT", String(slot), String(Self.keys))
            let key = try #require(left.split(separator: "\n").last).replacing("\"", with: "\\\"")
            /// A command at the new node, which does not serve the slot yet.
            func there(_ command: String) async throws -> String {
                try await Program.run(
                    "sh",
                    [
                        "-c", #"printf 'ASKING\n%s\n' "$1" | redis-cli -h 127.0.0.1 -p "$2""#, "sh", command,
                        "\(target.port)",
                    ],
                    environment: ["REDISCLI_AUTH": Self.password]
                ).output
            }
            #expect(try await there("SET \"\(key)\" mine") == "OK\nOK\n")
            let refused = try await complete(from: source.port, to: target.port)
            #expect(refused.ending == .exit(1), "\(refused.output)")
            #expect(
                refused.errors.contains("keys of slot \(slot) are still at") && refused.errors.contains("BUSYKEY"),
                "\(refused.errors)"
            )
            #expect(try await ask(source, "CLUSTER", "NODES").contains("[\(slot)->-\(target.id)]"))
            #expect(try await ask(target, "CLUSTER", "NODES").contains("[\(slot)-<-\(source.id)]"))
            #expect(try await there("DEL \"\(key)\"") == "OK\n1\n")
            let completed = try await complete(from: source.port, to: target.port)
            #expect(completed.ending == .exit(0), "\(completed.errors)")
            #expect(try await ask(target, "CLUSTER", "COUNTKEYSINSLOT", String(slot)) == String(Self.keys))
        }
    }

    @Test("stays as it was where something is wrong, and the error says what")
    func refusals() async throws {
        try await withHalfMove { cluster, source, target, slot in
            let third = try #require(cluster.nodes.first { $0.id != source.id && $0.id != target.id })
            func state() async throws -> [String] {
                var lines = [try await ask(source, "CLUSTER", "COUNTKEYSINSLOT", String(slot))]
                for node in [source, target] {
                    let own = try await ask(node, "CLUSTER", "NODES").split(separator: "\n").first {
                        $0.contains("myself")
                    }
                    lines.append(String(try #require(own).split(separator: " ").dropFirst(8).joined(separator: " ")))
                }
                return lines
            }
            let before = try await state()
            func refused(_ outcome: Program.Outcome, _ reason: String, _ code: Int32 = 1) async throws {
                #expect(
                    outcome.ending == .exit(code) && outcome.errors.contains(reason),
                    "\(reason): \(outcome.errors)"
                )
                #expect(try await state() == before, "\(reason)")
            }
            try await refused(complete(from: source.port, to: target.port, password: "wrong"), "WRONGPASS")
            try await refused(complete(from: source.port, to: target.port, password: ""), "NOAUTH")
            try await refused(complete(from: source.port, to: target.port, " -a secret"), "by REDISCLI_AUTH")
            try await refused(complete(from: target.port, to: source.port), "no slot is on its way")
            try await refused(complete(from: source.port, to: third.port), "no slot is on its way")
            try await refused(complete(from: source.port, to: source.port), "are one node")
            try await refused(complete(from: source.port, to: 1), "127.0.0.1:1 does not say which node it is")
            // The new node has another password.
            _ = try await ask(target, "CONFIG", "SET", "requirepass", "another")
            let outcome = try await complete(from: source.port, to: target.port)
            #expect(outcome.ending == .exit(1), "\(outcome.output)")
            #expect(outcome.errors.contains("127.0.0.1:\(target.port) does not say"), "\(outcome.errors)")
            let back = try await Program.run(
                "redis-cli",
                ["-h", "127.0.0.1", "-p", String(target.port), "CONFIG", "SET", "requirepass", Self.password],
                environment: ["REDISCLI_AUTH": "another"]
            )
            #expect(back.output == "OK\n")
            #expect(try await state() == before)
            // One side alone knows of the move.
            _ = try await ask(target, "CLUSTER", "SETSLOT", String(slot), "STABLE")
            let half = try await complete(from: source.port, to: target.port)
            #expect(half.errors.contains("CLUSTER SETSLOT \(slot) IMPORTING \(source.id)"), "\(half.errors)")
            _ = try await ask(target, "CLUSTER", "SETSLOT", String(slot), "IMPORTING", source.id)
            #expect(try await state() == before)
            let completed = try await complete(from: source.port, to: target.port)
            #expect(completed.ending == .exit(0), "\(completed.errors)")
            #expect(try await ask(target, "CLUSTER", "COUNTKEYSINSLOT", String(slot)) == String(Self.keys))
        }
    }
}
