import EventLoop
import Foundation
import TestServers
import Testing

/// `todomate_react` as somebody with redis-cli calls it: no program checks the emoji before.
/// On one Redis: the functions have one source everywhere, and `ClusterFunctionTests` has what a cluster adds.
@Suite("Reactions, given by hand")
@LoopActor
struct ReactionFunctionTests {
    private static let key = "todomate:{alice}"

    private func react(_ server: RedisServer, _ emoji: String, _ person: String = "alice") async throws -> String {
        try await server.call("todomate_react", "alice", "t1", person, emoji)
    }

    private func prepare(_ server: RedisServer) async throws {
        _ = try await server.todomate("add", "alice", "milk", "--id", "t1", "--visibility", "public")
    }

    @Test("are one emoji, whichever, and nothing else")
    func emoji() async throws {
        try await withRedis { server in
            try await prepare(server)
            for emoji in [
                "👍", "🎉", "❤️", "☺️", "1️⃣", "#️⃣", "*️⃣", "🇰🇷", "👍🏿", "👩🏻‍❤️‍💋‍👩🏿", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🧑‍🚀", "🏳️‍🌈", "🤷🏽‍♀️",
                "❤️‍🔥", "🫠", "⌚", "©️", "\u{1F937}\u{200D}\u{2640}", "\u{1F469}\u{200D}\u{2695}",
            ] {
                let answer = try await react(server, emoji)
                #expect(answer.contains(#""reactions":{"\#(emoji)":1}"#), "\(emoji): \(answer)")
            }
            let before = try await server.log(of: "alice").count
            for text in [
                "a", "1", "#", "ok", "👍👍", "👍 ", " 👍", "한", "é", "🇰", "🇰🇷🇯", "©", "♔", "☺", "\u{FE0F}", "\u{200D}",
                "👍\u{200D}", "🐕🏿", "1\u{20E3}", "<b>", "\"", "\\", "👍\n", "🏴\u{E0067}\u{E0062}", "\u{1F6FF}",
                "👍\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E007F}",
                "🏴\u{E0048}\u{E0049}\u{E0021}\u{E007F}",
                String(repeating: "👨‍", count: 20) + "👦",
            ] {
                let answer = try await react(server, text)
                #expect(answer.hasPrefix("TODOMATE_INVALID a reaction must be one emoji"), "\(text): \(answer)")
            }
            #expect(try await server.log(of: "alice").count == before, "nothing was written")
        }
    }

    @Test("are one a person, at most 20 kinds a todo, and go with the todo")
    func counts() async throws {
        try await withRedis { server in
            try await prepare(server)
            for number in 0..<20 {
                let emoji = String(try #require(Unicode.Scalar(0x1F600 + number)))
                #expect(try await react(server, emoji, "fan\(number)").hasPrefix("{"))
            }
            #expect(try await react(server, "🎉", "bob").hasPrefix("TODOMATE_FULL"))
            #expect(try await react(server, "😀", "bob").contains(#""😀":2"#))
            // The same picture, told to be one.
            #expect(try await react(server, "😀\u{FE0F}", "bob").contains(#""😀":2"#))
            // Another one in place of one's own only one needs no room.
            #expect(try await react(server, "🎉", "fan1").contains(#""🎉":1"#))
            #expect(try await react(server, "", "bob").contains(#""😀":1"#))
            #expect(try await react(server, "😀", "b b").hasPrefix("TODOMATE_INVALID"))
            _ = try await server.todomate("remove", "alice", "t1")
            #expect(try await server.cli("EXISTS", Self.key + ":reactions:t1") == "0")
        }
    }
}
