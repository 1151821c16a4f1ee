import EventLoop
import TestServers
import Testing

/// What a command makes of its words is the same whatever Redis there is.
@Suite("The commands about others")
@LoopActor
struct RelationCommandTests {
    struct Refusal {
        var words: [String]
        var code: Int32

        init(_ line: String, _ code: Int32) {
            words = line.split(separator: " ").map(String.init)
            self.code = code
        }
    }

    private nonisolated static let refusals: [Refusal] = [
        Refusal("follow alice alice", 65), Refusal("follow alice", 64), Refusal("accept bob alice", 65),
        Refusal("follow alice b{b", 65), Refusal("react alice bob t1", 64), Refusal("react alice bob t1 x", 65),
        Refusal("react alice bob t1 👍", 65), Refusal("profile alice --audience all", 64),
        Refusal("followers alice --requests --blocked", 64), Refusal("feed alice --limit 0", 64),
    ]

    @Test("follow, accept, list, react, count and end it again")
    func story() async throws {
        try await withRedis { server in
            func say(_ words: String...) async throws -> String {
                let outcome = try await server.todomate(words)
                #expect(outcome.ending == .exit(0), "\(words): \(outcome.errors)")
                return outcome.output
            }
            #expect(try await say("follow", "alice", "bob") == "alice asks to follow bob\n")
            #expect(try await say("followers", "bob", "--requests").hasPrefix("alice "))
            #expect(try await say("accept", "bob", "alice") == "alice follows bob\n")
            #expect(try await say("following", "alice", "--json") == #"{"uid":"bob","state":"following"}"# + "\n")
            _ = try await say("profile", "bob", "--visibility", "private")
            _ = try await say("add", "bob", "unseen", "--id", "t1")
            _ = try await say("add", "bob", "seen", "--id", "t2", "--visibility", "followers")
            let feed = try await say("feed", "alice")
            #expect(feed.contains("added     t2 ") && feed.hasSuffix("  seen\n") && !feed.contains("unseen"))
            #expect(try await say("badges", "alice", "--json") == #"{"today":0,"feed":1,"requests":0,"more":0}"# + "\n")
            #expect(try await say("react", "alice", "bob", "t2", "🎉").contains("🎉 1"))
            #expect(try await say("list", "bob", "--all", "--plain").contains("  🎉 1\n"))
            #expect(try await say("done", "bob", "t2").hasSuffix("  🎉 1\n"))
            #expect(try await say("react", "alice", "bob", "t2", "--remove", "--json").contains("reactions") == false)
            _ = try await say("add", "bob", "long", "--id", "first-of-its-kind", "--visibility", "followers")
            #expect(try await say("react", "alice", "bob", "first", "🎉").contains("🎉 1"))
            _ = try await say("add", "bob", "unutterable", "--id", "first-secret", "--visibility", "private")
            #expect(try await say("react", "alice", "bob", "first", "🥳").contains("🥳 1"), "the only one she sees")
            let hidden = try await server.todomate("react", "alice", "bob", "first-s", "🎉")
            #expect(hidden.ending == .exit(65) && !(hidden.output + hidden.errors).contains("unutterable"))
            // By words likewise: what she may not see is as what there is not.
            #expect(try await say("react", "alice", "bob", "seen", "👏").hasPrefix("t2 "))
            for words in ["unutterable", "unseen", "nothing of the kind"] {
                let unknown = try await server.todomate("react", "alice", "bob", words, "🎉")
                let reason = "no todo of bob has the id or the words '\(words)'"
                #expect(unknown.ending == .exit(65) && unknown.errors.contains(reason), "\(unknown.errors)")
            }
            #expect(
                try await say("edit", "bob", "t2", "--visibility", "private", "--json").contains(
                    #""visibility":"private""#
                )
            )
            #expect(try await say("block", "bob", "alice") == "bob has blocked alice\n")
            #expect(try await say("following", "alice") == "")
            #expect(try await say("unblock", "bob", "alice") == "nothing is between bob and alice\n")
        }
    }

    @Test(
        "refuse what cannot be done, with a reason",
        arguments: refusals
    )
    func refuse(_ refusal: Refusal) async throws {
        try await withRedis { server in
            let outcome = try await server.todomate(refusal.words)
            #expect(
                outcome.ending == .exit(refusal.code) && outcome.output == "" && outcome.errors.hasPrefix("todomate"),
                "\(outcome.errors)"
            )
            #expect(try await server.cli("DBSIZE") == "0")
        }
    }
}
