import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// From an invitation to the first shared todo, and who may do what on the way.
@Suite("People who make their own accounts", .serialized)
@LoopActor
struct JoinTests {
    private struct Listed: Decodable {
        struct Entry: Decodable {
            struct Arrival: Decodable { var uid: String }

            var id: String
            var left: Int
            var label: String?
            var came: [Arrival]
            var invitation: String?
        }

        var invitations: [Entry]
    }

    private func list(_ gateway: any HTTPGateway, _ uid: String = "alice") async throws -> [Listed.Entry] {
        let answer = try await gateway.ask("GET /v1/users/\(uid)/invitations", as: uid)
        #expect(answer.status == 200 && answer.fields("Cache-Control") == ["no-store"])
        return try answer.read(Listed.self).invitations
    }

    @Test("come by an invitation, follow who invited, and see what is shared", arguments: Backing.allCases)
    func journey(_ backing: Backing) async throws {
        try await withGateways(2, on: backing, door: .inviting) { gateways in
            let (first, second) = (gateways[0], gateways[1])
            let body = #"{"uses":2,"seconds":600,"label":"the club"}"#
            let answer = try await first.ask("POST /v1/users/alice/invitations", as: "alice", body: body)
            #expect(answer.status == 201 && answer.fields("Cache-Control") == ["no-store"])
            let made = try answer.read(MadeInvitation.self)
            #expect(made.uses == 2 && made.left == 2 && made.label == "the club")
            #expect(made.invitation.hasPrefix("alice.") && made.secret.count == 32)
            let before = try await list(second)
            #expect(before.map(\.id) == [made.id] && before.first?.invitation == nil, "the secret is said once")
            let look = try await second.look(at: made.invitation)
            #expect(look.status == 200 && look.body.hasPrefix(#"{"inviter":"alice","expires":"20"#))
            let joined = try await second.join("bob.b", by: made.invitation, follows: true)
            #expect(joined.status == 201 && joined.fields("Cache-Control") == ["no-store"])
            let session = try joined.read(GivenSession.self)
            #expect(session.uid == "bob.b" && session.following == "requested")
            let cookie = try #require(joined.fields("Set-Cookie").first)
            #expect(cookie.hasPrefix("todomate_session=\(session.token); ") && cookie.contains("HttpOnly"))
            let asks = try await first.ask("GET /v1/users/alice/followers?state=requested", as: "alice")
            #expect(asks.body.contains(#""uid":"bob.b""#))
            try await first.write("PUT /v1/users/alice/followers/bob.b", as: "alice")
            try await first.add("alice", "a first shared todo", id: "t1")
            let shared = try await second.ask("GET /v1/users/alice/todos", session.bearer)
            #expect(shared.body.contains("a first shared todo"))
            let after = try await list(first)
            #expect(after.first?.left == 1 && after.first?.came.map(\.uid) == ["bob.b"])
            let signedIn = try await first.trySigningIn("bob.b")
            #expect(signedIn.status == 201, "with the password that was chosen")
        }
    }

    @Test("are let in at once by a link for one person, which may be used twice at once", arguments: Backing.allCases)
    func welcome(_ backing: Backing) async throws {
        try await withGateways(2, on: backing, door: .inviting) { gateways in
            let (first, second) = (gateways[0], gateways[1])
            let one = try await first.ask("POST /v1/users/alice/invitations", as: "alice", body: #"{"welcome":true}"#)
            let made = try one.read(MadeInvitation.self)
            let look = try await second.look(at: made.invitation)
            #expect(look.body.hasSuffix(#","welcome":true}"#), "\(look.body)")
            async let left = first.join("bert", by: made.invitation, follows: true, followBack: true)
            async let right = second.join("bert", by: made.invitation, follows: true, followBack: true)
            for joined in try await [left, right] {
                #expect(try joined.status == 201 && joined.read(GivenSession.self).following == "following")
            }
            let back = try await first.ask("PUT /v1/users/alice/following/bert", as: "alice", body: "")
            #expect(back.body.contains(#""following":"following","follower":"following""#), "\(back.body)")
            // Those who come by a link for several ask, and by one whose maker wants it so; who follows nobody is followed by nobody.
            for (body, isWelcome) in [(#"{"uses":2}"#, false), (#"{"welcome":true}"#, true), ("{}", false)] {
                let other = try await first.ask("POST /v1/users/alice/invitations", as: "alice", body: body)
                let code = try other.read(MadeInvitation.self).invitation
                #expect(other.body.contains("\"welcome\":\(isWelcome)"), "\(other.body)")
                let name = "guest-\(body.utf8.count)"
                let joined = try await second.join(name, by: code, follows: isWelcome ? nil : true)
                #expect(try joined.read(GivenSession.self).following == (isWelcome ? nil : "requested"), "\(body)")
                let asked = try await first.ask("PUT /v1/users/alice/following/\(name)", as: "alice", body: "")
                #expect(asked.body.contains(#""following":"requested""#), "\(asked.body)")
            }
            let several = #"{"uses":2,"welcome":true}"#
            let refused = try await first.ask("POST /v1/users/alice/invitations", as: "alice", body: several)
            #expect(refused.status == 422 && refused.body.contains("several"), "\(refused.text)")
        }
    }

    @Test("are understood when they ask once more, as an answer was lost", arguments: Backing.allCases)
    func again(_ backing: Backing) async throws {
        try await withGateways(2, on: backing, door: .inviting) { gateways in
            let made = try await gateways[0].invite()
            for gateway in gateways {
                let joined = try await gateway.join("bert", by: made.invitation)
                #expect(joined.status == 201, "\(joined.text)")
            }
            let other = try await gateways[1].join("bert", "another-password", by: made.invitation)
            #expect(other.status == 409 && other.kind == "exists", "it is no way to guess at a password")
            let someone = try await gateways[1].join("berta", by: made.invitation)
            #expect(someone.status == 404 && someone.kind == "not-found", "the one use is bert's")
            // At the same moment, with both keys of the keyboard.
            let double = try await gateways[0].invite()
            async let left = gateways[0].join("carl", by: double.invitation)
            async let right = gateways[1].join("carl", by: double.invitation)
            let statuses = try await [left.status, right.status]
            #expect(statuses == [201, 201])
        }
    }

    @Test("complete what a worker left between its two steps", arguments: [Backing.redis, .cluster])
    func crash(_ backing: Backing) async throws {
        try await withGateways(on: backing, door: .inviting) { gateways in
            let (gateway, redis) = (gateways[0], try #require(gateways[0].redis))
            let made = try await gateway.invite()
            let taken = try await redis.call("todomate_take_invitation", "alice", made.id, "bert")
            #expect(Int(taken) != nil)
            let other = try await gateway.join("berta", by: made.invitation)
            #expect(other.status == 404, "the use is bert's, as long as his account may still be made")
            let same = try await gateway.join("bert", by: made.invitation)
            #expect(same.status == 201)
        }
    }

    @Test("hear of those who asked to follow the name before", arguments: Backing.allCases)
    func wishes(_ backing: Backing) async throws {
        try await withGateways(2, on: backing, door: .inviting) { gateways in
            let fields = [try GatewayProcess.bearer("carol"), "Content-Length: 0"]
            let asked = try await gateways[0].ask("PUT /v1/users/carol/following/nina", fields)
            #expect(asked.status == 200 && asked.body.contains(#""following":"requested""#))
            let made = try await gateways[0].invite()
            let joined = try await gateways[1].join("nina", by: made.invitation)
            #expect(joined.status == 201, "\(joined.text)")
            let nina = try joined.read(GivenSession.self)
            try await eventually("carol's request has arrived") {
                try await gateways[0].ask("GET /v1/users/nina/followers?state=requested", nina.bearer)
                    .body.contains(#""uid":"carol""#)
            }
        }
    }

    @Test("are let in no more than fifty at a time by one, and told so", arguments: Backing.allCases)
    func full(_ backing: Backing) async throws {
        try await withGateways(on: backing, door: .inviting) { gateways in
            let gateway = gateways[0]
            for _ in 0..<50 { _ = try await gateway.invite() }
            let answer = try await gateway.ask("POST /v1/users/alice/invitations", as: "alice", body: "{}")
            #expect(answer.status == 422 && answer.kind == "full" && !answer.body.contains("todomate "))
        }
    }

    @Test("are told that a name is taken, which costs no use", arguments: Backing.allCases)
    func taken(_ backing: Backing) async throws {
        try await withGateways(on: backing, door: .inviting) { gateways in
            let gateway = gateways[0]
            let made = try await gateway.invite()
            _ = try GatewayProcess.bearer("bob")
            let answer = try await gateway.join("bob", by: made.invitation)
            #expect(answer.status == 409 && answer.kind == "exists" && answer.fields("Set-Cookie").isEmpty)
            #expect(answer.body.contains("bob is taken, or looks like one that is"))
            #expect(try await list(gateway).first?.left == 1)
            let next = try await gateway.join("bobby", by: made.invitation)
            #expect(next.status == 201)
        }
    }

    @Test("are invited by those whom an operator lets, and by nobody else", arguments: Backing.allCases)
    func allowed(_ backing: Backing) async throws {
        for (inviters, most, answers) in [
            (Inviters.nobody, nil, [403, 403]), (.nobody, 0, [403, 403]), (.nobody, 1, [201, 422]),
            (.everyone, 0, [403, 403]), (.everyone, 1, [201, 422]), (.everyone, nil, [201, 201]),
        ] as [(Inviters, Int?, [Int])] {
            try await withGateways(on: backing, door: Door(inviters: inviters)) { gateways in
                let gateway = gateways[0]
                _ = try GatewayProcess.bearer("alice")
                if let most {
                    try await gateway.withStores { stores in
                        _ = try await stores.operators.limit("alice", [.invitations: .most(most)], by: nil)
                    }
                }
                let shown = try await gateway.ask("GET /v1/users/alice/invitations", as: "alice")
                #expect(
                    shown.body.hasSuffix(#","most":\#(most ?? (inviters == .everyone ? 50 : 0))}"#),
                    "\(shown.body)"
                )
                for status in answers {
                    let answer = try await gateway.ask("POST /v1/users/alice/invitations", as: "alice", body: "{}")
                    #expect(answer.status == status, "\(inviters) \(String(describing: most)): \(answer.text)")
                }
            }
        }
    }

    @Test("come in as the server is told to let them", arguments: Backing.dealt(Registration.allCases))
    func registration(_ registration: Registration, _ backing: Backing) async throws {
        let door = Door(registration: registration, inviters: .everyone)
        try await withGateways(on: backing, door: door) { gateways in
            let gateway = gateways[0]
            let session = try await gateway.ask("GET /v1/session")
            let rights = #""registration":"\#(registration.rawValue)","inviters":"everyone"}"#
            #expect(session.body == "{\"signIn\":true,\(rights)")
            let bare = try await gateway.join("nina", by: nil)
            #expect(bare.status == (registration == .open ? 201 : 403))
            let invite = try await gateway.ask("POST /v1/users/alice/invitations", as: "alice", body: "{}")
            #expect(invite.status == (registration == .closed ? 403 : 201))
            guard registration != .closed else {
                let code = LinkCode(of: "alice", for: .join).text
                let (look, join) = (try await gateway.look(at: code), try await gateway.join("nils", by: code))
                #expect(look.status == 403 && join.status == 403)
                return
            }
            let code = try invite.read(MadeInvitation.self).invitation
            let joined = try await gateway.join("nils", by: code, follows: false)
            #expect(try joined.read(GivenSession.self).following == nil)
        }
    }

    @Test("are invited by those alone who may, and invitations are their makers' own", arguments: Backing.allCases)
    func rights(_ backing: Backing) async throws {
        try await withGateways(on: backing, door: .inviting) { gateways in
            let gateway = gateways[0]
            let made = try await gateway.invite()
            let one = "/v1/users/alice/invitations/\(made.id)"
            for (line, body) in [
                ("GET /v1/users/alice/invitations", nil), ("POST /v1/users/alice/invitations", "{}"),
                ("DELETE \(one)", nil),
            ] as [(String, String?)] {
                let stranger = try await gateway.ask(line, body: body)
                #expect(stranger.status == 401, "\(line)")
                let other = try await gateway.ask(line, as: "bob", body: body)
                #expect(other.status == 403, "\(line)")
            }
            let cookie = "Cookie: todomate_session=\(try GatewayProcess.token("alice"))"
            for fields in [[cookie], [cookie, "Origin: https://evil.example"]] {
                let forged = try await gateway.ask("POST /v1/users/alice/invitations", fields, body: "{}")
                let taken = try await gateway.ask("DELETE \(one)", fields)
                #expect([forged.status, taken.status] == [403, 403])
            }
            let ended = try await gateway.ask("DELETE \(one)", as: "alice")
            let twice = try await gateway.ask("DELETE \(one)", as: "alice")
            let wrong = try await gateway.ask("DELETE /v1/users/alice/invitations/x", as: "alice")
            #expect([ended.status, twice.status, wrong.status] == [204, 404, 422])
        }
        try await withGateways(on: backing) { gateways in
            let refused = try await gateways[0].ask("POST /v1/users/alice/invitations", as: "alice", body: "{}")
            #expect(refused.status == 403 && refused.body.contains("operator"))
            #expect(try await list(gateways[0]).isEmpty)
        }
    }

    @Test("are sent away with a word about what is wrong in what they sent", arguments: Backing.allCases)
    func bodies(_ backing: Backing) async throws {
        try await withGateways(on: backing, door: .inviting) { gateways in
            let gateway = gateways[0]
            let code = try await gateway.invite().invitation
            let long = String(repeating: "x", count: 1025)
            let bodies = [
                "{}", #"{"user":"nina"}"#, #"{"user":"nina","password":"long-enough","extra":1}"#,
                #"{"user":"nina","password":5}"#, #"{"user":"nina","password":"long-enough","follow":"yes"}"#,
                #"{"user":"nina","password":"long-enough","invitation":null}"#,
                #"{"user":"ni na","password":"long-enough"}"#, #"{"user":"..","password":"long-enough"}"#,
                #"{"user":"","password":"long-enough"}"#, #"{"user":"nina","password":"short"}"#,
                #"{"user":"ninanina","password":"ninanina"}"#, #"{"user":"ninanina","password":"NinaNina"}"#,
                #"{"user":"nina","password":"\#(long)"}"#,
            ]
            for body in bodies {
                let invited = body.replacing(/\}$/, with: ",\"invitation\":\"\(code)\"}")
                for sent in body == "{}" || body.contains("invitation") ? [body] : [body, invited] {
                    let answer = try await gateway.ask("POST /v1/accounts", body: sent)
                    #expect(answer.status == 422 && answer.isProblem, "\(sent.prefix(80)): \(answer.body)")
                    #expect(!answer.body.contains("long-enough"))
                }
            }
            for (path, body) in [
                ("/v1/invitations/look", "{}"), ("/v1/invitations/look", #"{"invitation":5}"#),
                ("/v1/password-reset", #"{"user":"alice","secret":"x"}"#),
                ("/v1/password-reset", #"{"user":"alice","secret":"x","password":"short"}"#),
            ] {
                let answer = try await gateway.ask("POST \(path)", body: body)
                #expect(answer.status == 422 && answer.isProblem, "\(path) \(body)")
            }
            for body in [
                #"{"uses":0}"#, #"{"uses":101}"#, #"{"uses":1.5}"#, #"{"uses":"2"}"#, #"{"seconds":59}"#,
                #"{"seconds":31536001}"#, #"{"label":"\#(String(repeating: "x", count: 65))"}"#,
                #"{"label":"a\nb"}"#, #"{"days":7}"#,
            ] {
                let answer = try await gateway.ask("POST /v1/users/alice/invitations", as: "alice", body: body)
                #expect(answer.status == 422 && answer.isProblem, "\(body)")
            }
            #expect(try await list(gateway).count == 1)
        }
    }

    @Test("find no accounts in a server without sign-in")
    func withoutSignIn() async throws {
        try await withRedis { server in
            let words = ["worker", "--redis", server.address, "--listen"]
            let port = try freePort()
            let worker = try RunningProgram("todomate", words + ["127.0.0.1:\(port)", "--registration", "open"])
            try await eventually("the worker is ready") { worker.errors.contains("message=ready") }
            for (path, body) in [
                ("accounts", #"{"user":"nina","password":"long-enough"}"#),
                ("invitations/look", #"{"invitation":"a.b"}"#),
                ("password-reset", #"{"user":"nina","secret":"x","password":"long-enough"}"#),
                ("users/alice/invitations", "{}"),
            ] {
                let request = ["-sS", "-H", "Content-Type: application/json", "-d", body]
                let answer = try await Program.run("curl", request + ["http://127.0.0.1:\(port)/v1/\(path)"]).output
                #expect(answer.contains("runs without sign-in"), "\(path): \(answer)")
            }
            let keys = try await server.cli("KEYS", "*")
            #expect(keys.isEmpty)
            let ending = await worker.stop()
            #expect(ending == .exit(0))
        }
    }

    @Test("are told alike that a name is taken and that it looks like one that is", arguments: Backing.allCases)
    func lookAlikes(_ backing: Backing) async throws {
        try await withGateways(2, on: backing, door: .inviting) { gateways in
            let made = try await gateways[0].invite(by: "alice", uses: 2)
            #expect(try await gateways[0].join("mike", by: made.invitation).status == 201)
            let taken = try await gateways[1].join("mike", "another one", by: made.invitation)
            #expect(taken.status == 409 && taken.kind == "exists")
            for uid in ["rnike", "Mike", "m1ke"] {
                let answer = try await gateways[1].join(uid, by: made.invitation)
                #expect(
                    answer.status == 409 && answer.body == taken.body.replacing("mike", with: uid),
                    "\(answer.text)"
                )
                #expect(try await gateways[0].trySigningIn(uid).status == 401)
            }
            #expect(try await list(gateways[0]).first?.left == 1, "no use of the invitation is lost")
            #expect(try await gateways[1].join("mika", by: made.invitation).status == 201)
        }
    }
}
