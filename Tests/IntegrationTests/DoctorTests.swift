import EventLoop
import Foundation
import TestServers
import Testing

/// What is checked of a cluster as such is in `ClusterDoctorTests`.
@Suite("todomate doctor")
@LoopActor
struct DoctorTests {
    private func examine(_ server: RedisServer, _ words: String...) async throws -> (DoctorAnswer, code: Int32?) {
        try DoctorAnswer.read(try await server.todomate(["doctor", "--json"] + words))
    }

    /// Runs `body` with a Redis that there is nothing to say about.
    private func withSoundRedis(_ body: @LoopActor (RedisServer) async throws -> Void) async throws {
        try await withRedis("--appendonly", "yes", "--aof-load-truncated", "no", body: body)
    }

    @Test("finds nothing wrong with a Redis that is set up well")
    func healthy() async throws {
        try await withSoundRedis { server in
            for number in 1...3 { _ = try await server.todomate("add", "alice", "x", "--id", "t\(number)") }
            _ = try await server.todomate("remove", "alice", "t2")
            let (report, code) = try await examine(server)
            #expect(code == 0 && report.healthy)
            #expect(report.findings.allSatisfy { $0.severity == "ok" && $0.advice == nil }, "\(report.findings)")
            #expect(report.finding("keys", "2 todos of 1 user: ") != nil)
            let text = try await server.todomate("doctor")
            #expect(text.ending == .exit(0) && text.output.hasSuffix("\nAll is well.\n"))
        }
    }

    @Test("judges a Redis that loses todos")
    func unhealthy() async throws {
        try await withRedis("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru") { server in
            let (report, code) = try await examine(server)
            #expect(code == 1 && !report.healthy)
            #expect(report.finding("persistence", "nothing is kept")?.severity == "error")
            #expect(report.finding("eviction", "allkeys-lru")?.advice?.contains("noeviction") == true)
            #expect(report.finding("functions", "not there yet")?.severity == "note")
            #expect(try await server.cli("DBSIZE") == "0")
            #expect(try await server.cli("FUNCTION", "LIST") == "", "looking changes nothing")
            try await server.cli("CONFIG", "SET", "save", "3600 1")
            try await server.cli("CONFIG", "SET", "maxmemory-policy", "noeviction")
            let (_, doubtful) = try await examine(server)
            #expect(doubtful == 2)
        }
    }

    @Test("repairs what todos and index disagree about, and nothing else; boards hear of it")
    func repair() async throws {
        try await withSoundRedis { server in
            for number in 1...4 {
                _ = try await server.todomate("add", "alice", "x", "--id", "t\(number)", "-d", "2026-11-20")
            }
            let key = "todomate:{alice}"
            let before = try await server.cli("HMGET", key + ":todos", "t1", "t2", "t3", "t4")
            let sound = try await server.cli("ZRANGE", key + ":days", "0", "-1", "WITHSCORES")
            try await server.cli("ZREM", key + ":days", "t1")
            try await server.cli("ZADD", key + ":days", "20200101", "t2", "20261120", "ghost", "20261120", "odd id\"")
            try await server.cli("HSET", key + ":todos", "bad", "garbage")
            let (found, code) = try await examine(server)
            #expect(code == 1)
            let finding = try #require(found.finding("keys", "alice: "))
            #expect(finding.severity == "error" && finding.advice == "todomate doctor --repair")
            for id in ["t1", "t2", "ghost", "odd id"] { #expect(finding.message.contains(id)) }
            #expect(!finding.message.contains("t3") && !finding.message.contains("bad"))
            #expect(found.finding("keys", "cannot be read: bad")?.severity == "error")
            #expect(try await server.log(of: "alice").count == 4, "looking changes nothing")
            try await withWorker(on: server) { worker in
                let (repaired, code) = try await examine(server, "--repair")
                #expect(code == 1, "what is garbage stays")
                #expect(repaired.finding("keys", "(repaired)")?.severity == "note")
                try await eventually("it came") { worker.versions == [5, 6] }
            }
            #expect(try await server.cli("ZRANGE", key + ":days", "0", "-1", "WITHSCORES") == sound)
            try await server.cli("HDEL", key + ":todos", "bad")
            #expect(try await server.cli("HMGET", key + ":todos", "t1", "t2", "t3", "t4") == before)
            let (after, healthy) = try await examine(server)
            #expect(healthy == 0 && after.healthy, "\(after.findings)")
        }
    }

    @Test("lifts the count of versions above every revision when the log was deleted")
    func deletedLog() async throws {
        try await withSoundRedis { server in
            for number in 1...5 { _ = try await server.todomate("add", "alice", "x", "--id", "t\(number)") }
            try await server.cli("DEL", "todomate:{alice}:log")
            let (found, _) = try await examine(server)
            #expect(found.finding("keys", "t5 at a later revision than the log has versions")?.severity == "error")
            let (_, code) = try await examine(server, "--repair")
            #expect(code == 0)
            let next = try await server.call("todomate_add", "alice", #"{"content":"x","date":"2026-11-20"}"#)
            #expect(next.hasPrefix(#"{"id":"6-"#))
        }
    }

    @Test("finds followings that were left half-way, lost on one side or edited by hand, and repairs them")
    func followings() async throws {
        try await withSoundRedis { server in
            for name in ["carol", "dave"] {
                _ = try await server.todomate("follow", name, "bob")
                _ = try await server.todomate("accept", "bob", name)
            }
            let (sound, healthy) = try await examine(server)
            #expect(healthy == 0 && sound.finding("following", "2 followings: both sides agree") != nil)
            // Alice's command died before bob's side heard of it; bob's has lost carol, and has erin, who never asked.
            _ = try await server.call("todomate_follow", "alice", "bob")
            try await server.cli("ZREM", "todomate:{bob}:followers", "carol")
            try await server.cli("ZADD", "todomate:{bob}:followers", "5", "erin", "6", "no user")
            let (found, code) = try await examine(server)
            #expect(code == 1)
            #expect(
                found.finding("following", "alice and bob, bob and carol, bob and erin")?.advice
                    == "todomate doctor --repair"
            )
            let nobody = "todomate:{bob}:followers has an entry that cannot be read: no user"
            #expect(found.finding("following", nobody)?.severity == "error")
            #expect(try await server.cli("HKEYS", "todomate:{alice}:unsettled") == "bob", "looking changes nothing")
            try await server.cli("ZREM", "todomate:{bob}:followers", "no user")
            let (repaired, after) = try await examine(server, "--repair")
            #expect(after == 0 && repaired.finding("following", "(repaired)")?.severity == "note")
            let (again, well) = try await examine(server)
            #expect(well == 0 && again.finding("following", "4 followings") == nil, "\(again.findings)")
            #expect(again.finding("following", "3 followings: both sides agree") != nil)
            // Nobody sees more than bob has granted for sure: carol asks again, erin is gone.
            let followers = try await server.todomate("followers", "bob").output
            #expect(followers.hasPrefix("dave") && followers.split(separator: "\n").count == 1)
            let requests = try await server.todomate("followers", "bob", "--requests").output
            #expect(requests.contains("alice") && requests.contains("carol"))
        }
    }

    @Test("repairs wrong counts of open todos")
    func counts() async throws {
        try await withSoundRedis { server in
            for number in 1...3 {
                _ = try await server.todomate("add", "alice", "x", "--id", "t\(number)", "-d", "2026-11-20")
            }
            _ = try await server.todomate("done", "alice", "t3")
            try await server.cli("HSET", "todomate:{alice}:open", "20261120", "7", "20261121", "1")
            let (found, code) = try await examine(server)
            #expect(code == 1 && found.finding("keys", "alice: the counts of open todos are wrong") != nil)
            let (_, after) = try await examine(server, "--repair")
            #expect(after == 0)
            #expect(try await server.cli("HGET", "todomate:{alice}:open", "20261120") == "2")
            let (_, well) = try await examine(server)
            #expect(well == 0)
        }
    }

    @Test("weighs the todos, and repairs what the log says of that", arguments: ["5", "900000"])
    func weight(_ said: String) async throws {
        try await withSoundRedis { server in
            for number in 1...3 { _ = try await server.todomate("add", "alice", "x", "--id", "t\(number)") }
            for person in ["bob", "carol"] { _ = try await server.call("todomate_react", "alice", "t1", person, "🎉") }
            let (_, sound) = try await examine(server)
            #expect(sound == 0, "reactions weigh nothing")
            let profile = try await server.call("todomate_profile", "alice")
            let bytes = try #require(profile.firstMatch(of: /"bytes":(\d+)/)?.1)
            let message = #"{"id":"9-9","type":"settings","settings":{}}"#
            try await server.cli("XADD", "todomate:{alice}:log", "9-9", "change", message, "bytes", said)
            let (found, code) = try await examine(server)
            let grouped = bytes.count > 3 ? bytes.dropLast(3) + "," + bytes.suffix(3) : bytes
            let finding = found.finding("keys", "alice: the todos take \(grouped) bytes, and the log says ")
            #expect(code == 1 && finding?.advice == "todomate doctor --repair", "\(found.findings)")
            let (_, after) = try await examine(server, "--repair")
            #expect(after == 0)
            #expect(try await server.call("todomate_profile", "alice").contains(#""bytes":\#(bytes),"#))
            let log = try await server.log(of: "alice")
            #expect(log.last?.hasPrefix(#"{"id":"10-"#) == true && log.last?.contains("was") == false, "\(log)")
            let (_, well) = try await examine(server, "--repair")
            #expect(well == 0)
            #expect(try await server.log(of: "alice") == log, "what is right is left alone")
        }
    }

    @Test("repairs what an account has that is to be deleted, which stays so", arguments: [false, true])
    func leaving(_ losesLog: Bool) async throws {
        try await withSoundRedis { server in
            for uid in ["alice", "bob"] {
                _ = try await server.todomate("add", uid, "x", "--id", "t1", "-d", "2026-11-20")
                try await server.cli("HSET", "todomate:{\(uid)}:profile", "password", GatewayProcess.passwordHash)
                try await server.cli("HSET", "todomate:{\(uid)}:open", "20261121", "7")
                try await server.cli("ZREM", "todomate:{\(uid)}:days", "t1")
            }
            let left = try await server.todomate("user", "leave", "alice")
            #expect(left.ending == .exit(0), "\(left.errors)")
            if losesLog { try await server.cli("DEL", "todomate:{alice}:log") }
            let message = #"{"id":"99-99","type":"settings","settings":{}}"#
            let due = try await server.cli("HGET", "todomate:{alice}:profile", "leaving")
            if !losesLog {
                let words = ["99-99", "change", message, "bytes", "5", "leaving", due]
                _ = try await server.cli(["XADD", "todomate:{alice}:log"] + words)
            }
            let (repaired, code) = try await examine(server, "--repair")
            #expect(code == 0, "\(repaired.findings)")
            let (well, after) = try await examine(server)
            #expect(after == 0, "\(well.findings)")
            for uid in ["alice", "bob"] {
                #expect(try await server.cli("ZSCORE", "todomate:{\(uid)}:days", "t1") == "20261120")
            }
            let refused = try await server.todomate("add", "alice", "bread")
            #expect(refused.ending == .exit(65) && refused.errors.contains("todomate user stay"), "\(refused.errors)")
            #expect(try await server.todomate("user", "stay", "alice").ending == .exit(0))
            #expect(try await server.todomate("add", "alice", "bread").ending == .exit(0))
        }
    }

    @Test("notes the names of accounts that something else made, so that nobody gets one that looks the same")
    func looks() async throws {
        try await withSoundRedis { server in
            _ = try await server.todomate("library", "load")
            for uid in ["alice", "bob", "carol"] { try await server.call("todomate_enroll", uid, "$hash") }
            let message = "others can make accounts whose names look like alice and 2 more"
            let (found, code) = try await examine(server)
            #expect(code == 0 && found.findings.contains { $0.message == message && $0.advice != nil })
            #expect(try await server.cli("EXISTS", "todomate:alike:allce") == "0", "it only looks")
            let (repaired, _) = try await examine(server, "--repair")
            #expect(repaired.findings.contains { $0.message == message + " (repaired)" })
            let (after, _) = try await examine(server)
            #expect(after.findings.allSatisfy { $0.severity == "ok" }, "\(after.findings)")
        }
    }

    @Test("finds identities that are said to belong to users who know nothing of them")
    func identities() async throws {
        try await withSoundRedis { server in
            let names = ["a", "b", "c"].map { String(repeating: $0, count: 22) }
            let details = #"{"provider":"acme"}"#
            _ = try await server.todomate("library", "load")
            try await server.call("todomate_claim_identity", names[0], "alice", "")
            try await server.call("todomate_enroll_by_identity", "alice", "$none$", names[0], details)
            _ = try await examine(server, "--repair")
            let (well, healthy) = try await examine(server)
            #expect(healthy == 0 && well.findings.allSatisfy { $0.severity == "ok" }, "\(well.findings)")
            // Of nobody, of somebody who has others, and of no name at all.
            for (name, user) in zip(names[1...], ["alice", "no user"]) {
                try await server.cli("HSET", "todomate:{\(name)}:identity", "user", user)
            }
            let (found, code) = try await examine(server)
            #expect(code == 0, "they count for nothing")
            let advice = found.findings.filter { $0.topic == "identities" }.map(\.advice)
            #expect(advice == names[1...].map { "redis-cli DEL 'todomate:{\($0)}:identity'" })
        }
    }

    @Test("finds keys of wrong types, leftovers, addresses that stay for ever, and a log that ends in nonsense")
    func keys() async throws {
        try await withSoundRedis { server in
            try await server.cli("RPUSH", "todomate:{zoe}:todos", "x")
            try await server.cli("SET", "todomate:{alice}:colour", "blue")
            try await server.cli("SET", "todomate:{a b}:todos", "x")
            try await server.cli("ZADD", "todomate:{alice}:addresses", "1", "127.0.0.1")
            try await server.cli("XADD", "todomate:{bob}:log", "7-1", "foo", "bar")
            let (report, code) = try await examine(server)
            #expect(code == 1)
            #expect(report.finding("keys", "todomate:{zoe}:todos is a list, not a hash")?.severity == "error")
            #expect(
                report.finding("keys", "TodoMate does not use todomate:{a b}:todos, todomate:{alice}:colour")?.severity
                    == "note"
            )
            #expect(report.finding("keys", "todomate:{alice}:addresses stays for ever")?.severity == "warning")
            #expect(
                report.finding("keys", "log of bob ends with 7-1")?.advice == "redis-cli XDEL 'todomate:{bob}:log' 7-1"
            )
        }
    }

    @Test("names what a Redis user may not do, and gets along with one who may not look")
    func permissions() async throws {
        try await withRedis { server in
            let port = try await server.openPort()
            try await server.cli(
                "ACL",
                "SETUSER",
                "some",
                "on",
                ">secret",
                "~todomate:*",
                "&other:*",
                "+@all",
                "-xadd",
                "-hset"
            )
            try await server.cli(
                "ACL",
                "SETUSER",
                "few",
                "on",
                ">secret",
                "~todomate:*",
                "&todomate:*",
                "+@all",
                "-@dangerous",
                "-acl"
            )
            let some = try await server.todomate("doctor", "--redis", "redis://some:secret@127.0.0.1:\(port)/0")
            #expect(some.ending == .exit(1))
            #expect(
                some.output.contains("the Redis user 'some' may not do: hset, psubscribe, publish, subscribe, xadd")
            )
            let few = try await server.todomate("doctor", "--redis", "redis://few:secret@127.0.0.1:\(port)/0")
            #expect(few.ending == .exit(2) && few.output.contains("may not run INFO"), "\(few.output)")
        }
    }

    @Test("--ready asks the worker where it listens, or Redis, and ends with 0 or 1")
    func ready() async throws {
        try await withRedis { server in
            let none = try await server.todomate("doctor", "--ready")
            #expect(none.ending == .exit(1) && none.errors.contains("no functions yet"))
            let port = try freePort()
            let nobody = try await server.todomate("doctor", "--ready", "--listen", "127.0.0.1:\(port)")
            #expect(
                nobody.ending == .exit(1)
                    && nobody.errors.contains("no worker answers at http://127.0.0.1:\(port)/readyz")
            )
            let gateway = try await GatewayProcess(on: server, port: port)
            for words in [["--listen", "0.0.0.0:\(port)"], ["--listen", "127.0.0.1:\(port)"], []] {
                let outcome = try await server.todomate(["doctor", "--ready"] + words)
                #expect(outcome.ending == .exit(0) && outcome.output == "ready\n", "\(words): \(outcome.errors)")
            }
            await server.crash()
            for words in [["--listen", "127.0.0.1:\(port)"], ["--timeout", "300ms"]] {
                let outcome = try await server.todomate(["doctor", "--ready"] + words)
                #expect(outcome.ending == .exit(1) && outcome.errors.contains("not ready: "), "\(words): \(outcome)")
            }
            try await gateway.finish()
        }
    }

    @Test("says so when Redis cannot be reached")
    func unreachable() async throws {
        let outcome = try await Program.run(
            "todomate",
            ["doctor", "--redis", "unix:///nowhere.sock", "--timeout", "200ms"]
        )
        #expect(outcome.ending == .exit(69) && outcome.output == "" && outcome.errors.contains("/nowhere.sock"))
    }
}
