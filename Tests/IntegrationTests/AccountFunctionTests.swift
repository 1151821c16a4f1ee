import EventLoop
import TestServers
import Testing

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("The functions that sign in")
@LoopActor
struct AccountFunctionTests {
    @Test("remember the last twenty addresses of an account, and tell which those are")
    func addresses() async throws {
        try await withFunctions { call, server in
            try await server.cli("HSET", "todomate:{alice}:profile", "password", "$argon2id$x")
            #expect(await call("login", "192.0.2.1") == "$argon2id$x", "and no 1 after it")
            for number in 1...25 {
                #expect(await call("logged_in", "192.0.2.\(number)") == "OK")
                // Those of one second are in no order of time.
                try await server.cli("ZADD", "todomate:{alice}:addresses", "XX", "\(number)", "192.0.2.\(number)")
            }
            #expect(try await server.cli("ZCARD", "todomate:{alice}:addresses") == "20")
            for (number, isKnown) in [(5, "0"), (6, "1"), (25, "1")] {
                let known = try await server.call("todomate_login", "alice", "192.0.2.\(number)")
                #expect(known == "$argon2id$x\n\(isKnown)")
            }
            #expect(await call("logged_in", "20010db800000000/64") == "OK")
            let seconds = Int(try await server.cli("TTL", "todomate:{alice}:addresses")) ?? -1
            #expect((15_551_000...15_552_000).contains(seconds))
        }
    }

    @Test("write nothing for who has no password, and take nothing for an address that is none")
    func nothing() async throws {
        try await withFunctions { call, server in
            #expect(try await server.call("todomate_login", "alice", "192.0.2.1") == "0", "no hash")
            #expect(await call("logged_in", "192.0.2.1").hasPrefix("TODOMATE_NOT_FOUND alice has no password"))
            try await server.cli("HSET", "todomate:{alice}:profile", "audience", "public")
            #expect(await call("logged_in", "192.0.2.1").hasPrefix("TODOMATE_NOT_FOUND"))
            for address in ["", "x y", "192.0.2.1\n", String(repeating: "1", count: 65)] {
                #expect(await call("login", address).hasPrefix("TODOMATE_INVALID"))
                #expect(await call("logged_in", address).hasPrefix("TODOMATE_INVALID"))
            }
            #expect(try await server.cli("KEYS", "*") == "todomate:{alice}:profile")
        }
    }

    @Test("hide, whether memory is full or not, and do nothing else")
    func hide() async throws {
        try await withFunctions { call, server in
            let draft = #"{"id":"t","content":"milk","date":"2026-11-20","visibility":"followers"}"#
            #expect(await call("add", draft).hasPrefix("{"))
            #expect(await call("react", "t", "bob", "👍").hasPrefix("{") == false, "bob sees it not")
            #expect(await call("react", "t", "alice", "👍").hasPrefix("{"))
            for isFull in [false, true] {
                if isFull { try await server.cli("CONFIG", "SET", "maxmemory", "100kb") }
                let before = try await server.log(of: "alice")
                for words in [
                    ["update", "t", #"{"visibility":"public"}"#], ["update", "t", #"{"content":"x"}"#],
                    ["update", "t", #"{"visibility":"private","content":"x"}"#], ["update", "t", #"{"visibility":1}"#],
                    ["update", "t", #"{"visibility":"nobody"}"#], ["settings", #"{"audience":"public"}"#],
                    ["settings", #"{"feedSeen":5}"#], ["settings", #"{"audience":{}}"#], ["react", "t", "alice", "🎉"],
                ] {
                    #expect(await call("hide", words).hasPrefix("OOM "), "\(words)")
                }
                for words in [
                    ["add", "{}"], ["update", "t"], ["settings", "{}", "x"], ["react", "t", "alice"], ["hide", "hide"],
                ] {
                    #expect(await call("hide", words).hasPrefix("TODOMATE_USAGE"), "\(words)")
                }
                #expect(await call("hide", "update", "x", #"{"visibility":"private"}"#).hasPrefix("TODOMATE_NOT_FOUND"))
                #expect(await call("hide", "update", "t", "no").hasPrefix("TODOMATE_INVALID"))
                #expect(try await server.log(of: "alice") == before, "nothing was written")
            }
            let stale = await call("hide", "update", "t", #"{"visibility":"private"}"#, "9-9")
            #expect(stale.hasPrefix("TODOMATE_CONFLICT"))
            let hidden = await call("hide", "update", "t", #"{"visibility":"private"}"#)
            #expect(hidden.contains(#""was":{"visibility":"followers"}"#))
            #expect(await call("hide", "update", "t", #"{"visibility":"private"}"#).hasPrefix(#"{"type":"unchanged""#))
            #expect(await call("hide", "react", "t", "alice", "").contains("reactions") == false)
            #expect(await call("hide", "settings", #"{"audience":"private"}"#).contains(#""audience":"private""#))
        }
    }

    @Test("are refused where Redis refuses writes, and then alone")
    func writable() async throws {
        try await withFunctions { call, server in
            let words = ["todomate_writable", "0"]
            #expect(await call.raw(words) == "1")
            try await server.cli("CONFIG", "SET", "maxmemory", "100kb")
            #expect(await call.raw(words).hasPrefix("OOM "))
            try await server.cli("CONFIG", "SET", "maxmemory", "0", "min-replicas-to-write", "1")
            #expect(await call.raw(words).hasPrefix("NOREPLICAS "))
            try await server.cli("CONFIG", "SET", "min-replicas-to-write", "0")
            #expect(await call.raw(words) == "1")
        }
    }

    @Test("let nobody block more than ten thousand")
    func blocked() async throws {
        try await withFunctions { call, server in
            #expect(await call("block", "first").hasPrefix("{"))
            let many = (1..<10_000).flatMap { ["1", "u\($0)"] }
            for start in stride(from: 0, to: many.count, by: 2000) {
                let part = many[start..<min(start + 2000, many.count)]
                _ = try await Program.run(
                    "redis-cli",
                    ["-s", "\(server.url)", "ZADD", "todomate:{alice}:blocked"] + part
                )
            }
            let line = #"{"uid":"alice","with":"more","list":"blocked","at":1}"#
            #expect(await call("block", "more").hasPrefix("TODOMATE_FULL alice has blocked 10000 users already"))
            #expect(await call("restore", "add", line).hasPrefix("TODOMATE_FULL"))
            #expect(await call("block", "first").hasPrefix(#"{"type":"unchanged""#))
            #expect(await call("unblock", "first").hasPrefix("{"))
            #expect(await call("block", "more").hasPrefix("{"))
        }
    }
}
