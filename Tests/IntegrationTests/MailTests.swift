import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// Addresses of mail and passwords that are set by it, over a real mail server.
@Suite("Mail of an account", .serialized)
@LoopActor
struct MailTests {
    private static let other = "other-\(GatewayProcess.unutterable)"

    @Test(
        "goes to an address that was confirmed, and opens an account whose password is forgotten",
        arguments: Backing.allCases
    )
    func whole(_ backing: Backing) async throws {
        try await withMailGateways(2, on: backing) { gateways, mailbox in
            let alice = try await gateways[0].signIn("alice")
            #expect(try await gateways[0].shownMail(as: alice) == ShownMail(sends: true))
            let asked = try await gateways[0].setMail("Alice@Mail.Example", as: alice)
            #expect(asked.status == 202 && asked.fields("Cache-Control") == ["no-store"])
            let pending = try asked.read(ShownMail.self)
            #expect(pending.pending == "Alice@mail.example" && pending.address == nil && pending.until != nil)
            let mail = try await mailbox.mails(1)[0]
            #expect(
                mail.to == ["Alice@mail.example"] && mail.from == "todo@todo.example" && mail.name == "todo.example"
            )
            #expect(
                mail.fields("To") == ["Alice@mail.example"] && mail.fields("From") == ["TodoMate <todo@todo.example>"]
            )
            #expect(mail.fields("Auto-Submitted") == ["auto-generated"] && mail.fields("Date").count == 1)
            #expect(mail.fields("Subject") == ["Confirm this address for alice at todo.example"])
            #expect(mail.text.contains("https://todo.example/#mail=alice."))
            let ticket = try #require(mail.ticket("mail"))
            let confirmed = try await gateways[1].confirmMail(ticket.uid, ticket.secret)
            #expect(confirmed.status == 200 && confirmed.body.contains("Alice@mail.example"))
            #expect(try await gateways[0].shownMail(as: alice) == ShownMail(sends: true, address: "Alice@mail.example"))
            let again = try await gateways[0].confirmMail(ticket.uid, ticket.secret)
            #expect(again.status == 404 && again.kind == "not-found")

            let forgotten = try await gateways[1].forget("alice")
            #expect(forgotten.status == 202 && forgotten.body == "{}")
            let link = try await mailbox.mails(2)[1]
            #expect(link.fields("Subject") == ["A new password for alice at todo.example"])
            let reset = try #require(link.ticket("reset"))
            let set = try await gateways[0].reset(reset.uid, reset.secret, Self.other)
            #expect(set.status == 201 && set.fields("Set-Cookie").first?.contains("HttpOnly") == true)
            for gateway in gateways {
                try await eventually("the session of before is over") {
                    try await gateway.ask("GET /v1/users/alice/todos", alice.bearer).status == 401
                }
                let twice = try await gateway.reset(reset.uid, reset.secret, "third-\(GatewayProcess.unutterable)")
                #expect(twice.status == 404)
            }
            _ = try await gateways[1].signIn("alice", Self.other)
            let events = try await gateways[0].ask("GET /v1/users/alice/events", try set.read(GivenSession.self).bearer)
            #expect(
                events.body.contains(#""kind":"mail-changed""#) && events.body.contains(#""kind":"password-changed""#)
            )
            #expect(try await gateways[0].metric("todomate_mails_sent_total") == 1)
            #expect(try await gateways[1].metric("todomate_mails_sent_total") == 1)
        }
    }

    @Test(
        "tells the address of before in the account's language, and takes it away",
        arguments: Backing.allCases
    )
    func notices(_ backing: Backing) async throws {
        try await withMailGateways(on: backing) { gateways, mailbox in
            let gateway = gateways[0]
            try await gateway.giveMail("first@mail.example", mailbox, ["Accept-Language: ko-KR,ko;q=0.9"])
            #expect(mailbox.mails[0].text.contains("하루 안에"), "nothing is chosen: that of the browser")
            let alice = try await gateway.signIn("alice")
            let chosen = try await gateway.ask(
                "PATCH /v1/users/alice/profile",
                alice.bearer,
                body: #"{"language":"ko"}"#
            )
            #expect(chosen.status == 200)
            #expect(try await gateway.setMail("second@mail.example", as: alice).status == 202)
            let confirmation = try #require(try await mailbox.mails(2).last)
            #expect(confirmation.fields("Subject")[0].contains("메일 주소를 확인해"))
            let ticket = try #require(confirmation.ticket("mail"))
            #expect(try await gateway.confirmMail(ticket.uid, ticket.secret).status == 200)
            let changed = try #require(try await mailbox.mails(3).last)
            #expect(changed.to == ["first@mail.example"] && changed.text.contains("다른 주소로"))
            #expect(!changed.text.contains("second"), "the new one is not told")
            let gone = try await gateway.setMail("", as: alice)
            #expect(try gone.read(ShownMail.self) == ShownMail(sends: true) && gone.status == 200)
            let removed = try #require(try await mailbox.mails(4).last)
            #expect(removed.to == ["second@mail.example"] && removed.fields("Subject")[0].contains("삭제"))
            #expect(try await gateway.setMail("", as: alice).status == 200, "nothing to take away")
            let events = try await gateway.ask("GET /v1/users/alice/events", alice.bearer).body
            #expect(events.contains(#""kind":"mail-removed""#))
        }
    }

    @Test(
        "is asked for alike for every name, and comes to those alone who have a confirmed address",
        arguments: Backing.allCases
    )
    func alike(_ backing: Backing) async throws {
        try await withMailGateways(on: backing) { gateways, mailbox in
            let gateway = gateways[0]
            for uid in ["unconfirmed", "suspended"] { try await gateway.giveAccount(uid) }
            try await gateway.giveMail("suspended@mail.example", to: "suspended", mailbox)
            try await gateway.withStores { _ = try await $0.operators.suspend("suspended", for: "", by: nil) }
            let client = try await gateway.signIn("unconfirmed")
            #expect(try await gateway.setMail("waiting@mail.example", of: "unconfirmed", as: client).status == 202)
            _ = try await mailbox.mails(2)
            try await gateway.giveMail("alice@mail.example", mailbox)
            let before = try await mailbox.mails(3).count
            var answers: Set<String> = []
            for uid in ["nobody", "unconfirmed", "suspended", "alice"] {
                let answer = try await gateway.forget(uid)
                #expect(answer.status == 202, "\(uid): \(answer.text)")
                answers.insert(answer.text.replacing(/Date: [^\r]+/, with: ""))
            }
            #expect(answers.count == 1, "\(answers)")
            // Hers was asked for last.
            let mail = try #require(try await mailbox.mails(before + 1).last)
            #expect(mail.to == ["alice@mail.example"])
            for name in ["", "a b", String(repeating: "x", count: 65)] {
                #expect(try await gateway.forget(name).status == 422)
            }
        }
    }

    @Test(
        "goes to names of hosts in any letters, and to no letters that mail servers do not take",
        arguments: Backing.allCases
    )
    func letters(_ backing: Backing) async throws {
        try await withMailGateways(on: backing) { gateways, mailbox in
            let alice = try await gateways[0].signIn("alice")
            for (index, (given, kept)) in [
                ("anna@MÜNCHEN.example", "anna@xn--mnchen-3ya.example"), ("Anna@예.한국", "Anna@xn--2j5b.xn--3e0b707e"),
            ].enumerated() {
                let asked = try await gateways[0].setMail(given, as: alice)
                #expect(asked.status == 202, "\(asked.text)")
                #expect(try asked.read(ShownMail.self).pending == kept)
                let mail = try await mailbox.mails(index + 1)[index]
                #expect(mail.to == [kept] && mail.fields("To") == [kept])
            }
            let before = try await gateways[0].shownMail(as: alice)
            for (address, why) in [
                ("한글@예.한국", "before the @, ASCII is all that mail takes"), ("änna@example.org", "before the @"),
                ("anna@-ü.example", "in ASCII"), ("anna@mün chen.example", "in ASCII"),
                ("anna@münchen.example/x", "in ASCII"),
                ("anna@münchen.example:25", "in ASCII"), ("anna@münchen．example．", "in ASCII"),
                ("anna@ü／x.example", "in ASCII"),
                ("anna@münchen.example>\r\nRCPT TO:<eve@mail.example", "must look like"),
                ("anna@\u{200D}", "must look like"),
            ] {
                let refused = try await gateways[0].setMail(address, as: alice)
                #expect(refused.status == 422 && refused.body.contains(why), "\(address): \(refused.text)")
            }
            #expect(try await gateways[0].shownMail(as: alice) == before)
            #expect(mailbox.mails.count == 2)
        }
    }

    @Test("still asks for the second factor", arguments: Backing.allCases)
    func factor(_ backing: Backing) async throws {
        try await withMailGateways(on: backing) { gateways, mailbox in
            let gateway = gateways[0]
            try await gateway.giveMail("alice@mail.example", mailbox)
            let factor = try await gateway.turnOnFactor(with: try await gateway.signIn("alice").cookie)
            #expect(try await gateway.forget("alice").status == 202)
            let ticket = try #require(try await mailbox.mails(2).last?.ticket("reset"))
            let without = try await gateway.reset(ticket.uid, ticket.secret, Self.other)
            #expect(without.status == 401 && without.kind == "second-factor")
            let with = try await gateway.reset(ticket.uid, ticket.secret, Self.other, code: try factor.code())
            #expect(with.status == 201)
        }
    }

    @Test("is tried again where the server puts it off, and given up where it refuses")
    func attempts() async throws {
        try await withMailGateways(on: .memory) { gateways, mailbox in
            let gateway = gateways[0]
            let alice = try await gateway.signIn("alice")
            try mailbox.behave("rcpt 451 4.7.1 Later")
            #expect(try await gateway.setMail("alice@mail.example", as: alice).status == 202)
            try await eventually("it is put off") {
                (try await gateway.metric("todomate_mails_put_off_total") ?? 0) > 0
            }
            #expect(mailbox.mails.isEmpty)
            try mailbox.behave("")
            let first = try await mailbox.mails(1)
            #expect(first[0].to == ["alice@mail.example"])
            try mailbox.behave("data 554 5.7.1 No")
            #expect(try await gateway.setMail("alice@mail.example", as: alice).status == 202)
            try await eventually("it is given up") {
                try await gateway.metric(#"todomate_mails_failed_total{reason="rejected"}"#) == 1
            }
            try mailbox.behave("rcpt 451 4.7.1 Later")
            #expect(try await gateway.setMail("alice@mail.example", as: alice).status == 202)
            try await eventually("it is given up after some attempts") {
                try await gateway.metric(#"todomate_mails_failed_total{reason="deferred"}"#) == 1
            }
            #expect(try await gateway.metric("todomate_mails_waiting") == 0)
            #expect(mailbox.mails.count == 1)
        }
    }

    @Test("waits in a bounded queue while the server says nothing, and nobody else waits for it")
    func silence() async throws {
        try await withMailGateways(on: .memory) { gateways, mailbox in
            let gateway = gateways[0]
            try await gateway.giveMail("alice@mail.example", mailbox)
            try mailbox.behave("hang")
            #expect(try await gateway.forget("alice").status == 202)
            try await eventually("it is under way") { try await gateway.metric("todomate_mails_waiting") == 1 }
            for _ in 0..<50 { #expect(try await gateway.ask("GET /healthz").status == 200) }
            let memory = try #require(gateway as? MemoryGateway)
            let queue = try #require(memory.mailQueue)
            let text = MailText(kind: .test, uid: "alice", server: "https://todo.example")
            for _ in queue.count..<MailQueue.most { #expect(queue.send(text, to: "a@b", in: .english)) }
            #expect(!queue.send(text, to: "a@b", in: .english))
            #expect(try await gateway.metric(#"todomate_mails_failed_total{reason="full"}"#) == 1)
            let alice = try await gateway.signIn("alice")
            let asked = try await gateway.setMail("new@mail.example", as: alice)
            #expect(asked.status == 503 && asked.fields("Retry-After") == ["60"])
        }
    }

    @Test("is handed over before a worker that is told to stop ends")
    func drains() async throws {
        try await withMailServer { mailbox in
            let door = Door(publicURL: "https://todo.example", mail: try mailbox.settings())
            try await withGateways(on: .redis, door: door) { gateways in
                try await gateways[0].giveAccount("alice")
                try await gateways[0].giveMail("alice@mail.example", mailbox)
                #expect(try await gateways[0].forget("alice").status == 202)
            }
            #expect(mailbox.mails.count == 2)
        }
    }

    @Test("is nothing where a server sends none", arguments: Backing.allCases)
    func without(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.giveAccount("alice")
            let alice = try await gateway.signIn("alice")
            #expect(try await gateway.shownMail(as: alice) == ShownMail(sends: false))
            #expect(try await gateway.setMail("a@b", as: alice).status == 404)
            #expect(try await gateway.setMail("", as: alice).status == 200, "what is there can always be taken away")
            #expect(try await gateway.forget("alice").status == 404)
            let door = try await gateway.ask("GET /v1/session").body
            #expect(!door.contains("mail"))
        }
        try await withMailGateways(on: backing) { gateways, _ in
            let door = try await gateways[0].ask("GET /v1/session").body
            #expect(door.contains(#""mail":true"#))
        }
    }

    @Test("leaves nothing behind when the account is deleted, and goes into its owner's archive alone")
    func purge() async throws {
        try await withMailGateways(on: .redis) { gateways, mailbox in
            let server = try #require(gateways[0].redis)
            try await gateways[0].giveMail("alice@mail.example", mailbox)
            let alice = try await gateways[0].signIn("alice")
            #expect(try await gateways[0].setMail("next@mail.example", as: alice).status == 202)
            let archive = try await gateways[0].ask("GET /v1/users/alice/archive", alice.bearer).body
            #expect(archive.contains(#""mail":"alice@mail.example""#) && !archive.contains("next@"))
            let exported = try await server.todomate("export", "--with-profiles")
            #expect(exported.output.contains("alice@mail.example"))
            let file = mailbox.folder.appending(path: "export.jsonl")
            try Data(exported.output.utf8).write(to: file)
            _ = try await server.todomate("user", "remove", "--purge", "alice")
            #expect(try await server.cli("KEYS", "todomate:{alice}:*") == "")
            let imported = try await server.todomate("import", file.path)
            #expect(imported.ending == .exit(0), "\(imported.errors)")
            let profile = try await server.cli("HGETALL", "todomate:{alice}:profile")
            #expect(profile.contains("argon2") && !profile.contains("mail.example"), "an address is confirmed anew")
        }
    }
}
