import EventLoop
import TestServers
import Testing
import TodoMate

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("The import and repair functions, called by hand")
@LoopActor
struct ImportFunctionTests {
    private nonisolated static let good = #"{"id":"t1","uid":"alice","content":"x","date":"2026-11-20"}"#

    @Test("answer for each todo by itself, and log those that are new")
    func answers() async throws {
        try await withFunctions { functions, server in
            let other = Self.good.replacing("\"x\"", with: "\"y\"")
            #expect(
                await functions("import", "add", Self.good, other, "{", Self.good) == """
                    added
                    TODOMATE_EXISTS another todo has the id t1 already
                    TODOMATE_INVALID the todo must be one JSON object of at most 262144 bytes
                    unchanged
                    """
            )
            #expect(await functions("import", "replace", other, other) == "replaced\nunchanged")
            let log = try await server.log(of: "alice")
            #expect(log.count == 2 && log[0].hasPrefix(#"{"id":"1-"#) && log[1].contains(#""type":"modified""#))
            let stored = await functions("get", "t1")
            #expect(log[1].hasSuffix("\"todo\":\(stored)}"))
        }
    }

    @Test(
        "refuse what breaks a bound, and write nothing",
        arguments: [
            ("[]", "one JSON object"), (good.replacing("alice", with: "bob"), "uid must be alice"),
            (good.replacing(#""uid":"alice","#, with: ""), "uid must be alice"),
            (good.replacing(#""id":"t1","#, with: ""), "id must be"), (good.replacing("t1", with: "t/1"), "id must be"),
            (good.replacing(#""content":"x","#, with: ""), "content must be a string"),
            (good.replacing("2026-11-20", with: "2026-02-29"), "date must be"),
            (good.dropLast() + #","colour":"red"}"#, "there is no field colour"),
            (good.dropLast() + #","detail":null}"#, "detail must be a string"),
            (good.dropLast() + #","status":"burnt"}"#, "status must be"),
            (good.dropLast() + #","time":"9:30"}"#, "time must be"),
            (good.dropLast() + #","time":null}"#, "time must be"),
            (good.dropLast() + #","position":9007199254740993}"#, "position must be"),
            (good.dropLast() + #","revision":0}"#, "revision must be"),
            (good.dropLast() + #","revision":1.5}"#, "revision must be"),
            (good.dropLast() + #","revision":1000000000001}"#, "revision must be"),
            (good.dropLast() + #","revision":"1"}"#, "revision must be"),
            (good.dropLast() + #","micros":0}"#, "micros must be"),
            (good.dropLast() + #","createdAt":"2026-11-20"}"#, "createdAt must look like"),
            (good.dropLast() + #","updatedAt":"2026-02-29T09:00:00Z"}"#, "updatedAt must look like"),
            (good.dropLast() + #","updatedAt":"2026-02-20T24:00:00Z"}"#, "updatedAt must look like"),
            (good.dropLast() + #","updatedAt":1}"#, "updatedAt must look like"),
        ] as [(String, String)]
    )
    func bounds(json: String, reason: String) async throws {
        try await withFunctions { functions, server in
            let answer = await functions("import", "add", json)
            #expect(answer.hasPrefix("TODOMATE_INVALID ") && answer.contains(reason), "\(answer)")
            let size = try await server.cli("DBSIZE")
            #expect(size == "0")
        }
    }

    @Test("refuse a call of another shape")
    func shapes() async throws {
        try await withFunctions { functions, _ in
            for (name, words) in [("import", []), ("import", ["add"]), ("import", ["append", Self.good])] {
                #expect(await functions(name, words).hasPrefix("TODOMATE_USAGE "))
            }
            let many = [String](repeating: Self.good, count: 1001)
            #expect(await functions("import", ["add"] + many).hasPrefix("TODOMATE_USAGE "))
            let ids = [String](repeating: "t1", count: 1001)
            #expect(await functions("repair", ids).hasPrefix("TODOMATE_USAGE "))
        }
    }

    @Test("tell todos apart by their time, or its lack")
    func times() async throws {
        try await withFunctions { functions, _ in
            func timed(_ time: String) -> String { Self.good.dropLast() + #","time":"\#(time)"}"# }
            #expect(await functions("import", "add", timed("09:30"), timed("09:30")) == "added\nunchanged")
            #expect(await functions("import", "add", Self.good).hasPrefix("TODOMATE_EXISTS "))
            #expect(await functions("import", "replace", timed("21:15")) == "replaced")
            #expect(await functions("get", "t1").contains(#""time":"21:15""#))
            #expect(
                await functions("import", "replace", Self.good, Self.good, timed(""))
                    == "replaced\nunchanged\nunchanged"
            )
            #expect(await functions("get", "t1").contains("time") == false)
        }
    }

    @Test("count on by one for each todo, whatever revisions they had")
    func versions() async throws {
        try await withFunctions { functions, server in
            _ = await functions("add", #"{"id":"first","content":"x","date":"2026-11-20"}"#)
            func line(_ number: Int) -> String {
                Self.good.replacing("t1", with: "t\(number)").dropLast()
                    + #","revision":\#(number * 100),"micros":1763677123456789}"#
            }
            let answer = await functions("import", ["add"] + (1...5).map(line))
            #expect(answer == [String](repeating: "added", count: 5).joined(separator: "\n"))
            let log = try await server.log(of: "alice")
            let changes = try log.map { try TodoChange(message: Array($0.utf8), uid: "alice") }
            #expect(changes.map { $0.id?.version } == Array(1...6))
            for change in changes {
                #expect(ChangeID(version: change.todo.revision, microseconds: change.todo.micros) == change.id)
            }
            // Where they came from is no difference.
            #expect(
                await functions("import", ["add"] + (1...5).map(line)) == answer.replacing("added", with: "unchanged")
            )
        }
    }

    @Test("fill a month up to its bound and no further, and leave other months alone")
    func fullMonth() async throws {
        try await withFunctions { functions, server in
            for batch in 0..<10 {
                let todos = (0..<1000).map { Self.good.replacing("t1", with: "t\(batch * 1000 + $0)") }
                #expect(await !functions("import", ["add"] + todos).contains("TODOMATE"))
            }
            let more = Self.good.replacing("t1", with: "more")
            #expect(await functions("import", "add", more).hasPrefix("TODOMATE_FULL 2026-11 already holds 10000"))
            #expect(await functions("import", "add", more.replacing("2026-11", with: "2026-12")) == "added")
            #expect(await functions("import", "replace", Self.good.replacing("\"x\"", with: "\"y\"")) == "replaced")
            let count = try await server.cli("ZCARD", "todomate:{alice}:days")
            #expect(count == "10001")
        }
    }

    @Test(
        "write nothing when a key has a wrong type or the channel may not be published to",
        arguments: ["todos", "days", "log"]
    )
    func wrongTypes(name: String) async throws {
        try await withFunctions { functions, server in
            try await server.cli("SET", "todomate:{alice}:\(name)", "x")
            #expect(await functions("import", "add", Self.good).hasPrefix("TODOMATE_CORRUPT "))
            #expect(try await server.cli("DBSIZE") == "1")
        }
    }

    @Test("repair only what is certain, and say so of each id")
    func repair() async throws {
        try await withFunctions { functions, server in
            #expect(await functions("import", "add", Self.good) == "added")
            try await server.cli("ZREM", "todomate:{alice}:days", "t1")
            try await server.cli("ZADD", "todomate:{alice}:days", "20261120", "ghost")
            try await server.cli("HSET", "todomate:{alice}:todos", "bad", "garbage")
            let answer = await functions("repair", "t1", "ghost", "bad", "nothing")
            #expect(
                answer.hasPrefix("indexed\nunindexed\nTODOMATE_CORRUPT the todo bad was edited by hand")
                    && answer.hasSuffix("\nfine")
            )
            #expect(await functions("repair", "t1", "ghost") == "fine\nfine")
            #expect(try await server.log(of: "alice").count == 2)
        }
    }
}
