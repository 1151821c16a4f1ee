import EventLoop
import TestServers
import Testing

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("The functions under an operation id", .serialized)
@LoopActor
struct OperationFunctionTests {
    private static let key = "todomate:{alice}:operations"
    private static let draft = #"{"id":"t1","content":"x","date":"2026-11-20"}"#

    /// The answer of `todomate_once`: whether it was done before, the function's answer, and what was kept.
    private func once(_ functions: Functions, _ id: String, _ words: String..., print: String = "") async -> String {
        await functions.whole("once", [id, print] + words)
    }

    @Test("answer a repetition with the very same words, and write nothing")
    func repeats() async throws {
        try await withFunctions { functions, server in
            let first = await once(functions, "one", "add", Self.draft)
            let log = try await server.log(of: "alice")
            #expect(first == "0\n\(log[0])\n")
            _ = await functions("remove", "t1")
            #expect(await once(functions, "one", "add", Self.draft) == "1\n\(log[0])\n")
            #expect(try await server.log(of: "alice").count == 2)
            // Arrays, with the errors in them.
            let lines = [#"{"id":"t1","uid":"alice","content":"x","date":"2026-11-20"}"#, #"{"uid":"bob"}"#]
            let imported = await once(functions, "two", "import", "add", lines[0], lines[1])
            #expect(imported.hasPrefix("0\n"))
            #expect(await once(functions, "two", "import", "add", lines[0], lines[1]) == "1\(imported.dropFirst())")
            #expect(try await server.log(of: "alice").count == 3)
        }
    }

    @Test("refuse what is no operation, and remember no refusal")
    func refusals() async throws {
        try await withFunctions { functions, server in
            let long = String(repeating: "x", count: 129)
            for (id, print, words, code) in [
                ("", "", ["add", Self.draft], "INVALID"), (long, "", ["add", Self.draft], "INVALID"),
                ("a\nb", "", ["add", Self.draft], "INVALID"), ("é", "", ["add", Self.draft], "INVALID"),
                ("a\0", "", ["add", Self.draft], "INVALID"), ("a", "no print", ["add", Self.draft], "INVALID"),
                ("a", String(repeating: "f", count: 65), ["add", Self.draft], "INVALID"),
                ("a", "", ["add"], "USAGE"), ("a", "", ["add", Self.draft, "more"], "USAGE"),
                ("a", "", ["nothing"], "USAGE"), ("a", "", ["once", "b", "", "add", Self.draft], "USAGE"),
                ("a", "", ["hide", "update", "t1", "{}"], "USAGE"), ("a", "", ["get", "t1"], "USAGE"),
                ("a", "", ["enroll", "$argon2id$x"], "USAGE"), ("a", "", ["set_password", "$argon2id$x"], "USAGE"),
                ("a", "", ["begin_session", "{}"], "USAGE"), ("a", "", ["remove_account", "purge"], "USAGE"),
                ("a", "", ["invite", "{}"], "USAGE"), ("a", "", ["add", "{}"], "INVALID"),
                ("a", "", ["remove", "t1"], "NOT_FOUND"),
            ] as [(String, String, [String], String)] {
                let answer = await functions.whole("once", [id, print] + words)
                #expect(answer.hasPrefix("TODOMATE_\(code) "), "\(id) \(words): \(answer)")
            }
            let keys = try await server.cli("KEYS", "todomate:{alice}*")
            #expect(keys == "")
            #expect(await functions("keep_answer", "a", "x").hasPrefix("TODOMATE_NOT_FOUND "))
            #expect(await functions("keep_answer", "", "x").hasPrefix("TODOMATE_INVALID "))
            #expect(await functions("keep_answer", "a", "").hasPrefix("TODOMATE_INVALID "))
        }
    }

    @Test("tell requests apart by their words, or by what the caller says")
    func fingerprints() async throws {
        try await withFunctions { functions, server in
            _ = await once(functions, "one", "add", Self.draft)
            for words in [["add", Self.draft + " "], ["remove", "t1"], ["update", "t1", "{}"]] {
                let answer = await functions("once", ["one", ""] + words)
                #expect(answer.hasPrefix("TODOMATE_REUSED the operation id one was used"), "\(words): \(answer)")
            }
            // Where a word ends is a part of it.
            _ = await once(functions, "split", "follow", "bob", "11")
            #expect(await once(functions, "split", "follow", "bob1", "1").hasPrefix("TODOMATE_REUSED "))
            _ = await once(functions, "two", "update", "t1", #"{"content":"a"}"#, print: "p1")
            let other = await once(functions, "two", "update", "t1", #"{"content":"b"}"#, print: "p1")
            #expect(other.hasPrefix("1\n") && other.contains(#""content":"a""#))
            #expect(await once(functions, "two", "update", "t1", "{}", print: "p2").hasPrefix("TODOMATE_REUSED "))
            let log = try await server.log(of: "alice")
            #expect(log.count == 3)
        }
    }

    @Test("keep what was answered in the end, the first time it is said")
    func keeps() async throws {
        try await withFunctions { functions, server in
            let first = await once(functions, "one", "add", Self.draft)
            #expect(await functions("keep_answer", "one", "in the\nend") == "in the\nend")
            #expect(await functions("keep_answer", "one", "other") == "in the\nend")
            #expect(await once(functions, "one", "add", Self.draft) == "1\(first.dropFirst())in the\nend")
            let large = String(repeating: "x", count: 262_145)
            #expect(await functions("keep_answer", "one", large).hasPrefix("TODOMATE_INVALID "))
            let (counted, there) = (try await bytes(server), try await weight(server))
            #expect(counted == there)
        }
    }

    /// What is counted, and what is there.
    private func bytes(_ server: RedisServer) async throws -> Int {
        let bounds = try await server.cli("HGET", Self.key, "bounds").split(separator: " ")
        return try #require(Int(bounds[2]))
    }

    private func weight(_ server: RedisServer) async throws -> Int {
        let names = try await server.cli("HKEYS", Self.key).split(separator: "\n").filter { $0.hasPrefix(" ") }
        var sum = 0
        for name in names {
            sum += 2 * name.utf8.count + (Int(try await server.cli("HSTRLEN", Self.key, String(name))) ?? 0)
        }
        return sum
    }

    @Test("forget after a day, by Redis's clock, and all of a user's a day after the last")
    func time() async throws {
        try await withFunctions { functions, server in
            _ = await once(functions, "one", "follow", "bob")
            _ = await once(functions, "two", "follow", "carol")
            let left = Int(try await server.cli("TTL", Self.key)) ?? 0
            #expect((86_340...86_400).contains(left))
            func age(_ name: String, by seconds: Int) async throws {
                let record = try await server.cli("HGET", Self.key, " \(name)")
                let parts = record.split(separator: " ", maxSplits: 2)
                let then = try #require(Int(parts[1])) - seconds
                try await server.cli("HSET", Self.key, " \(name)", "\(parts[0]) \(then) \(parts[2])")
            }
            try await age("one", by: 86_390)
            #expect(await once(functions, "one", "follow", "bob").hasPrefix("1\n"))
            try await age("one", by: 10)
            _ = await functions("unfollow", "bob")
            #expect(await once(functions, "one", "follow", "bob").hasPrefix("0\n"), "it is done again")
            #expect(await once(functions, "one", "follow", "bob").hasPrefix("1\n"))
            #expect(await once(functions, "two", "follow", "carol").hasPrefix("1\n"))
            // With the clock set back, what is of later is remembered.
            try await age("two", by: -100_000)
            #expect(await once(functions, "two", "follow", "carol").hasPrefix("1\n"))
        }
    }

    @Test("take room for a thousand, and for 2 MiB, of which the latest are remembered", .timeLimit(.minutes(3)))
    func room() async throws {
        try await withFunctions { functions, server in
            for number in 0..<1100 { _ = await once(functions, "f\(number)", "follow", "user\(number)") }
            #expect(try await server.cli("HLEN", Self.key) == "2001")
            #expect(await once(functions, "f100", "follow", "user100").hasPrefix("1\n"))
            #expect(try await bytes(server) < 300_000)
            _ = await functions("add", Self.draft)
            // 30,000 bytes each.
            let detail = String(repeating: "무", count: 9990)
            for number in 0..<150 {
                _ = await once(functions, "d\(number)", "update", "t1", #"{"detail":"\#(number)\#(detail)"}"#)
            }
            let counted = try await bytes(server)
            #expect((1_900_000...2_097_152).contains(counted))
            let memory = try #require(Int(try await server.cli("MEMORY", "USAGE", Self.key, "SAMPLES", "0")))
            #expect(memory < 4_000_000, "\(memory)")
            let last = await once(functions, "d149", "update", "t1", #"{"detail":"149\#(detail)"}"#)
            #expect(last.hasPrefix("1\n") && last.contains("149\(detail)"))
            let lost = await once(functions, "d0", "update", "t1", #"{"detail":"0\#(detail)"}"#)
            #expect(lost.hasPrefix("0\n"))
        }
    }

    @Test("hide and take away when memory is full, once, and nothing else")
    func full() async throws {
        try await withFunctions { functions, server in
            _ = await functions("add", Self.draft)
            _ = await functions("add", #"{"id":"t2","content":"x","date":"2026-11-20","visibility":"public"}"#)
            let earlier = await once(functions, "zero", "update", "t2", #"{"content":"y"}"#)
            try await server.cli("CONFIG", "SET", "maxmemory", "1")
            let again = ["once", "zero", "", "update", "t2", #"{"content":"y"}"#]
            #expect(await functions.whole("hide", again) == "1\(earlier.dropFirst())", "it was done before")
            #expect(await once(functions, "one", "remove", "t1").hasPrefix("OOM "))
            let removed = await functions.whole("hide", ["once", "one", "", "remove", "t1"])
            #expect(removed.hasPrefix("0\n") && removed.contains(#""type":"removed""#))
            #expect(await functions.whole("hide", ["once", "one", "", "remove", "t1"]) == "1\(removed.dropFirst())")
            let hide = ["once", "two", "", "update", "t2", #"{"visibility":"private"}"#]
            #expect(await functions.whole("hide", hide).hasPrefix("0\n"))
            let show = ["once", "three", "", "update", "t2", #"{"visibility":"public"}"#]
            #expect(await functions.whole("hide", show).hasPrefix("OOM "))
            for (words, code) in [
                (["add", Self.draft], "OOM"), (["follow", "bob"], "OOM"),
                (["import", "add"] + [String](repeating: Self.draft, count: 1000), "OOM"),
                (["once", "x", "", "remove", "t2"], "TODOMATE_USAGE"),
            ] {
                #expect(await functions("hide", ["once", "four", ""] + words).hasPrefix("\(code) "), "\(words)")
            }
            #expect(try await server.log(of: "alice").count == 5)
        }
    }

    @Test("say so where their memory was edited by hand, before they write anything")
    func edited() async throws {
        try await withFunctions { functions, server in
            _ = await once(functions, "one", "add", Self.draft)
            for (field, value) in [("bounds", "1 x"), (" two", "nonsense")] {
                try await server.cli("HSET", Self.key, field, value)
                let answer = await once(functions, "two", "remove", "t1")
                #expect(answer.hasPrefix("TODOMATE_CORRUPT \(Self.key) was edited by hand: DEL it"), "\(answer)")
                try await server.cli("HDEL", Self.key, field)
            }
            try await server.cli("DEL", Self.key)
            try await server.cli("SET", Self.key, "x")
            #expect(await once(functions, "two", "remove", "t1").hasPrefix("TODOMATE_CORRUPT "))
            #expect(try await server.log(of: "alice").count == 1)
        }
    }

    @Test("forget what is said of an account with it")
    func gone() async throws {
        try await withFunctions { functions, server in
            _ = await functions("enroll", "$argon2id$x")
            _ = await once(
                functions,
                "one",
                "add",
                #"{"id":"t1","content":"x","date":"2026-11-20","visibility":"public"}"#
            )
            _ = await once(functions, "one", "react", "t1", "bob", "👍")
            let before = try await server.cli("EXISTS", Self.key, "todomate:{alice}:visits")
            #expect(before == "2")
            _ = await functions("remove_account")
            let after = try await server.cli("EXISTS", Self.key, "todomate:{alice}:visits")
            #expect(after == "0")
            _ = await once(functions, "one", "follow", "bob")
            _ = await functions("remove_account", "purge")
            _ = await once(functions, "two", "unfollow", "bob")
            _ = await functions("purge")
            let keys = try await server.cli("KEYS", "todomate:{alice}*")
            #expect(keys == "")
        }
    }
}
