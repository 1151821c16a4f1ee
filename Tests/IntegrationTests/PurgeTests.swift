import EventLoop
import Foundation
import TestServers
import Testing

@Suite("Users who are deleted")
@LoopActor
struct PurgeTests {
    /// Alice among others: followed, following, asking, blocking, reacting.
    private func withAlice(_ body: @LoopActor (RedisServer) async throws -> Void) async throws {
        try await withRedis { server in
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
            try await body(server)
        }
    }

    private func expectNothing(
        of uid: String,
        on server: RedisServer,
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
        // These tests keep nothing on a disk, which the doctor minds.
        let errors = doctor.output.matches(of: /"severity":"error","topic":"(\w+)"/).map(\.1)
        #expect(errors == ["persistence"], "\(doctor.output)")
    }

    @Test("are not let in by an undone block once the name is somebody else's", arguments: [true, false])
    func undone(isBlockedByOther: Bool) async throws {
        try await withAlice { server in
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

    @Test("are named neither by who invited them nor by whom they had invited, whose uses stay taken")
    func invited() async throws {
        try await withAlice { server in
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

    @Test("lose no key to a deletion of before, once the name is somebody else's")
    func overtaken() async throws {
        try await withAlice { server in
            try await server.call("todomate_remove_account", "alice", "purge")
            let mark = try await server.cli("HGET", "todomate:{alice}:profile", "purging")
            #expect(try await server.call("todomate_purge_stray", "alice", "old", mark) == "0")
            let refused = try await server.cli(
                "FCALL",
                "todomate_purge_stray",
                "1",
                "todomate:{alice}",
                "profile",
                mark
            )
            #expect(refused.contains("TODOMATE_INVALID"))
            #expect(try await server.todomate("user", "remove", "--purge", "alice").ending == .exit(0))
            try await server.cli("HSET", "todomate:{alice}:reactions:t1", "bob", "🎉")
            for name in ["reactions:t1", "todos"] {
                let late = try await server.cli("FCALL", "todomate_purge_stray", "1", "todomate:{alice}", name, mark)
                #expect(late.contains("TODOMATE_CONFLICT"), "\(late)")
            }
            #expect(try await server.cli("EXISTS", "todomate:{alice}:reactions:t1") == "1")
        }
    }

    @Test("leave nothing, on either side of a pair, and others go on")
    func complete() async throws {
        try await withAlice { server in
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

    @Test("leave nothing either where somebody who is leaving has their reaction")
    func leaving() async throws {
        try await withAlice { server in
            let left = try await server.todomate("user", "leave", "bob")
            #expect(left.ending == .exit(0), "\(left.errors)")
            let outcome = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(outcome.ending == .exit(0), "\(outcome.errors)")
            try await expectNothing(of: "alice", on: server)
            let refused = try await server.todomate("add", "bob", "bread")
            #expect(refused.errors.contains("todomate user stay"), "\(refused.errors)")
        }
    }

    @Test("are found where that was interrupted, cannot come back meanwhile, and go on from there")
    func interrupted() async throws {
        try await withAlice { server in
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

    @Test("have to be marked before anything of theirs is deleted")
    func unmarked() async throws {
        try await withAlice { server in
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
