import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("The functions on a cluster")
@LoopActor
struct ClusterFunctionTests {
    private static let (key, log) = ("todomate:{alice}", "todomate:{alice}:log")
    private static let todo = #"{"content":"milk","date":"2026-11-20"}"#

    /// What redis-cli prints that follows every redirection.
    private func follow(_ cluster: RedisCluster, _ words: String...) async throws -> String {
        let port = String(cluster.nodes[0].endpoint.port)
        return try await Program.run("redis-cli", ["-c", "-p", port] + words).output
            .trimmingCharacters(in: .newlines)
    }

    private func load(_ cluster: RedisCluster) async throws {
        let outcome = try await Program.run(
            "todomate",
            ["library", "load"],
            environment: ["TODOMATE_REDIS": cluster.address]
        )
        #expect(outcome.ending == .exit(0), "\(outcome.errors)")
    }

    @Test("are brought up to date at a node that has an older version of them, when a user there is next written for")
    func older() async throws {
        try await withRedisCluster { cluster in
            try await load(cluster)
            let owner = try await cluster.owner(of: Self.key)
            let own = try await owner.cli("FCALL_RO", "todomate_version", "0")
            let source = String(decoding: FunctionLibrary.source, as: UTF8.self)
            let line = try #require(source.firstMatch(of: /local LIBRARY_VERSION = \d+/)).0
            // As one that knows nothing of clusters: it takes one key alone.
            let old = source.replacing(line, with: "local LIBRARY_VERSION = 1")
                .replacing(
                    "local function lacksLog(hasLog)",
                    with: "local function lacksLog(hasLog)\n  if hasLog then return true end"
                )
            let path = owner.server.folder.path + "/old.lua"
            try old.write(toFile: path, atomically: true, encoding: .utf8)
            let loaded = try await Program.run(
                "sh",
                ["-c", "redis-cli -p \(owner.endpoint.port) -x FUNCTION LOAD REPLACE < \(path)"]
            )
            #expect(loaded.output == "todomate\n", "\(loaded)")
            let added = try await Program.run(
                "todomate",
                ["add", "alice", "milk"],
                environment: ["TODOMATE_REDIS": cluster.address]
            )
            #expect(added.ending == .exit(0), "\(added.errors)")
            for node in try await cluster.primaries() {
                #expect(try await node.cli("FCALL_RO", "todomate_version", "0") == own)
            }
        }
    }

    @Test("export everything into one Redis, and import it from there, as the way into a cluster is")
    func archives() async throws {
        try await withRedisCluster { cluster in
            try await withRedis { one in
                func run(_ address: String, _ words: String...) async throws -> String {
                    let outcome = try await Program.run("todomate", words, environment: ["TODOMATE_REDIS": address])
                    #expect(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
                    return outcome.output
                }
                let users = (1...12).map { "user\($0)" }
                for uid in users {
                    _ = try await run(one.address, "add", uid, "milk of \(uid)")
                    if uid != "user1" { _ = try await run(one.address, "follow", uid, "user1") }
                }
                let path = one.folder.path + "/all.jsonl"
                _ = try await run(one.address, "export", "--with-profiles", "--output", path)
                _ = try await run(cluster.address, "import", path)
                for node in cluster.nodes { #expect(try await node.cli("DBSIZE") != "0") }
                func lines(_ text: String) -> [String] {
                    // An import gives out new revisions.
                    text.split(separator: "\n").map { String($0).replacing(/"revision":\d+,"micros":\d+,/, with: "") }
                        .sorted()
                }
                let (there, here) = (
                    try await run(one.address, "export", "--with-profiles"),
                    try await run(cluster.address, "export", "--with-profiles")
                )
                #expect(lines(there) == lines(here) && lines(here).count > users.count)
            }
        }
    }

    @Test("demand the second key, by which a moving slot is recognised")
    func keys() async throws {
        try await withRedisCluster { cluster in
            try await load(cluster)
            let one = try await follow(cluster, "FCALL", "todomate_add", "1", Self.key, Self.todo)
            #expect(
                one.contains("TODOMATE_USAGE in a cluster call it as FCALL todomate_add 2 todomate:{uid}"),
                "\(one)"
            )
            let other = try await follow(cluster, "FCALL", "todomate_add", "2", Self.key, Self.key + ":days", Self.todo)
            #expect(other.contains("TODOMATE_USAGE"), "\(other)")
            let live = try await follow(cluster, "FCALL_RO", "todomate_live", "1", Self.key)
            #expect(live.contains("TODOMATE_USAGE in a cluster"), "\(live)")
            #expect(try await follow(cluster, "EXISTS", Self.log) == "0", "nothing was written")
            let two = try await follow(cluster, "FCALL", "todomate_add", "2", Self.key, Self.log, Self.todo)
            #expect(two.hasPrefix(#"{"id":"1-"#), "\(two)")
        }
        // On one Redis both forms work.
        try await withRedis { server in
            #expect(try await server.todomate("library", "load").ending == .exit(0))
            for keys in [["1", Self.key], ["2", Self.key, Self.log]] {
                let answer = try await server.cli(["FCALL", "todomate_add"] + keys + [Self.todo])
                #expect(answer.hasPrefix(#"{"id":"#), "\(answer)")
            }
        }
    }

    @Test(
        "demand it also of a Redis user who may not ask for INFO; on one Redis only where that user may not read two slots either",
        arguments: [("~todomate:*", true), ("~todomate:{alice}*", false)]
    )
    func unasked(_ keys: String, canTell: Bool) async throws {
        let rules = ["ACL", "SETUSER", "guest", "reset", "on", ">g", keys, "&*", "+@all", "-info"]
        func add(_ connection: [String], _ keys: [String]) async throws -> String {
            let call = [
                "--user", "guest", "--pass", "g", "--no-auth-warning", "FCALL", "todomate_add", String(keys.count),
            ]
            return try await Program.run("redis-cli", connection + call + keys + [Self.todo]).output
        }
        let usage = "TODOMATE_USAGE in a cluster call it as FCALL todomate_add 2 todomate:{uid}"
        let advice = "ACL SETUSER <user> +info"
        try await withRedisCluster { cluster in
            try await load(cluster)
            let owner = try await cluster.owner(of: Self.key)
            #expect(try await owner.server.cli(rules) == "OK")
            let connection = ["-p", String(owner.endpoint.port)]
            let one = try await add(connection, [Self.key])
            #expect(one.contains(usage) && one.contains(advice) != canTell, "\(one)")
            #expect(try await owner.cli("EXISTS", Self.log) == "0", "nothing was written")
            let two = try await add(connection, [Self.key, Self.log])
            #expect(two.hasPrefix(#"{"id":"1-"#), "\(two)")
            #expect(try await owner.cli("INFO", "commandstats").contains("cmdstat_spublish:calls=1,"))
        }
        try await withRedis { server in
            #expect(try await server.todomate("library", "load").ending == .exit(0))
            #expect(try await server.cli(rules) == "OK")
            let connection = ["-s", "\(server.url)"]
            guard canTell else {
                let one = try await add(connection, [Self.key])
                #expect(one.contains(usage) && one.contains(advice), "\(one)")
                // Somebody who may ask has the functions know it, for everybody.
                #expect(try await server.call("todomate_latest", "alice") == "0-0")
                #expect(try await add(connection, [Self.key]).hasPrefix(#"{"id":"1-"#))
                return
            }
            // Those who listen there hear it, whichever form was used.
            for keys in [[Self.key, Self.log], [Self.key]] {
                let added = try await add(connection, keys)
                #expect(added.hasPrefix(#"{"id":"#), "\(added)")
            }
            let calls = try await server.cli("INFO", "commandstats")
            #expect(calls.contains("cmdstat_publish:calls=2,") && !calls.contains("cmdstat_spublish"), "\(calls)")
        }
    }

    @Test("write nowhere while a user's slot is moving, however far it has come, whoever asks", arguments: 0...3)
    func moving(_ keysMoved: Int) async throws {
        try await withRedisCluster { cluster in
            try await load(cluster)
            let slot = HashSlot.of(Self.key)
            let source = try await cluster.owner(of: slot)
            let target = try #require(cluster.nodes.first { $0.id != source.id })
            let call = ["FCALL", "todomate_add", "2", Self.key, Self.log, Self.todo]
            _ = try await follow(cluster, call[0], call[1], call[2], call[3], call[4], call[5])
            try await cluster.beginMove(of: slot, to: target)
            for _ in 0..<keysMoved { try await cluster.moveKeys(1, of: slot, to: target) }
            for node in [source, target] {
                let answer = try await node.server.cli(call)
                #expect(answer.contains("TRYAGAIN") || answer.contains("ASK") || answer.contains("MOVED"), "\(answer)")
            }
            let followed = try await Program.run(
                "redis-cli",
                ["-c", "-p", String(cluster.nodes[0].endpoint.port)] + call
            )
            #expect(followed.output.contains("TRYAGAIN"), "\(followed.output)")
            try await cluster.moveKeys(100, of: slot, to: target)
            try await cluster.endMove(of: slot, to: target)
            let second = try await follow(cluster, call[0], call[1], call[2], call[3], call[4], call[5])
            #expect(second.hasPrefix(#"{"id":"2-"#), "one history: \(second)")
        }
    }

    @Test("publish to the user's shard channel what follows upon what, which redis-cli can listen to")
    func publishing() async throws {
        try await withRedisCluster { cluster in
            try await load(cluster)
            let port = String(try await cluster.owner(of: Self.key).endpoint.port)
            let listener = try RunningProgram("redis-cli", ["-p", port, "SSUBSCRIBE", Self.key + ":changes"])
            try await eventually("it listens") { listener.output.contains("ssubscribe") }
            var last = "0-0"
            for _ in 0..<2 {
                let message = try await follow(cluster, "FCALL", "todomate_add", "2", Self.key, Self.log, Self.todo)
                let published = message.dropLast() + ",\"after\":\"\(last)\"}"
                try await eventually("it hears") { listener.output.contains(published) }
                last = try String(#require(message.firstMatch(of: /^\{"id":"([^"]+)"/)?.1))
            }
            await listener.stop()
        }
    }

    @Test("relate users whose data are on different nodes")
    func relations() async throws {
        try await withRedisCluster { cluster in
            let repository = RedisTodoRepository(cluster.url)
            defer { repository.close() }
            let users = (0..<12).map { "user\($0)" }
            #expect(Set(users.map { HashSlot.of("todomate:{\($0)}") * 3 / HashSlot.count }) == [0, 1, 2])
            for uid in users {
                try await repository.relations.set(AccountPatch(audience: .public, visibility: .public), of: uid)
                _ = try await repository.add(
                    TodoDraft(date: try #require(CalendarDate("2026-11-20")), content: "of \(uid)"),
                    for: uid
                )
            }
            for (one, other) in zip(users, users.dropFirst()) {
                #expect(try await repository.relations.follow(other, by: one, at: nil).following == .following)
                #expect(try await repository.relations.following(of: one).map(\.uid) == [other])
                #expect(
                    try await repository.relations.followers(of: other, in: .following, limit: 10).followers.map(\.uid)
                        == [one]
                )
                let (_, snapshot) = try await repository.shared.view(of: one, on: other)
                #expect(snapshot?.todos.map(\.content) == ["of \(other)"])
            }
        }
    }
}
