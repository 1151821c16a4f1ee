import EventLoop
import Foundation
import TestServers
import Testing

/// What a command makes of its words is the same whatever Redis there is.
@Suite("todomate history and todomate recover")
@LoopActor
struct HistoryCommandTests {
    /// What a command prints, each line without its time and change, and without the machine at its end.
    private func lines(_ server: RedisServer, _ words: String...) async throws -> [String] {
        let outcome = try await server.todomate(words)
        try #require(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
        return outcome.output.split(separator: "\n").map { line in
            String(line).replacing(/^\d\S+Z  \d+-\d+ +/, with: "").replacing(/\ · todomate on \S+$/, with: "")
        }
    }

    @Test("tell what became of a todo, and bring it back")
    func both() async throws {
        try await withRedis { server in
            #expect(try await lines(server, "history", "alice") == ["Nothing was deleted.", "That is everything."])
            _ = try await lines(server, "add", "alice", "Buy milk", "--id", "milk")
            _ = try await lines(server, "add", "alice", "Bake bread", "--id", "bread")
            _ = try await lines(server, "edit", "alice", "milk", "--content", "Buy wine", "--visibility", "private")
            _ = try await lines(server, "done", "alice", "milk")
            for name in ["milk", "mil", "buy wine", "WINE"] {
                let told = try await lines(server, "history", "alice", name)
                #expect(
                    told.prefix(3) == ["to do → done", "“Buy milk” → “Buy wine” · for followers → private", "added"]
                )
                #expect(told.count == 4 && told[3] == "That is everything.")
            }
            let whole = try await server.todomate("history", "alice", "milk").output.split(separator: "\n")
            #expect(whole.dropLast().allSatisfy { $0.contains(/\ · todomate on \S+$/) }, "\(whole)")
            let json = try await server.todomate("history", "alice", "milk", "--json").output
            #expect(
                json.hasPrefix(#"{"todo":{"id":"milk","#) && json.contains(#""reach":"whole","changes":[{"id":"4-"#)
            )

            let back = try await lines(server, "recover", "alice", "milk", "--to", "1")
            #expect(back.count == 1 && back[0].contains("todo        Buy milk"))
            _ = try await lines(server, "remove", "alice", "milk")
            #expect(try await lines(server, "history", "alice").first == "milk                    Buy milk")
            #expect(try await lines(server, "recover", "alice", "buy milk")[0].hasPrefix("milk "))
            #expect(try await lines(server, "history", "alice").first == "Nothing was deleted.")
            #expect(try await lines(server, "history", "alice", "milk").prefix(2) == ["brought back", "deleted"])
            #expect(
                try await lines(server, "recover", "alice", "milk", "--to", "3", "--json")[0].contains("Buy wine")
            )
        }
    }

    @Test(
        "refuse what they do not know, and change nothing",
        arguments: [
            (["history", "alice", "nothing"], 65, "no todo of alice has the id or the words 'nothing'"),
            (["history", "alice", "buy"], 65, "2 todos have the id or the words 'buy'"),
            (["history", "alice", "a\nb"], 65, "content must be one line"), (["history", "a b"], 65, "uid must be"),
            (["history", "bob", "milk"], 65, "no todo of bob"),
            (["recover", "alice", "there"], 64, "the todo is there: say with --to what it is to be"),
            (["recover", "alice", "there", "--to", "99"], 65, "the log has no change 99 of this todo"),
            (["recover", "alice", "there", "--to", "2"], 65, "the log has no change 2 of this todo"),
            (["recover", "alice", "there", "--to", "x"], 64, "a change as 'todomate history' lists it"),
            (["recover", "alice", "nothing"], 65, "no todo of alice"),
        ] as [([String], Int32, String)]
    )
    func refusals(words: [String], code: Int32, text: String) async throws {
        try await withRedis { server in
            for (id, content) in [("there", "buy milk"), ("gone", "buy bread")] {
                _ = try await server.todomate("add", "alice", content, "--id", id)
            }
            _ = try await server.todomate("remove", "alice", "gone")
            let outcome = try await server.todomate(words)
            #expect(outcome.ending == .exit(code) && outcome.errors.contains(text), "\(outcome.errors)")
            #expect(try await server.log(of: "alice").count == 3)
        }
    }
}
