import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// What a command makes of its words is the same whatever Redis there is.
@Suite("Mail of an installation")
@LoopActor
struct MailCommandTests {
    private static let worker = [
        "worker", "--redis", "redis://127.0.0.1:1", "--listen", "127.0.0.1:0", "--secret", secret,
    ]
    private static let secret = String(repeating: "s", count: 32)

    private func run(_ words: [String]) async throws -> Program.Outcome { try await Program.run("todomate", words) }

    @Test("is tried by a command, which prints what the server says, and sends the text once")
    func command() async throws {
        try await withMailServer("starttls", "auth") { mailbox in
            let password = mailbox.folder.appending(path: "password")
            try Data("pass word\n".utf8).write(to: password)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: password.path)
            let more = #","tls":"required","certificates":"certificate.pem","user":"todo","passwordFile":"password""#
            let file = try mailbox.settings(more)
            let outcome = try await run(["mail", "--mail-file", file, "--to", "alice@example.org"])
            let place = "smtp://127.0.0.1:\(mailbox.port)"
            #expect(outcome.output == "\(place) has taken a mail to alice@example.org: 250 2.0.0 queued as 1\n")
            #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty)
            let mail = try await mailbox.mails(1)[0]
            #expect(mail.isTLS && mail.user == "todo" && mail.to == ["alice@example.org"])
            #expect(mail.text.contains("Mail from todo.example arrives.") && mail.text.contains("메일이 도착했습니다"))
            try mailbox.behave("rcpt 550 5.1.1 Nobody")
            let refused = try await run(["mail", "--mail-file", file, "--to", "alice@example.org"])
            #expect(refused.ending == .exit(69) && refused.errors.contains("5.1.1 Nobody"), "\(refused.errors)")
            #expect(!refused.errors.contains("pass word"))
            try mailbox.behave("")
            try await withRedis { server in
                let words = ["doctor", "--json", "--mail-file", file]
                let (well, _) = try DoctorAnswer.read(try await server.todomate(words))
                #expect(well.finding("mail", "lets this server in")?.severity == "ok")
                try Data("wrong\n".utf8).write(to: password)
                let (ill, code) = try DoctorAnswer.read(try await server.todomate(words))
                #expect(ill.finding("mail", "name and the password")?.severity == "error" && code == 1)
                #expect(mailbox.mails.count == 1, "the doctor sends nothing")
                let (none, _) = try DoctorAnswer.read(try await server.todomate("doctor", "--json"))
                #expect(none.findings.allSatisfy { $0.topic != "mail" })
            }
        }
    }

    @Test("is taken away from an account by an operator")
    func removal() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            try await repository.stores.sessions.enroll(
                "alice",
                passwordHash: GatewayProcess.passwordHash,
                keepingData: true
            )
            let id = String(repeating: "a", count: 22)
            try await repository.mails.offer("alice@mail.example", by: id, to: "alice", seconds: 3600, since: nil)
            _ = try await repository.mails.confirm(id, of: "alice")
            try await repository.mails.offer("other@mail.example", by: id, to: "alice", seconds: 3600, since: nil)
            let steps: [(words: [String], says: String)] = [
                (
                    ["alice"],
                    "alice has mail sent to alice@mail.example, and other@mail.example waits to be confirmed.\n"
                ),
                (["alice", "--remove"], "alice has mail sent nowhere any more.\n"),
                (["alice"], "alice has mail sent nowhere.\n"), (["alice", "--json"], "{\"uid\":\"alice\"}\n"),
            ]
            for (words, says) in steps {
                let outcome = try await server.todomate(["user", "mail"] + words)
                #expect(outcome.ending == .exit(0) && outcome.output == says, "\(words): \(outcome.errors)")
            }
            let unknown = try await server.todomate(["user", "mail", "nobody"])
            #expect(unknown.ending == .exit(65) && unknown.errors.contains("no account"))
        }
    }

    @Test("is refused where the file is of no use, everybody may read it, or something is missing besides it")
    func refusals() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-mail-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ text: String, _ mode: Int = 0o640) throws -> String {
            let path = folder.appending(path: name).path
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }
        let good = #"{"server":"smtps://mail.example","from":"a@b"}"#
        _ = try file("open", "unutterable", 0o644)
        let named = #"{"server":"smtps://mail.example","from":"a@b","user":"u","passwordFile":"NAME"}"#
        let url = ["--public-url", "https://todo.example"]
        let cases: [(words: [String], why: String)] = [
            (["--mail-file", try file("good", good)], "needs --public-url"),
            (["--mail-file", folder.path + "/nowhere"] + url, "cannot be opened"),
            (["--mail-file", try file("text", "hello")] + url, "not JSON"),
            (["--mail-file", try file("world", good, 0o604)] + url, "chmod o-r"),
            (
                ["--mail-file", try file("absent", named.replacing("NAME", with: "absent-password"))] + url,
                "cannot be opened"
            ),
            (
                ["--mail-file", try file("reading", named.replacing("NAME", with: "open"))] + url,
                "everybody on this machine"
            ),
            (["--mail-file", try file("typo", good.replacing("server", with: "sever"))] + url, "sever"),
        ]
        for (words, why) in cases {
            let outcome = try await run(Self.worker + words)
            #expect(outcome.ending == .exit(78) && outcome.errors.contains(why), "\(words): \(outcome.errors)")
            #expect(!outcome.errors.contains("unutterable"))
        }
        for (words, why) in [
            (["mail"], "--to alice@example.org"), (["mail", "--to", "alice@example.org"], "--mail-file"),
            (["mail", "--to", "a@b\nRCPT"], "an address such as"), (["mail", "--to", "alice"], "an address such as"),
        ] {
            let outcome = try await run(words)
            #expect(outcome.ending == .exit(64) && outcome.errors.contains(why), "\(words): \(outcome.errors)")
        }
    }
}
