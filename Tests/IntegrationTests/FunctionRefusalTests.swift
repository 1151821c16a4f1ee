import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("What the functions refuse")
@LoopActor
struct FunctionRefusalTests {
    /// A call that is answered with an error.
    struct Refusal: CustomTestStringConvertible {
        var words: [String]
        var answer: String
        var testDescription: String { words.map { $0.count > 60 ? "\($0.prefix(60))…" : $0 }.joined(separator: " ") }

        /// A call with a user's key and these words.
        init(_ function: String, _ words: String..., answer: String) {
            self.words = ["todomate_\(function)", "1", "todomate:{alice}"] + words
            self.answer = answer
        }

        /// A call of these words.
        init(all words: [String], answer: String) {
            self.words = words
            self.answer = answer
        }
    }

    private nonisolated static func characters(_ count: Int, _ character: String = "x") -> String {
        String(repeating: character, count: count)
    }

    /// Adding a todo of which a field is this.
    private nonisolated static func add(_ field: String, _ value: String, answer: String) -> Refusal {
        var fields = ["content": #""x""#, "date": #""2026-11-20""#]
        fields[field] = value
        let todo = fields.map { "\"\($0)\":\($1)" }.joined(separator: ",")
        return Refusal("add", "{\(todo)}", answer: answer)
    }

    private nonisolated static let notOneObject = "TODOMATE_INVALID the todo must be one JSON object"
    private nonisolated static let content = "TODOMATE_INVALID content must "
    private nonisolated static let date = "TODOMATE_INVALID date must be a real day between 1900-01-01 and 2999-12-31"

    private nonisolated static let json = [
        "", " ", "x", "[]", "null", "7", #""x""#, "{", #"{"content":"x","date":"2026-11-20""#, "{}x", "{} {}",
        #"{'content':'x'}"#, #"{"content":NaN}"#, #"{"content":0x10}"#, #"{"content":"\ud800"}"#,
        #"{"content":"\q"}"#, characters(300_000, " ") + "{}",
        #"{"content":"# + characters(2000, "[") + characters(2000, "]") + "}",
    ].map { Refusal("add", $0, answer: notOneObject) }

    private nonisolated static let contents = [
        add("content", "null", answer: content + "be a string"), add("content", "7", answer: content + "be a string"),
        add("content", "{}", answer: content + "be a string"), add("content", "true", answer: content + "be a string"),
        Refusal("add", #"{"date":"2026-11-20"}"#, answer: content + "be a string"),
        add("content", #""""#, answer: content + "have 1 to 500 characters"),
        add("content", "\"\(characters(501))\"", answer: content + "have 1 to 500 characters"),
        add("content", "\"\(characters(501, "😀"))\"", answer: content + "have 1 to 500 characters"),
        add("content", "\"\(characters(100_000))\"", answer: content + "have 1 to 500 characters"),
        add("content", #"" ""#, answer: content + "not be only spaces"),
        add("content", #""\u3000\u00a0""#, answer: content + "not be only spaces"),
        add("content", #""a\nb""#, answer: content + "be one line"),
        add("content", #""a\u0000b""#, answer: content + "be one line"),
        add("content", #""a\u0085b""#, answer: content + "be one line"),
        add("content", #""a\u2029b""#, answer: content + "be one line"),
        add("content", #""a\u007fb""#, answer: content + "be one line"),
    ]

    private nonisolated static let fields =
        [
            "null", "20261120", #""2026-02-29""#, #""2026-13-01""#, #""2026-00-10""#, #""2026-11-00""#, #""2026-1-2""#,
            #""1899-12-31""#, #""3000-01-01""#, #""2026-11-20 ""#, #""٢٠٢٦-11-20""#, #""1900-02-29""#, #""""#,
        ].map { add("date", $0, answer: date) }
        + ["null", "7", #""""#, #""a b""#, #""a/b""#, #""é""#, "\"\(characters(65))\""].map {
            add("id", $0, answer: "TODOMATE_INVALID id must be 1 to 64 of A-Z a-z 0-9 _ -")
        }
        + ["null", #""bob""#, #""""#, "7"].map { add("uid", $0, answer: "TODOMATE_INVALID uid must be alice") }
        + ["null", #""done""#, #""""#, "1"].map { add("status", $0, answer: "TODOMATE_INVALID status must be todo,") }
        + [
            "null", "930", "true", #""9:30""#, #""09:3""#, #""24:00""#, #""09:60""#, #""0930""#, #""09:30 ""#,
            #""٠٩:٣٠""#, #""noon""#,
        ].map {
            add(
                "time",
                $0,
                answer: "TODOMATE_INVALID time must be a time of day between 00:00 and 23:59, written 09:30"
            )
        }
        + ["null", #""1""#, "true", "9007199254740994", "-1e16", "1e308", "[]"].map {
            add("position", $0, answer: "TODOMATE_INVALID position must be a number between")
        }
        + [
            add("position", "1e999", answer: "TODOMATE_INVALID "),
            add("detail", "null", answer: "TODOMATE_INVALID detail must be a string"),
            add("detail", "\"\(characters(10_001))\"", answer: "TODOMATE_INVALID detail must have at most 10000"),
            add("detail", #""\u001b[2J""#, answer: "TODOMATE_INVALID detail must have no control characters"),
            add("detail", #""a\rb""#, answer: "TODOMATE_INVALID detail must have no control characters"),
        ]

    private nonisolated static let unknown = "TODOMATE_INVALID "

    private nonisolated static let updates = [
        Refusal("update", "t9", "{}", answer: "TODOMATE_NOT_FOUND alice has no todo with the id t9"),
        Refusal("update", "t1", "", answer: notOneObject), Refusal("update", "t1", "[]", answer: notOneObject),
        Refusal("update", "a b", "{}", answer: "TODOMATE_INVALID id must be"),
        Refusal("update", "t1", #"{"id":"t2"}"#, answer: "TODOMATE_INVALID id cannot be changed"),
        Refusal("update", "t1", #"{"uid":"bob"}"#, answer: "TODOMATE_INVALID uid cannot be changed"),
        Refusal("update", "t1", #"{"content":""}"#, answer: content + "have 1 to 500 characters"),
        Refusal("update", "t1", #"{"date":"tomorrow"}"#, answer: date),
        Refusal("update", "t1", #"{"time":null}"#, answer: "TODOMATE_INVALID time must be"),
        Refusal("update", "t1", #"{"time":"9:30"}"#, answer: "TODOMATE_INVALID time must be"),
        Refusal("update", "t1", #"{"status":null}"#, answer: "TODOMATE_INVALID status must be"),
        Refusal("update", "t1", #"{"contents":"typo"}"#, answer: unknown + "'contents' is no field of a todo: use id"),
        Refusal(
            "add",
            #"{"content":"x","date":"2026-11-20","a\nb":1}"#,
            answer: unknown + "'a?b' is no field of a todo"
        ),
        Refusal("add", #"{"content":"x","date":"2026-11-20","Status":null}"#, answer: unknown + "'Status' is no field"),
        Refusal(
            "settings",
            #"{"audiences":"public"}"#,
            answer: unknown + "settings are audience, visibility, feedSeen"
        ),
        Refusal("update", "t1", "{}", "1-", answer: "TODOMATE_USAGE the expected revision must look like 57-"),
        Refusal("update", "t1", "{}", "1-1-1", answer: "TODOMATE_USAGE the expected revision must look like 57-"),
        Refusal(
            "update",
            "t1",
            "{}",
            "1-5",
            answer: "TODOMATE_CONFLICT the todo is now at revision 1 of another history"
        ),
        Refusal("update", "t1", "{}", "one", answer: "TODOMATE_USAGE the expected revision must look like 57-"),
        Refusal("update", "t1", "{}", "", answer: "TODOMATE_USAGE the expected revision must look like 57-"),
        Refusal("update", "t1", "{}", "-1", answer: "TODOMATE_USAGE the expected revision must look like 57-"),
        Refusal("update", "t1", "{}", "1.0", answer: "TODOMATE_USAGE the expected revision must look like 57-"),
        Refusal("update", "t1", #"{"content":"y"}"#, "2", answer: "TODOMATE_CONFLICT the todo is now at revision 1"),
        Refusal("remove", "t9", answer: "TODOMATE_NOT_FOUND alice has no todo with the id t9"),
        Refusal("remove", "", answer: "TODOMATE_INVALID id must be"),
        Refusal("remove", "t1", "0", answer: "TODOMATE_CONFLICT the todo is now at revision 1"),
        Refusal("get", "t9", answer: "TODOMATE_NOT_FOUND alice has no todo with the id t9"),
        Refusal("get", "a\nb", answer: "TODOMATE_INVALID id must be"),
        Refusal("get", "t1", "b b", answer: "TODOMATE_INVALID"),
        Refusal(
            "list",
            "2026-11-01",
            "2026-11-30",
            answer: "TODOMATE_USAGE give the first and the last day as yyyymmdd"
        ),
        Refusal("list", "20261130", "20261101", answer: "TODOMATE_USAGE give the first and the last day as yyyymmdd"),
        Refusal("list", "(20261130", answer: "TODOMATE_USAGE give the first and the last day as yyyymmdd"),
        Refusal("short", "20261130", "20261101", answer: "TODOMATE_USAGE give the first and the last day as yyyymmdd"),
        Refusal("short", "today", answer: "TODOMATE_USAGE give the first and the last day as yyyymmdd"),
        Refusal("since", "1-1", "many", "0", answer: "TODOMATE_USAGE give a change id"),
        Refusal("since", "1-1", "1", "none", answer: "TODOMATE_USAGE give a change id"),
        Refusal("feed", "bob", "0", "1", "9", "x", answer: "TODOMATE_USAGE give a viewer, the earliest time"),
        Refusal("since", "now", answer: "TODOMATE_USAGE give a change id such as 57-1763677123456789"),
        Refusal("since", "1", answer: "TODOMATE_USAGE give a change id"),
        Refusal("since", "1-", answer: "TODOMATE_USAGE give a change id"),
        Refusal("since", "1-1-1", answer: "TODOMATE_USAGE give a change id"),
        Refusal("since", "18446744073709551616-1", answer: "TODOMATE_USAGE give a change id"),
        Refusal("since", "1-1", answer: "TODOMATE_GONE the log does not hold all changes since 1-1"),
        Refusal("since", "0-1", answer: "TODOMATE_GONE the log does not hold all changes since 0-1"),
    ]

    private nonisolated static let boards: [Refusal] = [
        Refusal("follow", "alice", answer: "TODOMATE_INVALID this needs two users: alice is both"),
        Refusal("follow", "b b", answer: "TODOMATE_INVALID a user must be 1 to 64 of"),
        Refusal("follow", "", answer: "TODOMATE_INVALID a user must be 1 to 64 of"),
        Refusal("follow", characters(65), answer: "TODOMATE_INVALID a user must be 1 to 64 of"),
        Refusal("follow", "bob", "nan", answer: "TODOMATE_INVALID position must be a number"),
        Refusal("follow", "bob", "1e999", answer: "TODOMATE_INVALID position must be a number"),
        Refusal("arrange", "bob", "1", answer: "TODOMATE_NOT_FOUND alice does not follow bob"),
        Refusal("accept", "bob", answer: "TODOMATE_NOT_FOUND bob does not ask to follow alice"),
        Refusal("meet", "bob", "anything", answer: "TODOMATE_USAGE give the answer of todomate_pair"),
        Refusal("meet", "bob", "none 0 root 0 open 0 0", answer: "TODOMATE_USAGE give the answer of todomate_pair"),
        Refusal("meet", "bob", "none 0 none 0 open 0 0", "all", answer: "TODOMATE_USAGE the third argument may be"),
        Refusal("meet", "alice", "none 0 none 0 open 0 0", answer: "TODOMATE_INVALID this needs two users"),
        Refusal("followers", "friends", "5", answer: "TODOMATE_USAGE give following, requested or blocked"),
        Refusal("followers", "blocked", "0", answer: "TODOMATE_USAGE give following, requested or blocked"),
        Refusal("followers", "blocked", "5", "x", answer: "TODOMATE_USAGE give what the page before calls next"),
        Refusal("settings", "[]", answer: "TODOMATE_INVALID the todo must be one JSON object"),
        Refusal(
            "settings",
            #"{"colour":"red"}"#,
            answer: "TODOMATE_INVALID settings are audience, visibility, feedSeen, name"
        ),
        Refusal("settings", #"{"name":7}"#, answer: "TODOMATE_INVALID name must be a string"),
        Refusal("settings", #"{"name":"a\u0000b"}"#, answer: "TODOMATE_INVALID name must be one line"),
        Refusal("settings", #"{"face":{}}"#, answer: "TODOMATE_INVALID face must be one emoji"),
        Refusal("settings", #"{"language":true}"#, answer: "TODOMATE_INVALID language must be en or ko"),
        Refusal("settings", #"{"timeZone":5}"#, answer: "TODOMATE_INVALID timeZone must be"),
        Refusal("settings", #"{"weekStart":1}"#, answer: "TODOMATE_INVALID weekStart must be"),
        Refusal("person", "b b", answer: "TODOMATE_INVALID a user must be 1 to 64 of"),
        Refusal(
            "settings",
            #"{"audience":"all"}"#,
            answer: "TODOMATE_INVALID audience must be public, followers or private"
        ),
        Refusal(
            "settings",
            #"{"visibility":null}"#,
            answer: "TODOMATE_INVALID visibility must be public, followers or"
        ),
        Refusal("settings", #"{"feedSeen":-1}"#, answer: "TODOMATE_INVALID feedSeen must be a time"),
        Refusal("settings", #"{"feedSeen":1.5}"#, answer: "TODOMATE_INVALID feedSeen must be a time"),
        Refusal("search", "b b", "own", "{}", answer: "TODOMATE_INVALID a user must be 1 to 64 of"),
        Refusal("search", "alice", "all", "{}", answer: "TODOMATE_USAGE the most that may be seen is own"),
        Refusal("search", "alice", "own", "[]", answer: "TODOMATE_INVALID what is looked for must be one JSON object"),
        Refusal("search", "alice", "own", #"{"word":"x"}"#, answer: "TODOMATE_INVALID 'word' is no filter: use words"),
        Refusal("search", "alice", "own", #"{"words":"x"}"#, answer: "TODOMATE_INVALID words must be a list"),
        Refusal("search", "alice", "own", #"{"words":{"x":"y"}}"#, answer: "TODOMATE_INVALID words must be a list"),
        Refusal("search", "alice", "own", #"{"words":[7]}"#, answer: "TODOMATE_INVALID a word must be a string"),
        Refusal("search", "alice", "own", #"{"words":[""]}"#, answer: "TODOMATE_INVALID a word must have 1 to 500"),
        Refusal("search", "alice", "own", #"{"status":"done"}"#, answer: "TODOMATE_INVALID status must be todo"),
        Refusal("search", "alice", "own", #"{"goal":"a b"}"#, answer: "TODOMATE_INVALID goal must be the id of a goal"),
        Refusal("search", "alice", "own", #"{"from":"20261120"}"#, answer: "TODOMATE_INVALID date must be a real day"),
        Refusal(
            "search",
            "alice",
            "own",
            #"{"from":"2026-11-21","to":"2026-11-20"}"#,
            answer: "TODOMATE_INVALID from must not be later than to"
        ),
        Refusal(
            "search",
            "alice",
            "own",
            "{}",
            "here",
            answer: "TODOMATE_USAGE the place must be what the part before"
        ),
        Refusal("remove_goal", "a b", "0", answer: "TODOMATE_INVALID id must be 1 to 64 of"),
        Refusal(
            "remove_goal",
            "g1",
            "x",
            answer: "TODOMATE_USAGE give a goal, 0 or what the call before answered first"
        ),
        Refusal("remove_goal", "g1", "0", "101", answer: "TODOMATE_USAGE give a goal, 0 or what the call before"),
        Refusal("access", "b b", answer: "TODOMATE_INVALID a user must be 1 to 64 of"),
        Refusal("view", "b b", answer: "TODOMATE_INVALID a user must be 1 to 64 of"),
        Refusal("stance", "b b", answer: "TODOMATE_INVALID a user must be 1 to 64 of"),
        Refusal("stance", "alice", answer: "TODOMATE_INVALID this needs two users"),
        Refusal("react", "t1", "bob", "👍", answer: "TODOMATE_NOT_FOUND alice has no todo with the id t1"),
        Refusal("react", "t1", "alice", "ok", answer: "TODOMATE_INVALID a reaction must be one emoji"),
        Refusal("react", "t1", "alice", "👍👍", answer: "TODOMATE_INVALID a reaction must be one emoji"),
        Refusal("react", "t1", "alice", "\"", answer: "TODOMATE_INVALID a reaction must be one emoji"),
        Refusal("react", "t2", "alice", "👍", answer: "TODOMATE_NOT_FOUND alice has no todo with the id t2"),
        Refusal("reactions", "t1", "bob", answer: "TODOMATE_NOT_FOUND alice has no todo with the id t1"),
        Refusal("react", "t1", "alice", "👍", "public", answer: "TODOMATE_NOT_FOUND alice has no todo with the id t1"),
        Refusal("react", "t1", "alice", "👍", "all", answer: "TODOMATE_USAGE the most that may be seen is own"),
        Refusal("reactions", "t1", "alice", "none", answer: "TODOMATE_NOT_FOUND alice has no todo with the id t1"),
        Refusal("feed", "bob", "x", "1", answer: "TODOMATE_USAGE give a viewer, the earliest time"),
        Refusal("feed", "bob", "0", "201", answer: "TODOMATE_USAGE give a viewer, the earliest time"),
        Refusal("badges", "today", answer: "TODOMATE_USAGE give the day as yyyymmdd"),
        Refusal(
            "add",
            #"{"content":"x","date":"2026-11-20","visibility":"all"}"#,
            answer: "TODOMATE_INVALID visibility must"
        ),
        Refusal("update", "t1", #"{"visibility":7}"#, answer: "TODOMATE_INVALID visibility must be public, followers"),
    ]

    private nonisolated static let shapes =
        [
            "alice", "todomate:alice", "todomate:{}", "todomate:{a b}", "todomate:{a{b}", "todomate:{alice}x",
            "xtodomate:{alice}", "todomate:{alice}:todos", "todomate:{앨리스}", "todomate:{\(characters(65))}", "",
            "todomate:{alice}\n",
        ].map { key in
            Refusal(
                all: ["todomate_add", "1", key, #"{"content":"x","date":"2026-11-20"}"#],
                answer: "TODOMATE_USAGE the key must be todomate:{uid}, its uid 1 to 64 of"
            )
        }
        + [
            "add": 1...1, "update": 2...3, "remove": 1...2, "get": 1...2, "list": 0...2, "short": 0...2,
            "latest": 0...0,
            "since": 1...3, "follow": 1...2, "unfollow": 1...1, "arrange": 2...2, "accept": 1...1, "dismiss": 1...1,
            "block": 1...1, "unblock": 1...2, "pair": 1...1, "meet": 2...3, "nobody": 0...0,
            "relation": 1...1, "unsettled": 0...0,
            "following": 0...0, "followers": 2...3, "settings": 1...1, "profile": 0...0, "person": 1...1,
            "access": 1...1, "view": 1...3,
            "stance": 1...1,
            "react": 3...4, "reactions": 1...3, "feed": 3...5, "badges": 1...1, "recount": 0...0,
            "restore": 2...1001, "history": 1...3, "set_goal": 1...1, "spread_goal": 3...4, "remove_goal": 2...3,
            "search": 3...4,
            "set_routines": 1...50, "skip_day": 2...3, "split_routine": 2...3, "by": 3...1006, "hide": 2...1007,
        ]
        .flatMap { (name: String, counts: ClosedRange<Int>) in
            let answer = "TODOMATE_USAGE call it as FCALL todomate_\(name) 1 todomate:{uid}"
            let words = [String](repeating: "x", count: counts.upperBound + 1)
            let few = Array(words.prefix(max(counts.lowerBound, 1) - 1))
            let key = "todomate:{alice}"
            return [
                Refusal(all: ["todomate_\(name)", "1", key] + words, answer: answer),
                Refusal(all: ["todomate_\(name)", "0"] + words.dropFirst(), answer: answer),
                Refusal(all: ["todomate_\(name)", "2", key, key] + words.dropFirst(), answer: answer),
            ] + (counts.lowerBound > 0 ? [Refusal(all: ["todomate_\(name)", "1", key] + few, answer: answer)] : [])
        }

    @Test(
        "is answered with a code and what to mend, and writes nothing",
        arguments: [json, contents, fields, updates, boards, shapes]
    )
    func refusals(_ table: [Refusal]) async throws {
        try await withFunctions { functions, server in
            let first = await functions("add", #"{"id":"t1","content":"there already","date":"2026-11-20"}"#)
            for refusal in table {
                let answer = await functions.raw(refusal.words)
                #expect(answer.hasPrefix(refusal.answer), "\(refusal.testDescription)")
                #expect(!answer.contains("\n"), "\(refusal.testDescription)")
            }
            let log = try await server.log(of: "alice")
            #expect(log == [first])
            let size = try await server.cli("DBSIZE")
            #expect(size == "4")
        }
    }

    @Test(
        "includes what has no valid UTF-8, in every place",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]]
    )
    func notUTF8(_ bytes: [UInt8]) async throws {
        try await withFunctions { functions, server in
            for field in ["content", "detail", "id", "uid", "date", "status"] {
                var json = Array(#"{"content":"x","date":"2026-11-20",""#.utf8)
                json += Array("\(field)\":\"a".utf8) + bytes + Array("\"}".utf8)
                let answer = await functions.answer(["add"], json: json)
                #expect(answer.starts(with: Array("TODOMATE_INVALID \(field) must ".utf8)))
                #expect(String(validating: answer, as: UTF8.self) != nil)
            }
            let size = try await server.cli("DBSIZE")
            #expect(size == "0")
        }
    }

    @Test("includes keys of another kind than theirs, with advice", arguments: ["todos", "days", "log", "profile"])
    func wrongTypes(_ key: String) async throws {
        try await withFunctions { functions, server in
            try await server.cli("SET", "todomate:{alice}:\(key)", "x")
            let added = await functions("add", #"{"id":"t1","content":"x","date":"2026-11-20"}"#)
            #expect(added.hasPrefix("TODOMATE_CORRUPT todomate:{alice}:todos must be a hash"))
            let size = try await server.cli("DBSIZE")
            #expect(size == "1", "nothing was written")
        }
    }

    @Test("includes a log whose last entry is no change, until that is gone")
    func strangeLog() async throws {
        try await withFunctions { functions, server in
            let todo = #"{"id":"t1","content":"x","date":"2026-11-20"}"#
            let strange = "18446744073709551614-1"
            try await server.cli("XADD", "todomate:{alice}:log", strange, "change", "x")
            let refused = await functions("add", todo)
            #expect(refused.hasPrefix("TODOMATE_CORRUPT todomate:{alice}:log ends with an id that is not a change id"))
            try await server.cli("XADD", "todomate:{bob}:log", "1-1", "change", "x")
            try await server.cli("XADD", "todomate:{bob}:log", "2-2", "other", "x")
            let since = await functions.raw(["todomate_since", "1", "todomate:{bob}", "1-1"])
            #expect(since.hasPrefix("TODOMATE_CORRUPT todomate:{bob}:log has an entry that is no change"))
            let size = try await server.cli("DBSIZE")
            #expect(size == "2", "nothing was written")
        }
    }

    @Test("takes a new todo back when its change can be logged or published no more")
    func undone() async throws {
        try await withFunctions { functions, server in
            let todo = #"{"id":"t1","content":"x","date":"2026-11-20"}"#
            for version in 5...7 {
                try await server.cli("XADD", "todomate:{alice}:log", "\(version)-\(version)", "change", "x")
            }
            try await server.cli("XDEL", "todomate:{alice}:log", "6-6", "7-7")
            let unlogged = await functions("add", todo)
            #expect(
                unlogged.hasPrefix("TODOMATE_CORRUPT the end of todomate:{alice}:log was deleted by hand: delete all")
            )
            try await server.cli("DEL", "todomate:{alice}:log")
            try await server.cli("ACL", "SETUSER", "default", "resetchannels")
            let unpublished = await functions("add", todo)
            #expect(unpublished.contains("channel"), "\(unpublished)")
            let todos = try await server.cli("EXISTS", "todomate:{alice}:todos", "todomate:{alice}:days")
            #expect(todos == "0", "nothing was written")
            let log = try await server.log(of: "alice")
            #expect(log.isEmpty)
        }
    }

    @Test("includes todos that were edited by hand, and writing through the read-only door")
    func others() async throws {
        try await withFunctions { functions, server in
            let timed = [#"930"#, #""""#, #""9:30""#, #""09:30\"""#].map { time in
                #"{"id":"t1","uid":"alice","date":"2026-11-20","content":"x","detail":"","status":"todo","position":1,"revision":1,"#
                    + #""createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:00Z","time":\#(time)}"#
            }
            for text in ["{", "{}", #"{"id":"t2"}"#, "[]", ""] + timed {
                try await server.cli("HSET", "todomate:{alice}:todos", "t1", text)
                for call in [
                    ["update", "t1", "{}"], ["remove", "t1"],
                    ["add", #"{"id":"t1","content":"x","date":"2026-11-20"}"#],
                ] {
                    let answer = await functions(call[0], Array(call.dropFirst()))
                    #expect(answer.hasPrefix("TODOMATE_CORRUPT the todo t1 was edited by hand: HDEL "), "\(text)")
                }
            }
            let readOnly = try await server.cli("FCALL_RO", "todomate_remove", "1", "todomate:{alice}", "t1")
            #expect(readOnly.contains("read") || readOnly.contains("_ro"))
            let size = try await server.cli("DBSIZE")
            #expect(size == "1")
        }
    }
}
