import EventLoop
import RedisClient
import TestServers
import Testing
import TodoMate

@Suite("A device that is named to the functions", .serialized)
@LoopActor
struct DeviceFunctionTests {
    private static let laptop = "Firefox on Linux"
    private static let log = "todomate:{alice}:log"

    private func todo(_ id: String) -> String { #"{"id":"\#(id)","uid":"alice","content":"x","date":"2026-11-20"}"# }

    /// By which device the last change was written, as the log has it.
    private func lastDevice(_ server: RedisServer) async throws -> String? {
        let lines = try await server.cli("XREVRANGE", Self.log, "+", "-", "COUNT", "1").split(separator: "\n").map(
            String.init
        )
        return lines.firstIndex(of: "device").map { lines[$0 + 1] }
    }

    @Test("is logged with whatever changes something, and told by no message")
    func writes() async throws {
        try await withFunctions { functions, server in
            for words in [
                ["add", todo("t1")], ["update", "t1", #"{"content":"other"}"#], ["import", "add", todo("t2")],
                ["once", "o1", "", "update", "t1", #"{"status":"complete"}"#], ["settings", #"{"name":"Al"}"#],
                ["set_note", "2026-11-20", #"{"detail":"Rain"}"#],
                ["set_goal", #"{"id":"g1","name":"Work","visibility":"public"}"#],
                ["update", "t1", #"{"goal":"g1"}"#],
                ["react", "t1", "alice", "🎉"], ["spread_goal", "g1", "public", "0"],
                ["set_routines", #"{"id":"r1","content":"Run","rule":"FREQ=DAILY","from":"2999-01-01"}"#],
                ["skip_day", "r1", "29990102"], ["split_routine", "r1", "29990103"], ["remove_goal", "g1", "0"],
                ["remove", "t2"],
            ] {
                let before = await functions("latest")
                let answer = await functions.whole("by", [Self.laptop] + words)
                #expect(!answer.contains("Firefox") && !answer.hasPrefix("TODOMATE_"), "\(words): \(answer)")
                #expect(await functions("latest") != before, "\(words)")
                #expect(try await lastDevice(server) == "Firefox on Linux", "\(words)")
                #expect(await !functions("since", before).contains("Firefox"), "\(words)")
            }
            _ = await functions("update", "t1", #"{"content":"by hand"}"#)
            let last = try await lastDevice(server)
            #expect(last == nil)
        }
    }

    @Test(
        "is refused where it is none, and nothing is written",
        arguments: ["", "\t", "a\nb", "é", "\u{7F}", String(repeating: "a", count: 65)]
    )
    func refusals(_ device: String) async throws {
        try await withFunctions { functions, _ in
            let answer = await functions("by", device, "add", todo("t1"))
            #expect(answer.hasPrefix("TODOMATE_INVALID the name of a device must be 1 to 64"), "\(answer)")
            #expect(await functions("by", Self.laptop, "add", "{}").hasPrefix("TODOMATE_INVALID content must"))
            // What failed is not left behind for the next call.
            let next = await functions("add", todo("t1"))
            #expect(next.hasPrefix(#"{"id":"1-"#), "\(next)")
            #expect(await !functions("history", "t1", "", "devices").contains("Firefox"))
        }
    }

    @Test(
        "is taken for no function but those that log it",
        arguments: [
            ["suspend", "spam", "root"], ["leave", "60"], ["stay", ""], ["get", "t1", "bob"], ["restore", "add", "{}"],
            ["meet", "bob", "x"],
            ["forget_reaction", "t1", "bob"], ["purge_stray", "x", "y"], ["by", "curl", "add", "{}"],
            ["hide", "update", "t1", "{}"],
            ["once", "o1", "", "follow", "bob"], ["once", "o1", "", "restore", "add", "{}"], ["once", "o1", ""],
            ["nothing", "x"],
            ["add", "{}", "{}"], ["update", "t1"],
        ]
    )
    func others(_ words: [String]) async throws {
        try await withFunctions { functions, server in
            _ = await functions("add", todo("t1"))
            let answer = await functions("by", [Self.laptop] + words)
            #expect(
                answer.hasPrefix("TODOMATE_USAGE give the name of a device, and a function that logs it"),
                "\(answer)"
            )
            let hidden = await functions("hide", ["by", Self.laptop] + words)
            #expect(hidden.hasPrefix("TODOMATE_USAGE ") || hidden.hasPrefix("OOM "), "\(hidden)")
            #expect(await functions("latest").hasPrefix("1-"))
            let keys = try await server.cli("DBSIZE")
            #expect(keys == "4")
        }
    }

    @Test("is told by a history that is asked for it, and not to older workers, who do not ask")
    func histories() async throws {
        try await withFunctions { functions, _ in
            _ = await functions("by", Self.laptop, "add", todo("t1"))
            _ = await functions("update", "t1", #"{"content":"other"}"#)
            let old = await functions("history", "t1")
            #expect(!old.contains("Firefox") && old.contains(#""type":"added""#))
            #expect(await functions("history", "t1", "", "devices").contains("Firefox on Linux"))
            #expect(await functions("history", "t1", "", "else").hasPrefix("TODOMATE_USAGE give devices"))
            #expect(await functions("history", "t1", "x", "devices").hasPrefix("TODOMATE_USAGE "))
        }
    }

    @Test("is logged as well where the log is trimmed, and where memory is full")
    func longLogs() async throws {
        try await withFunctions { functions, server in
            _ = await functions("add", todo("t1"))
            for number in 2...100 {
                let words = [Self.laptop, "update", "t1", #"{"position":\#(number)}"#]
                #expect(await functions("by", words).hasPrefix(#"{"id":"\#(number)-"#))
            }
            #expect(try await lastDevice(server) == "Firefox on Linux", "version 100 trims")
            #expect(await functions("latest").hasPrefix("100-"))
            try await server.cli("CONFIG", "SET", "maxmemory", "100kb")
            for (words, device) in [
                (["update", "t1", #"{"visibility":"private"}"#], "phone"),
                (["once", "o1", "", "remove", "t1"], "laptop"),
            ] {
                #expect(await functions("by", [device] + words).hasPrefix("OOM "))
                let answer = await functions.whole("hide", ["by", device] + words)
                #expect(!answer.hasPrefix("OOM") && !answer.hasPrefix("TODOMATE_"), "\(words): \(answer)")
                #expect(try await lastDevice(server) == device)
            }
            for words in [
                ["by", "phone", "add", todo("t2")], ["by", "phone", "once", "o2", "", "add", todo("t2")],
                ["once", "o3", "", "add", todo("t2")],
                ["by", "phone", "import", "add"] + [String](repeating: todo("t3"), count: 1000),
            ] {
                let answer = await functions("hide", words)
                #expect(answer.hasPrefix("OOM ") && answer.contains("only what removes or hides is done"), "\(answer)")
            }
            #expect(await functions("latest").hasPrefix("102-"))
        }
    }
}
