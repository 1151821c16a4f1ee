import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The shared board", .serialized)
@LoopActor
struct BoardTests {
    private func add(_ gateway: any HTTPGateway, _ uid: String, _ id: String, _ content: String, _ visibility: String)
        async throws
    {
        let body = #"{"id":"\#(id)","content":"\#(content)","date":"2026-11-20","visibility":"\#(visibility)"}"#
        let answer = try await gateway.ask("POST /v1/users/\(uid)/todos", as: uid, body: body)
        try #require(answer.status == 201, "\(answer.body)")
    }

    private func edit(_ gateway: any HTTPGateway, _ uid: String, _ id: String, _ body: String) async throws {
        let answer = try await gateway.ask("PATCH /v1/users/\(uid)/todos/\(id)", as: uid, body: body)
        try #require(answer.status == 200, "\(answer.body)")
    }

    private func befriend(_ gateway: any HTTPGateway, _ follower: String, _ owner: String) async throws {
        #expect(try await gateway.ask("PUT /v1/users/\(follower)/following/\(owner)", as: follower).status == 200)
        #expect(try await gateway.ask("PUT /v1/users/\(owner)/followers/\(follower)", as: owner).status == 200)
    }

    @Test(
        "shows each list as far as it may be seen, live, and goes on exactly after a break in another worker",
        arguments: Backing.allCases
    )
    func follows(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let (gateway, other) = (gateways[0], gateways[1])
            try await befriend(gateway, "alice", "bob")
            try await add(gateway, "alice", "a1", "mine", "private")
            try await add(gateway, "bob", "b1", "for followers", "followers")
            try await add(gateway, "bob", "b2", "unutterable", "private")
            try await add(gateway, "carol", "c1", "for all", "public")
            try await add(gateway, "carol", "c2", "unutterable", "followers")
            let target = "/v1/changes?users=alice,bob,carol"
            let board = try BoardReader(gateway.port, target, as: "alice")
            try await eventually("all lists are there") { board.events.count == 3 }
            #expect(
                board.lines.sorted() == [
                    "snapshot alice own: mine", "snapshot bob followers: for followers",
                    "snapshot carol public: for all",
                ]
            )
            try await add(gateway, "bob", "b3", "new", "followers")
            try await board.expect("added bob: new")
            try await edit(gateway, "bob", "b3", #"{"content":"unutterable","visibility":"private"}"#)
            try await board.expect("removed bob: -")
            try await edit(gateway, "bob", "b2", #"{"content":"told","visibility":"public"}"#)
            try await board.expect("added bob: told")
            #expect(board.events.last?.data.contains("\"was\"") == false)
            let cursor = try #require(board.cursor)
            board.close()
            // While nobody looks: something to see, something that is hidden again, something of a stranger.
            try await add(gateway, "bob", "b4", "missed", "followers")
            try await add(gateway, "bob", "b5", "unutterable", "followers")
            try await edit(gateway, "bob", "b5", #"{"visibility":"private"}"#)
            try await add(gateway, "carol", "c3", "unutterable", "followers")
            try await edit(gateway, "alice", "a1", #"{"status":"complete"}"#)
            let again = try BoardReader(other.port, target, as: "alice", since: cursor)
            try await eventually("what was missed is there") { again.events.count >= 2 }
            #expect(again.lines.sorted() == ["added bob: missed", "modified alice: mine"])
            try await add(gateway, "bob", "b6", "live again", "public")
            try await again.expect("added bob: live again")
            // The last cursor has also passed what was hidden: nothing comes twice.
            let third = try BoardReader(gateway.port, target, as: "alice", since: again.cursor)
            try await add(gateway, "alice", "a2", "the only one", "private")
            try await third.expect("added alice: the only one")
            #expect(third.lines == ["added alice: the only one"])
            for reader in [board, again, third] { #expect(!reader.text.contains("unutterable")) }
        }
    }

    @Test(
        "closes a share at once, in every worker, and opens it again",
        arguments: ["unfollow", "remove", "block", "private"],
        Backing.allCases
    )
    func closes(_ how: String, _ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let (gateway, other) = (gateways[0], gateways[1])
            try await befriend(gateway, "alice", "bob")
            try await add(gateway, "bob", "b1", "shared", "followers")
            let boards = try [gateway, other].map { try BoardReader($0.port, "/v1/changes?users=bob", as: "alice") }
            let single = try BoardReader(other.port, "/v1/users/bob/changes", as: "alice")
            for board in boards { try await board.expect("snapshot bob followers: shared") }
            try await eventually("the other stream is open too") { !single.events.isEmpty }
            let line =
                switch how {
                case "unfollow": "DELETE /v1/users/alice/following/bob"
                case "remove": "DELETE /v1/users/bob/followers/alice"
                case "block": "PUT /v1/users/bob/blocked/alice"
                default: "PATCH /v1/users/bob/profile"
                }
            let body = how == "private" ? #"{"audience":"private"}"# : nil
            let actor = how == "unfollow" ? "alice" : "bob"
            #expect(try await gateway.ask(line, as: actor, body: body).status == 200)
            // From here on nothing may come, whatever the streams have heard of it yet.
            try await add(gateway, "bob", "b2", "unutterable", "followers")
            try await add(gateway, "bob", "b3", "for all", "public")
            for board in boards {
                try await eventually("the share ended") {
                    board.lines.contains { $0 == "closed bob" || $0.hasPrefix("snapshot bob public") }
                }
            }
            try await eventually("the other stream ended") { single.isEnded }
            for board in boards {
                // Whoever is no follower any more is a stranger; a closed door is closed to strangers too.
                if ["unfollow", "remove"].contains(how) {
                    try await eventually("it is what strangers see") { board.text.contains("for all") }
                    #expect(!board.lines.contains("closed bob"))
                } else {
                    #expect(board.lines.contains("closed bob") && !board.text.contains("for all"))
                }
                #expect(!board.text.contains("unutterable"))
            }
            let counts = boards.map(\.lines.count)
            // And back again.
            switch how {
            case "block":
                #expect(try await gateway.ask("DELETE /v1/users/bob/blocked/alice", as: "bob").status == 200)
                try await befriend(gateway, "alice", "bob")
            case "private":
                let open = #"{"audience":"followers"}"#
                #expect(try await gateway.ask("PATCH /v1/users/bob/profile", as: "bob", body: open).status == 200)
            default: try await befriend(gateway, "alice", "bob")
            }
            for (board, count) in zip(boards, counts) {
                try await eventually("the share is back") {
                    board.lines.dropFirst(count).contains { $0.hasPrefix("snapshot bob followers: shared") }
                }
            }
        }
    }

    @Test(
        "is a stranger's to who left, while the other side has not heard of it, and a friend's to who comes back",
        arguments: RedisKind.allCases
    )
    func left(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await befriend(gateway, "alice", "bob")
            try await add(gateway, "bob", "b1", "shared", "followers")
            let board = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "alice")
            try await board.expect("snapshot bob followers: shared")
            // As when whoever said so died in between: bob's side still has her as a follower.
            _ = try await server.call("todomate_unfollow", "alice", "bob")
            try await board.expect("snapshot bob public: ")
            for audience in ["public", "followers"] {
                _ = try await server.call("todomate_settings", "bob", #"{"audience":"\#(audience)"}"#)
            }
            try await add(gateway, "bob", "b2", "hidden", "followers")
            try await add(gateway, "bob", "b3", "for all", "public")
            try await board.expect("added bob: for all")
            #expect(!board.text.contains("hidden"))
            try await befriend(gateway, "alice", "bob")
            let told = { board.lines.filter { !$0.hasPrefix("relation") } }
            try await eventually("the share is back") { told().last?.hasPrefix("snapshot bob followers") == true }
            #expect(told().count == 4, "\(board.lines)")
        }
    }

    @Test("brings requests and answers as they happen", arguments: Backing.allCases)
    func requests(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let bob = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "bob")
            let alice = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "alice")
            try await bob.expect("snapshot bob own: ")
            try await alice.expect("snapshot bob public: ")
            try await add(gateway, "bob", "b1", "shared", "followers")
            #expect(try await gateway.ask("PUT /v1/users/alice/following/bob", as: "alice").status == 200)
            try await bob.expect("relation alice none requested")
            try await eventually("alice is told too") { alice.lines.contains("relation bob requested none") }
            #expect(try await gateway.ask("PUT /v1/users/bob/followers/alice", as: "bob").status == 200)
            try await eventually("alice sees the list") { alice.lines.contains("snapshot bob followers: shared") }
            #expect(alice.lines.contains("relation bob following none"))
            #expect(!alice.lines.contains { $0.hasPrefix("relation alice") })
        }
    }

    @Test("counts reactions, live, one a person", arguments: Backing.allCases)
    func reactions(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await befriend(gateway, "alice", "bob")
            try await add(gateway, "bob", "b1", "party", "followers")
            let board = try BoardReader(gateway.port, "/v1/changes?users=bob", as: "alice")
            try await board.expect("snapshot bob followers: party")
            let target = "/v1/users/bob/todos/b1/reactions/alice"
            let first = try await gateway.ask("PUT \(target)", as: "alice", body: #"{"emoji":"🎉"}"#)
            #expect(first.status == 200 && first.body.contains(#""reactions":{"🎉":1}"#))
            try await eventually("it is told") { board.events.last?.data.contains(#""reactions":{"🎉":1}"#) == true }
            let second = try await gateway.ask("PUT \(target)", as: "alice", body: #"{"emoji":"❤️"}"#)
            #expect(second.body.contains(#""reactions":{"❤️":1}"#))
            // An author's edit of the todo as it was does not fail for that.
            let patch = try await gateway.ask(
                "PATCH /v1/users/bob/todos/b1",
                [try GatewayProcess.bearer("bob"), "If-Match: \"1\""].map {
                    $0.replacing("\"1\"", with: revision(second))
                },
                body: #"{"content":"big party"}"#
            )
            #expect(patch.status == 200, "\(patch.body)")
            let all = try await gateway.ask("GET /v1/users/bob/todos/b1/reactions", as: "bob")
            #expect(all.body == #"{"reactions":[{"uid":"alice","emoji":"❤️"}]}"#)
            for emoji in ["", "a", "👍👍", "<script>", "1"] {
                let answer = try await gateway.ask("PUT \(target)", as: "alice", body: #"{"emoji":"\#(emoji)"}"#)
                #expect(answer.status == 422, "\(emoji)")
            }
            #expect(
                try await gateway.ask("PUT /v1/users/bob/todos/b1/reactions/bob", as: "alice", body: #"{"emoji":"👍"}"#)
                    .status == 403
            )
            #expect(
                try await gateway.ask(
                    "PUT /v1/users/bob/todos/b1/reactions/carol",
                    as: "carol",
                    body: #"{"emoji":"👍"}"#
                ).status == 404
            )
            #expect(try await gateway.ask("GET /v1/users/bob/todos/b1/reactions", as: "carol").status == 404)
            #expect(try await gateway.ask("DELETE \(target)", as: "alice").body.contains("reactions") == false)
        }
    }

    private func revision(_ answer: Answer) -> String { answer.fields("ETag").first ?? "" }

    @Test(
        "keeps badges that agree over workers, with each other and with what is asked for",
        arguments: Backing.allCases
    )
    func badges(_ backing: Backing) async throws {
        try await withGateways(3, on: backing) { gateways in
            let (gateway, other, fresh) = (gateways[0], gateways[1], gateways[2])
            try await befriend(gateway, "alice", "bob")
            let board = try BoardReader(other.port, "/v1/changes?users=alice&\(NoonZone.query)", as: "alice")
            let (today, tomorrow) = (NoonZone.today, NoonZone.tomorrow)
            func post(_ uid: String, _ id: String, _ day: String, _ visibility: String) async throws {
                let body = #"{"id":"\#(id)","content":"x","date":"\#(day)","visibility":"\#(visibility)"}"#
                #expect(try await gateway.ask("POST /v1/users/\(uid)/todos", as: uid, body: body).status == 201)
            }
            try await post("alice", "a1", today, "private")
            try await post("alice", "a2", today, "private")
            try await post("alice", "a3", tomorrow, "private")
            try await post("bob", "b1", today, "followers")
            try await post("bob", "b2", tomorrow, "private")
            #expect(try await gateway.ask("PUT /v1/users/carol/following/alice", as: "carol").status == 200)
            let expected = #"{"today":2,"feed":1,"requests":1,"more":1}"#
            try await eventually("the badges are told") { board.lines.last == "badges \(expected)" }
            for door in [gateway, other] {
                #expect(
                    try await door.ask("GET /v1/users/alice/badges?\(NoonZone.query)", as: "alice").body == expected
                )
            }
            try await edit(gateway, "bob", "b1", #"{"status":"complete"}"#)
            try await edit(gateway, "alice", "a1", #"{"status":"complete"}"#)
            let later = #"{"today":1,"feed":2,"requests":1,"more":1}"#
            try await eventually("they follow") { board.lines.last == "badges \(later)" }
            let feed = try await gateway.ask("GET /v1/users/alice/feed?\(NoonZone.query)&limit=1", as: "alice")
            let page = try #require(try JSONSerialization.jsonObject(with: Data(feed.body.utf8)) as? [String: Any])
            let items = try #require(page["items"] as? [[String: Any]])
            #expect(items.count == 1 && items.first?["type"] as? String == "finished")
            let next = try #require(page["next"] as? String)
            let rest = try await gateway.ask("GET /v1/users/alice/feed?\(NoonZone.query)&before=\(next)", as: "alice")
                .body
            #expect(rest.contains(#""type":"added""#) && !rest.contains("finished") && !rest.contains("next"))
            let at = try #require(items.first?["at"] as? Int)
            #expect(
                try await gateway.ask("PUT /v1/users/alice/feed/seen", as: "alice", body: #"{"seen":\#(at)}"#).status
                    == 200
            )
            let seen = #"{"today":1,"feed":0,"requests":1,"more":1}"#
            try await eventually("what was seen counts no more") { board.lines.last == "badges \(seen)" }
            // A worker that nobody has asked before knows all of it.
            #expect(try await fresh.ask("GET /v1/users/alice/badges?\(NoonZone.query)", as: "alice").body == seen)
            // What was taken away from the viewer's sight is not in the feed.
            try await edit(gateway, "bob", "b1", #"{"visibility":"private"}"#)
            #expect(
                try await gateway.ask("GET /v1/users/alice/feed?\(NoonZone.query)", as: "alice").body.contains(
                    #""items":[]"#
                )
            )
        }
    }

    @Test(
        "refuses what is no board",
        arguments: [
            "", "?users=", "?users=a,,b", "?users=a&users=b", "?users=a%20b", "?users=alice&colour=red",
            "?users=alice&zone=Mars",
            "?users=" + (0...100).map { "u\($0)" }.joined(separator: ","), "?users=alice&viewer=",
            "?users=alice&date=2026-02-30",
        ],
        Backing.allCases
    )
    func refuses(_ query: String, _ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let answer = try await gateway.ask("GET /v1/changes\(query)", as: "alice")
            #expect(answer.status == 422 && answer.isProblem, "\(answer.text)")
            #expect(try await gateway.ask("GET /v1/changes?users=bob&viewer=bob", as: "alice").status == 403)
            #expect(try await gateway.ask("GET /v1/changes?users=bob").status == 401)
        }
    }
}
