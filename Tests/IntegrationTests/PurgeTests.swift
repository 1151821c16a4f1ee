import EventLoop
import Foundation
import TestServers
import Testing

@Suite("Users who are deleted")
@LoopActor
struct PurgeTests {
    /// Alice among others: followed, following, asking, blocking, reacting.
    private func withAlice(
        on kind: RedisKind,
        _ body: @LoopActor (any TestRedis) async throws -> Void
    ) async throws {
        try await withRedis(on: kind) { server in
            try await meet(server)
            try await body(server)
        }
    }

    /// Fills an empty Redis with them.
    private func meet(_ server: any TestRedis) async throws {
        // At every node, also where none of these is.
        #expect(try await server.todomate("library", "load").ending == .exit(0))
        for uid in ["alice", "bob", "carol", "dave"] {
            let made = try await Program.run(
                "sh",
                ["-c", "printf 'long-enough\\n' | \(Program.builtPrograms.path)/todomate user add \(uid)"],
                environment: ["TODOMATE_REDIS": server.address]
            )
            #expect(made.ending == .exit(0), "\(made.errors)")
            try await server.add(uid, "by \(uid)", id: "t1")
        }
        for words in [
            ["profile", "alice", "--audience", "public"], ["profile", "bob", "--audience", "public"],
            ["follow", "bob", "alice"], ["follow", "alice", "bob"], ["follow", "alice", "carol"],
            ["follow", "carol", "bob"], ["block", "alice", "dave"], ["react", "alice", "bob", "t1", "🎉"],
            ["react", "bob", "alice", "t1", "👍"], ["react", "carol", "bob", "t1", "🎉"],
        ] {
            let outcome = try await server.todomate(words)
            #expect(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
        }
    }

    private func expectNothing(
        of uid: String,
        on server: any TestRedis,
        exceptIn parts: Set<String> = []
    ) async throws {
        let keys = try await server.cli("KEYS", "*\(uid)*")
        #expect(keys.isEmpty, "\(keys)")
        for other in ["bob", "carol", "dave"] {
            for part in ["following", "unsettled", "cut"] {
                let names = try await server.cli("HKEYS", "todomate:{\(other)}:\(part)")
                #expect(!names.contains(uid), "\(other) \(part)")
            }
            for part in ["followers", "requests", "blocked"] where !parts.contains(part) {
                let names = try await server.cli("ZRANGE", "todomate:{\(other)}:\(part)", "0", "-1")
                #expect(!names.contains(uid), "\(other) \(part)")
            }
        }
        let todo = try await server.call("todomate_get", "bob", "t1")
        #expect(todo.contains(#""reactions":{"🎉":1}"#), "carol's alone is left: \(todo)")
        let doctor = try await server.todomate("doctor", "--json")
        #expect(!doctor.output.contains(#""severity":"error""#), "\(doctor.output)")
    }

    @Test(
        "are not let in by an undone block once the name is somebody else's",
        arguments: [true, false],
        RedisKind.allCases
    )
    func undone(isBlockedByOther: Bool, on kind: RedisKind) async throws {
        try await withAlice(on: kind) { server in
            for (other, uid) in [("bob", "alice"), ("alice", "bob")] {
                try await server.call("todomate_accept", other, uid)
            }
            let (blocking, blocked) = isBlockedByOther ? ("bob", "alice") : ("alice", "bob")
            #expect(try await server.todomate("block", blocking, blocked).ending == .exit(0))
            #expect(try await server.cli("HEXISTS", "todomate:{bob}:cut", "alice") == "1")
            #expect(try await server.todomate("user", "remove", "--purge", "alice").ending == .exit(0))
            try await expectNothing(of: "alice", on: server, exceptIn: isBlockedByOther ? ["blocked"] : [])
            #expect(try await server.todomate("profile", "bob", "--audience", "followers").ending == .exit(0))
            try await server.call("todomate_unblock", "bob", "alice", "back")
            #expect(try await server.todomate("follow", "alice", "bob").ending == .exit(0))
            #expect(try await server.cli("ZRANGE", "todomate:{bob}:followers", "0", "-1").contains("alice") == false)
            #expect(try await server.cli("ZRANGE", "todomate:{bob}:requests", "0", "-1").contains("alice"))
        }
    }

    @Test(
        "are named neither by who invited them nor by whom they had invited, whose uses stay taken",
        arguments: RedisKind.allCases
    )
    func invited(on kind: RedisKind) async throws {
        try await withAlice(on: kind) { server in
            for (host, guest) in [("alice", "eve"), ("eve", "frank")] {
                let id = String(repeating: String(host.prefix(1)), count: 22)
                try await server.call("todomate_invite", host, #"{"id":"\#(id)","uses":1,"seconds":3600}"#)
                let taken = try await server.call("todomate_take_invitation", host, id, guest)
                let made = try await server.call(
                    "todomate_enroll",
                    guest,
                    "$argon2id$one",
                    "new",
                    "\(host).\(id)",
                    taken,
                    "welcomes"
                )
                #expect(Int(made) != nil, "\(made)")
                try await server.call("todomate_settle_invitation", host, id, guest)
            }
            #expect(try await server.todomate("user", "remove", "--purge", "eve").ending == .exit(0))
            let use = try await server.cli("HVALS", "todomate:{alice}:invitations")
            #expect(use.contains(#""came":[{"uid":"","at":"#) && use.contains(#""joined":true"#), "\(use)")
            let profile = try await server.cli("HGETALL", "todomate:{frank}:profile")
            #expect(!profile.contains("eve") && !profile.contains("welcomes"), "\(profile)")
            let list = try await server.todomate("invite", "list", "alice").output
            #expect(list.contains("0 of 1 left") && list.contains("came: (gone)"), "\(list)")
        }
    }

    @Test("lose no key to a deletion of before, once the name is somebody else's", arguments: RedisKind.allCases)
    func overtaken(on kind: RedisKind) async throws {
        try await withAlice(on: kind) { server in
            try await server.call("todomate_remove_account", "alice", "purge")
            let mark = try await server.cli("HGET", "todomate:{alice}:profile", "purging")
            #expect(try await server.call("todomate_purge_stray", "alice", "old", mark) == "0")
            let refused = try await server.call("todomate_purge_stray", "alice", "profile", mark)
            #expect(refused.contains("TODOMATE_INVALID"))
            #expect(try await server.todomate("user", "remove", "--purge", "alice").ending == .exit(0))
            try await server.cli("HSET", "todomate:{alice}:reactions:t1", "bob", "🎉")
            for name in ["reactions:t1", "todos"] {
                let late = try await server.call("todomate_purge_stray", "alice", name, mark)
                #expect(late.contains("TODOMATE_CONFLICT"), "\(late)")
            }
            #expect(try await server.cli("EXISTS", "todomate:{alice}:reactions:t1") == "1")
        }
    }

    @Test("leave nothing, on either side of a pair, and others go on", arguments: RedisKind.allCases)
    func complete(on kind: RedisKind) async throws {
        try await withAlice(on: kind) { server in
            let outcome = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(outcome.ending == .exit(0), "\(outcome.errors)")
            try await expectNothing(of: "alice", on: server)
            let following = try await server.todomate("following", "carol")
            #expect(following.output.contains("bob"))
            let again = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(again.ending == .exit(0), "doing it twice is no error")
            try await expectNothing(of: "alice", on: server)
        }
    }

    @Test("leave nothing either where somebody who is leaving has their reaction", arguments: RedisKind.allCases)
    func leaving(on kind: RedisKind) async throws {
        try await withAlice(on: kind) { server in
            let left = try await server.todomate("user", "leave", "bob")
            #expect(left.ending == .exit(0), "\(left.errors)")
            let outcome = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(outcome.ending == .exit(0), "\(outcome.errors)")
            try await expectNothing(of: "alice", on: server)
            let refused = try await server.todomate("add", "bob", "bread")
            #expect(refused.errors.contains("todomate user stay"), "\(refused.errors)")
        }
    }

    @Test(
        "are found where that was interrupted, cannot come back meanwhile, and go on from there",
        arguments: RedisKind.allCases
    )
    func interrupted(on kind: RedisKind) async throws {
        try await withAlice(on: kind) { server in
            let fill = "for i = 1, 1200 do redis.call('HSET', KEYS[1], 'x' .. i, '{}') end"
            try await server.cli("EVAL", fill, "1", "todomate:{alice}:todos")
            _ = try await server.call("todomate_remove_account", "alice", "purge")
            let left = try await server.call("todomate_purge", "alice")
            #expect((Int(left) ?? 0) > 0, "not all at once")
            let doctor = try await server.todomate("doctor")
            #expect(doctor.ending == .exit(1) && doctor.output.contains("todomate user remove --purge alice"))
            let refused = try await Program.run(
                "sh",
                ["-c", "printf 'long-enough\\n' | \(Program.builtPrograms.path)/todomate user add alice --keep-todos"],
                environment: ["TODOMATE_REDIS": server.address]
            )
            #expect(refused.ending == .exit(65) && refused.errors.contains("user remove --purge alice"))
            let outcome = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(outcome.ending == .exit(0), "\(outcome.errors)")
            try await expectNothing(of: "alice", on: server)
        }
    }

    @Test(
        "are gone on with once the node is back that held it up, be it theirs, that of others, or one where nobody is"
    )
    func heldUp() async throws {
        try await withAlice(on: .cluster) { server in
            // No node is to be taken for lost meanwhile.
            #expect(try await server.cli("CONFIG", "SET", "cluster-node-timeout", "60000") == "OK")
            let facts = try await server.cli("INFO", "server")
            let nodes = facts.matches(of: /process_id:(\d+)/).compactMap { Int32($0.1) }
            try #require(nodes.count == 3)
            // Alice is at the first one, the others at the second.
            for (number, node) in nodes.enumerated() {
                kill(node, SIGSTOP)
                let outcome = try await server.todomate("user", "remove", "--purge", "alice")
                kill(node, SIGCONT)
                let isBegun = number > 0
                let mark = try await server.cli("HEXISTS", "todomate:{alice}:profile", "purging")
                #expect(mark == (isBegun ? "1" : "0"))
                #expect(outcome.ending == .exit(69), "\(outcome.errors)")
                let reason = "did not carry the command out within 5 s (127.0.0.1:"
                #expect(outcome.errors.contains(reason), "\(outcome.errors)")
                let goesOn = "'todomate user remove --purge alice' goes on from there"
                #expect(outcome.errors.contains(goesOn) == isBegun, "\(outcome.errors)")
            }
            try await server.cli("CONFIG", "SET", "cluster-node-timeout", String(RedisCluster.nodeTimeout))
            let outcome = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(outcome.ending == .exit(0), "\(outcome.errors)")
            try await expectNothing(of: "alice", on: server)
        }
    }

    @Test("have to be marked before anything of theirs is deleted", arguments: RedisKind.allCases)
    func unmarked(on kind: RedisKind) async throws {
        try await withAlice(on: kind) { server in
            let answer = try await server.call("todomate_purge", "alice")
            #expect(answer.hasPrefix("TODOMATE_INVALID "))
            let todos = try await server.cli("HLEN", "todomate:{alice}:todos")
            #expect(todos == "1")
        }
    }

    @Test("leave nothing however many todos they have, indexed or not")
    func many() async throws {
        try await withFunctions { functions, server in
            for part in 0..<12 {
                let todos = (0..<1000).map { number in
                    let id = part * 1000 + number
                    let day = "20\(10 + id / 2000)-0\(1 + id % 9)-0\(1 + id % 7)"
                    return #"{"id":"t\#(id)","uid":"alice","content":"x","date":"\#(day)"}"#
                }
                #expect(await functions("import", ["add"] + todos).hasPrefix("added"))
            }
            // Half of them are in no index.
            try await server.cli("ZREMRANGEBYRANK", "todomate:{alice}:days", "0", "5999")
            let purged = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(purged.ending == .exit(0), "\(purged.errors)")
            #expect(try await server.cli("KEYS", "todomate:{alice}:*") == "")
        }
    }

    @Test("go when Redis is full, those that they have blocked among the rest")
    func full() async throws {
        try await withFunctions { functions, server in
            _ = await functions("enroll", "a-hash")
            _ = await functions("add", #"{"content":"x","date":"2026-11-20"}"#)
            _ = await functions("block", "eve")
            try await server.cli("CONFIG", "SET", "maxmemory", "100kb", "maxmemory-policy", "noeviction")
            let purged = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(purged.ending == .exit(0), "\(purged.errors)")
            #expect(try await server.cli("KEYS", "todomate:{alice}:*") == "")
        }
    }
}
