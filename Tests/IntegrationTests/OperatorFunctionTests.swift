import EventLoop
import TestServers
import Testing

/// What operators decide, by redis-cli, with anything in place of what belongs there.
/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("The functions of operators")
@LoopActor
struct OperatorFunctionTests {
    private static let id = "Zm9vYmFyYmF6cXV4cXV1eA"
    private static func draft(_ rest: String) -> String { #"{"id":"\#(id)","uses":1,"seconds":60\#(rest)}"# }

    @Test("refuse what is none of theirs, and write nothing then")
    func refusals() async throws {
        try await withFunctions { call, server in
            _ = try await server.call("todomate_enroll", "alice", "$argon2id$x")
            let before = try await server.cli("HGETALL", "todomate:{alice}:profile")
            let long = String(repeating: "x", count: 201)
            let cases: [(name: String, words: [String], code: String)] = [
                ("suspend", [], "USAGE"), ("suspend", ["a", "b", "c"], "USAGE"), ("suspend", [long], "INVALID"),
                ("suspend", ["a\nb"], "INVALID"), ("suspend", ["a\u{85}b"], "INVALID"),
                ("suspend", ["a\u{202E}b"], "INVALID"),
                ("suspend", ["a", ""], "INVALID"), ("suspend", ["a", "b b"], "INVALID"),
                ("suspend", ["a", "alice"], "CONFLICT"),
                ("resume", ["b b"], "INVALID"), ("resume", ["a", "b"], "USAGE"),
                ("set_role", [], "USAGE"), ("set_role", ["king"], "INVALID"), ("set_role", [""], "INVALID"),
                ("limit", [], "USAGE"), ("limit", ["7"], "INVALID"), ("limit", ["[]"], "INVALID"),
                ("limit", ["{"], "INVALID"),
                ("limit", [#"{"bytes":-1}"#], "INVALID"), ("limit", [#"{"bytes":1e99}"#], "INVALID"),
                ("limit", [#"{"bytes":0.5}"#], "INVALID"), ("limit", [#"{"bytes":"1"}"#], "INVALID"),
                ("limit", [#"{"bytes":true}"#], "INVALID"), ("limit", [#"{"bytes":null}"#], "INVALID"),
                ("limit", [#"{"bytes":{}}"#], "INVALID"), ("limit", [#"{"writes":0}"#], "INVALID"),
                ("limit", [#"{"bytesMost":1}"#], "INVALID"), ("limit", ["{}", "b b"], "INVALID"),
                ("limit", [#"{"todos":1,"tokens":501}"#], "INVALID"),
                ("limit", [#"{"invitations":51}"#], "INVALID"), ("limit", [#"{"invitations":-1}"#], "INVALID"),
                ("invite", [Self.draft(#","most":0"#)], "INVALID"), ("invite", [Self.draft(#","most":51"#)], "INVALID"),
                ("invite", [Self.draft(#","most":"5""#)], "INVALID"),
                ("invite", [Self.draft(#","most":false"#)], "INVALID"),
                ("settle_invitation", [], "USAGE"), ("settle_invitation", ["short", "bob"], "INVALID"),
                ("settle_invitation", [Self.id, "b b"], "INVALID"), ("settle_invitation", [Self.id], "USAGE"),
            ]
            for (name, words, code) in cases {
                let answer = await call(name, words)
                #expect(answer.hasPrefix("TODOMATE_\(code) "), "\(name) \(words): \(answer)")
            }
            #expect(try await server.cli("HGETALL", "todomate:{alice}:profile") == before)
            #expect(try await server.cli("EXISTS", "todomate:{alice}:events") == "0")
        }
    }

    @Test("know nobody without an account, and leave no key behind")
    func nobody() async throws {
        try await withFunctions { call, server in
            for (name, words) in [
                ("suspend", ["x"]), ("resume", []), ("set_role", ["operator"]), ("limit", [#"{"todos":1}"#]),
            ] {
                let answer = await call(name, words)
                #expect(answer.hasPrefix("TODOMATE_NOT_FOUND alice has no account"), "\(name): \(answer)")
            }
            let answers = (await call("role"), await call("suspension"), await call("account_summary"))
            #expect(answers == ("none", "", ""))
            let keys = try await server.cli("KEYS", "*")
            #expect(keys == "")
        }
    }

    @Test("take what was written by hand for what the server allows")
    func byHand() async throws {
        try await withFunctions { call, server in
            _ = try await server.call("todomate_enroll", "alice", "$argon2id$x")
            for value in ["", "x", "nan", "-1", "1e3", "inf"] {
                for field in ["bytesMost", "todosMost", "tokensMost"] {
                    try await server.cli("HSET", "todomate:{alice}:profile", field, value)
                }
                let added = await call("add", #"{"content":"x","date":"2026-11-20"}"#)
                #expect(added.hasPrefix("{"), "\(value): \(added)")
                let summary = await call("account_summary")
                #expect(summary.contains(#""bytesMost":33554432"#), "\(value): \(summary)")
            }
            try await server.cli("HSET", "todomate:{alice}:profile", "role", "king")
            #expect(await call("role") == "none")
            let summary = await call("account_summary")
            #expect(!summary.contains("king"))
        }
    }
}
