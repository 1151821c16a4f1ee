import EventLoop
import Foundation
import TestServers
import Testing
import Transfers

@Suite("Mail to a server", .serialized)
@LoopActor
struct MailServerTests {
    private static let message = Array("Subject: one\r\n\r\n.\r\nhello\r\n".utf8)

    private func server(_ mailbox: MailServerProgram, _ scheme: String = "smtp") -> MailServer {
        var server = MailServer("\(scheme)://127.0.0.1:\(mailbox.port)")
        server.name = "todo.example"
        server.requiresTLS = false
        return server
    }

    private func send(_ server: MailServer, to recipient: String = "alice@example.org") async throws(MailTransferError)
        -> String
    { try await server.send(Self.message, from: "todo@todo.example", to: recipient) }

    private func reason(of server: MailServer) async -> MailTransferError.Reason? {
        do throws(MailTransferError) {
            _ = try await send(server)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("A mail comes whole, with the addresses and the name of this end")
    func comes() async throws {
        try await withMailServer { mailbox in
            let answer = try await send(server(mailbox))
            #expect(answer == "250 2.0.0 queued as 1")
            let mail = try await mailbox.mails(1)[0]
            #expect(mail.from == "todo@todo.example" && mail.to == ["alice@example.org"] && mail.name == "todo.example")
            #expect(mail.text.hasPrefix(".\n") && mail.fields("Subject") == ["one"] && !mail.isTLS)
            let greeting = try await server(mailbox).greet()
            #expect(greeting.hasPrefix("250"))
            #expect(mailbox.mails.count == 1, "a greeting sends nothing")
        }
    }

    @Test(
        "TLS is begun before anything is said, and only with a certificate that is trusted",
        arguments: ["starttls", "smtps"]
    )
    func tls(_ kind: String) async throws {
        try await withMailServer(kind, "auth") { mailbox in
            var server = server(mailbox, kind == "smtps" ? "smtps" : "smtp")
            server.requiresTLS = true
            server.credentials = MailServer.Credentials(user: "todo", password: "pass word")
            #expect(await reason(of: server) == .tls, "nobody has signed it")
            server.certificates = mailbox.folder.appending(path: "certificate.pem").path
            _ = try await send(server)
            let mail = try await mailbox.mails(1)[0]
            #expect(mail.isTLS && mail.user == "todo")
            server.credentials = MailServer.Credentials(user: "todo", password: "wrong")
            #expect(await reason(of: server) == .login)
            server.credentials = nil
            #expect(await reason(of: server) == .rejected)
            #expect(mailbox.mails.count == 1)
        }
    }

    @Test("Where TLS is required and not offered, nothing is said")
    func withoutTLS() async throws {
        try await withMailServer { mailbox in
            var server = server(mailbox)
            server.requiresTLS = true
            server.credentials = MailServer.Credentials(user: "todo", password: "pass word")
            #expect(await reason(of: server) == .tls)
            #expect(mailbox.mails.isEmpty)
        }
    }

    @Test("What the server refuses is told apart by whether it may pass")
    func refusals() async throws {
        try await withMailServer { mailbox in
            for (mode, reason, mayPass) in [
                ("rcpt 451 4.7.1 Later", MailTransferError.Reason.deferred, true), ("data 452 Full", .deferred, true),
                ("rcpt 550 5.1.1 Nobody", .rejected, false), ("data 554 5.7.1 No", .rejected, false),
            ] {
                try mailbox.behave(mode)
                let error = await #expect(throws: MailTransferError.self) { try await send(server(mailbox)) }
                #expect(error?.reason == reason && error?.mayPass == mayPass, "\(mode): \(String(describing: error))")
            }
            #expect(mailbox.mails.isEmpty)
            var absent = server(mailbox)
            absent.url = "smtp://127.0.0.1:\(try freePort())"
            #expect(await reason(of: absent) == .unreachable)
        }
    }

    @Test(
        "A server that says nothing holds up neither the loop nor, in the end, the mail",
        arguments: ["hang", "hang-quit"]
    )
    func silence(_ mode: String) async throws {
        try await withMailServer { mailbox in
            try mailbox.behave(mode)
            var server = server(mailbox)
            (server.timeout, server.patience) = (.seconds(2), .seconds(2))
            var turns = 0
            let timer = LoopTimer(every: .milliseconds(10)) { turns += 1 }
            let start = ContinuousClock.now
            let reason = await reason(of: server)
            let took = start.duration(to: .now)
            timer.cancel()
            #expect(reason == (mode == "hang" ? .timeout : nil))
            #expect(took < .seconds(30))
            // A loop that waits for the server turns not once meanwhile.
            #expect(turns > 20, "the loop went on: \(turns) times in \(took)")
        }
    }

    @Test(
        "What would add to a command is not sent",
        arguments: ["a@b>\r\nRCPT TO:<c@d", "a@b\r\nDATA", "a@b\n", "<a@b>", "a b@c", "알@b", "", "a@b\0"]
    )
    func injection(_ address: String) async throws {
        try await withMailServer { mailbox in
            let error = await #expect(throws: MailTransferError.self) { try await send(server(mailbox), to: address) }
            #expect(error?.reason == .refused)
            #expect(mailbox.mails.isEmpty)
        }
    }
}
