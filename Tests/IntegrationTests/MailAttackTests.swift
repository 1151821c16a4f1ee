import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

extension AttackTests {
    @Suite("Mail that is attacked", .serialized)
    @LoopActor
    struct MailAttackTests {
        private static let other = "other-\(GatewayProcess.unutterable)"

        /// What a link may lack that was mailed.
        enum Lack: String, CaseIterable, Sendable {
            case resetTwice, resetAfterAnotherAddress, resetAfterNoAddress, resetReplaced, resetAsConfirmation
            case resetOfOthers, resetAfterRemoval, confirmationTwice, confirmationAfterAnother, confirmationAfterNone
            case confirmationAsReset, confirmationOfOthers, confirmationCut
            case confirmationAfterPassword, confirmationAfterOperatorsPassword, confirmationAfterReset
        }

        @Test(
            "opens nothing by a link that is used, over, or somebody else's",
            arguments: Backing.dealt(Lack.allCases)
        )
        func links(_ lack: Lack, _ backing: Backing) async throws {
            try await withMailGateways(on: backing) { gateways, mailbox in
                let gateway = gateways[0]
                try await gateway.giveAccount("bob")
                try await gateway.giveMail("alice@mail.example", mailbox)
                let alice = try await gateway.signIn("alice")
                let count = mailbox.mails.count
                let isReset = lack.rawValue.hasPrefix("reset")
                let asked =
                    isReset
                    ? try await gateway.forget("alice") : try await gateway.setMail("second@mail.example", as: alice)
                #expect(asked.status == 202)
                let mail = try #require(try await mailbox.mails(count + 1).last)
                var (uid, secret) = try #require(mail.ticket(isReset ? "reset" : "mail"))
                var usesReset = isReset
                switch lack {
                case .resetTwice: #expect(try await gateway.reset(uid, secret, Self.other).status == 201)
                case .resetAfterAnotherAddress: try await gateway.giveMail("second@mail.example", mailbox)
                case .resetAfterNoAddress, .confirmationAfterNone:
                    #expect(try await gateway.setMail("", as: alice).status == 200)
                case .resetReplaced:
                    #expect(try await gateway.forget("alice").status == 202)
                    _ = try await mailbox.mails(count + 2)
                case .resetAsConfirmation: usesReset = false
                case .confirmationAsReset: usesReset = true
                case .resetOfOthers, .confirmationOfOthers: uid = "bob"
                case .resetAfterRemoval:
                    try await gateway.withStores { stores in
                        try await stores.sessions.removeAccount("alice")
                        try await stores.sessions.enroll(
                            "alice",
                            passwordHash: GatewayProcess.passwordHash,
                            keepingData: true
                        )
                    }
                case .confirmationTwice: #expect(try await gateway.confirmMail(uid, secret).status == 200)
                case .confirmationAfterAnother:
                    #expect(try await gateway.setMail("third@mail.example", as: alice).status == 202)
                    _ = try await mailbox.mails(count + 2)
                // Whoever asked for the link may be why there is another password.
                case .confirmationAfterPassword:
                    let change = JSONObject(["current": GatewayProcess.password, "password": Self.other]).text
                    let path = "POST /v1/users/alice/password"
                    #expect(try await gateway.ask(path, alice.cookie, body: change).status == 201)
                case .confirmationAfterOperatorsPassword:
                    try await gateway.withStores { stores in
                        _ = try await stores.sessions.setPasswordHash(GatewayProcess.passwordHash, of: "alice")
                    }
                case .confirmationAfterReset:
                    #expect(try await gateway.forget("alice").status == 202)
                    let link = try #require(try await mailbox.mails(count + 2).last?.ticket("reset"))
                    #expect(try await gateway.reset(link.0, link.1, Self.other).status == 201)
                case .confirmationCut: secret = String(secret.dropLast())
                }
                let answer =
                    usesReset
                    ? try await gateway.reset(uid, secret, "third-\(GatewayProcess.unutterable)")
                    : try await gateway.confirmMail(uid, secret)
                #expect(answer.status == 404 && answer.kind == "not-found", "\(answer.text)")
                #expect(answer.fields("Set-Cookie").isEmpty)
                #expect(try await gateway.trySigningIn("alice", "third-\(GatewayProcess.unutterable)").status == 401)
            }
        }

        @Test("is not set by those who may not", arguments: Backing.allCases)
        func others(_ backing: Backing) async throws {
            try await withMailGateways(on: backing) { gateways, mailbox in
                let gateway = gateways[0]
                try await gateway.giveAccount("bob")
                let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
                let wish = #"{"name":"p","scope":"write","days":1}"#
                let made = try await gateway.ask("POST /v1/users/alice/tokens", alice.bearer, body: wish)
                let token = try #require(made.body.firstMatch(of: /"token":"([^"]+)"/).map { String($0.1) })
                let body = JSONObject(["address": "eve@mail.example", "password": GatewayProcess.password]).text
                let line = "PUT /v1/users/alice/mail"
                for (fields, status) in [
                    ([String](), 401), (bob.bearer, 403), (["Authorization: Bearer \(token)"], 403),
                    ([alice.cookie[0], "Origin: https://evil.example"], 403), ([alice.cookie[0]], 403),
                ] {
                    #expect(try await gateway.ask(line, fields, body: body).status == status, "\(fields)")
                }
                for (fields, status) in [([String](), 401), (bob.bearer, 403)] {
                    #expect(try await gateway.ask("GET /v1/users/alice/mail", fields).status == status, "\(fields)")
                }
                // Whoever has stolen a session has no password with it: nothing waits, and no link for a new one goes to them.
                let wrong = try await gateway.setMail("eve@mail.example", as: alice, "wrong")
                #expect(wrong.status == 403 && wrong.kind == "wrong-password")
                let removed = try await gateway.setMail("", as: alice, "wrong")
                #expect(removed.status == 403 && removed.kind == "wrong-password")
                #expect(try await gateway.forget("alice").status == 202)
                try await eventually("the owner can see that somebody tried") {
                    try await gateway.ask("GET /v1/users/alice/events", alice.bearer).body.contains(
                        #""kind":"refused""#
                    )
                }
                for (line, body) in [
                    ("POST /v1/password-reset/mail", #"{"user":"alice"}"#),
                    ("POST /v1/mail-confirmation", #"{"user":"alice","secret":"x"}"#),
                ] {
                    let foreign = try await gateway.ask(line, "Origin: https://evil.example", body: body)
                    #expect(foreign.status == 403)
                    for bad in ["{}", "[]", #"{"user":1}"#, body.replacing("}", with: #","x":1}"#)] {
                        #expect(try await gateway.ask(line, body: bad).status == 422, "\(bad)")
                    }
                }
                #expect(try await gateway.shownMail(as: alice) == ShownMail(sends: true))
                #expect(mailbox.mails.isEmpty)
            }
        }

        @Test(
            "takes no address that adds to a header or a command",
            arguments: [
                "eve@mail.example\r\nBcc: all@mail.example", "eve@mail.example\nSubject: x", "eve@mail.example>",
                "eve@mail.example> SIZE=1", "eve@mail.example,all@mail.example", "\"eve\r\n\"@mail.example", "eve",
                "eve@mail.example\u{0}", "eve@mail.example ", "Eve <eve@mail.example>", "eve@[127.0.0.1]",
                "이브@mail.example",
            ]
        )
        func injection(_ address: String) async throws {
            try await withMailGateways(on: .memory) { gateways, mailbox in
                let alice = try await gateways[0].signIn("alice")
                let answer = try await gateways[0].setMail(address, as: alice)
                #expect(answer.status == 422 && answer.body.contains("alice@example.org"), "\(answer.text)")
                #expect(try await gateways[0].shownMail(as: alice) == ShownMail(sends: true))
                #expect(mailbox.mails.isEmpty)
            }
        }

        @Test("floods no account, whether it exists or not, at all workers together", arguments: Backing.allCases)
        func accounts(_ backing: Backing) async throws {
            try await withMailGateways(2, on: backing) { gateways, mailbox in
                try await gateways[0].giveMail("alice@mail.example", mailbox)
                for round in 0..<3 { #expect(try await gateways[round % 2].forget("alice").status == 202) }
                _ = try await mailbox.mails(4)
                for gateway in gateways {
                    let refused = try await gateway.forget("alice")
                    #expect(refused.status == 429 && refused.kind == "too-many-attempts", "\(refused.text)")
                    let wait = try #require(refused.fields("Retry-After").first.flatMap { Int($0) })
                    #expect((3000...3600).contains(wait))
                }
                for _ in 0..<2 { #expect(try await gateways[0].forget("nobody").status == 202) }
                // Of this client there were five: it waits for its own sake by now.
                let client = try await gateways[1].forget("somebody")
                #expect(client.status == 429)
                #expect(mailbox.mails.count == 4)
            }
        }

        @Test("floods no account that many ask about at the same time, at two workers", arguments: Backing.allCases)
        func atOnce(_ backing: Backing) async throws {
            try await withMailGateways(2, on: backing) { gateways, mailbox in
                try await gateways[0].giveMail("alice@mail.example", mailbox)
                let attempts = (0..<12).map { number in
                    Task { try await gateways[number % 2].forget("alice").status }
                }
                var statuses: [Int?] = []
                for attempt in attempts { statuses.append(try await attempt.value) }
                #expect(statuses.count { $0 == 202 } == 3 && statuses.count { $0 == 429 } == 9, "\(statuses)")
                #expect(try await mailbox.mails(4).count == 4)
                // Those that were refused have cost the client nothing.
                for _ in 0..<2 { #expect(try await gateways[1].forget("nobody").status == 202) }
                #expect(try await gateways[0].forget("nobody").status == 429)
            }
        }

        @Test("keeps nobody from a link for a new password by asking for it again and again")
        func heldPlaces() async throws {
            try await withMailGateways(2, on: .redis, isBehindProxy: true) { gateways, _ in
                let attacker = "X-Forwarded-For: 203.0.113.9"
                for n in 0..<5 { #expect(try await gateways[0].forget("nobody-\(n)", attacker).status == 202) }
                var victim = 0
                let attacks = (0..<16).map { number in
                    Task {
                        while victim < 40 {
                            let answer = try await gateways[number % 2].forget("victim-\(victim)", attacker)
                            guard answer.status == 429 else { return false }
                        }
                        return true
                    }
                }
                var statuses: [Int?] = []
                for number in 0..<40 {
                    victim = number
                    let address = "X-Forwarded-For: 198.51.\(number).1"
                    statuses.append(try await gateways[number % 2].forget("victim-\(number)", address).status)
                }
                victim = 40
                for attack in attacks { #expect(try await attack.value, "over its budget") }
                #expect(statuses.allSatisfy { $0 == 202 }, "\(statuses)")
            }
        }

        @Test("floods no address, whichever accounts it is to be at")
        func recipients() async throws {
            try await withMailGateways(on: .memory) { gateways, mailbox in
                let gateway = gateways[0]
                for uid in ["bob", "carol"] { try await gateway.giveAccount(uid) }
                // Whose address it is.
                try await gateway.giveMail("victim@mail.example", to: "carol", mailbox)
                let (alice, bob) = (try await gateway.signIn("alice"), try await gateway.signIn("bob"))
                for round in 0..<4 {
                    let (uid, client) = round % 2 == 0 ? ("alice", alice) : ("bob", bob)
                    let address = ["Victim@mail.example", "victim+\(round)@mail.example", "v.ictim@MAIL.example"][
                        round % 3
                    ]
                    #expect(try await gateway.setMail(address, of: uid, as: client).status == 202)
                }
                _ = try await mailbox.mails(5)
                for name in ["victim", "VICTIM", "victim+x", "vic.tim+y+z"] {
                    let refused = try await gateway.setMail("\(name)@mail.example", of: "bob", as: bob)
                    #expect(refused.status == 429, "\(name)")
                }
                let next = try await gateway.setMail("other@mail.example", of: "bob", as: bob)
                #expect(next.status == 202)
                #expect(try await gateway.setMail("other@mail.example", of: "alice", as: alice).status == 202)
                let fourth = try await gateway.setMail("other@mail.example", of: "alice", as: alice)
                #expect(fourth.status == 429, "of one account, three at once")
                #expect(try await mailbox.mails(7).count == 7)
                // All that keeps nobody from a link for a new password.
                #expect(try await gateway.forget("carol").status == 202)
                #expect(try await mailbox.mails(8).last?.ticket("reset")?.uid == "carol")
            }
        }

        @Test(
            "leaves no secret in a command to Redis, a log, a path, a metric or a referrer: the link of a reset in a referrer"
        )
        func secrets() async throws {
            try await withMailGateways(on: .redis) { gateways, mailbox in
                let (gateway, server) = (gateways[0], try #require(gateways[0].redis))
                let process = try #require(gateway as? GatewayProcess)
                let monitor = try RunningProgram("redis-cli", ["-s", "\(server.url)", "MONITOR"])
                try await eventually("it listens") { !monitor.lines.isEmpty }
                try await gateway.giveMail("alice@mail.example", mailbox)
                // Servers quote what they refuse, the mail among it.
                try mailbox.behave("data 554 No alice@mail.example")
                #expect(try await gateway.forget("alice").status == 202)
                try await eventually("it is given up") { process.program.errors.contains("mail not sent") }
                try mailbox.behave("")
                #expect(try await gateway.forget("alice").status == 202)
                let (confirmation, link) = (mailbox.mails[0], try await mailbox.mails(2)[1])
                let ticket = try #require(link.ticket("reset"))
                // What the page does with it, and what a browser is told before it opens it.
                let parts = try await gateway.ask("GET /").body.matches(of: /\/parts\/[\w.-]+\.js/).map { String($0.0) }
                #expect(!parts.isEmpty)
                for path in ["/", "/v1/session"] + parts {
                    let page = try await gateway.ask("GET \(path)")
                    #expect(page.status == 200 && page.fields("Referrer-Policy") == ["no-referrer"], "\(path)")
                    #expect(!page.body.contains("referrerpolicy"), "\(path)")
                }
                let answer = try await gateway.reset(ticket.uid, ticket.secret, Self.other)
                #expect(answer.status == 201 && answer.fields("Referrer-Policy") == ["no-referrer"])
                try await eventually("all of it is seen") { monitor.output.contains("todomate_reset_password") }
                await monitor.stop()
                let metrics = try await gateway.ask("GET /metrics").body
                for secret in [ticket.secret, try #require(confirmation.ticket("mail")).secret] {
                    for text in [monitor.output, process.program.errors, metrics] { #expect(!text.contains(secret)) }
                }
                #expect(!process.program.errors.contains("mail.example"), "nor whose address it is")
                // Names of users are in paths: whatever has a secret is asked by what no log of paths has.
                #expect(process.program.errors.contains("path=/v1/password-reset"))
            }
        }
    }
}
