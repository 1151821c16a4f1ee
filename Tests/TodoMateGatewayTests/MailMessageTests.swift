import Foundation
import Testing
import Transfers

@testable import TodoMateGateway

@Suite("Mails as they travel")
struct MailMessageTests {
    private func settings(_ json: String) throws -> MailSettings {
        try MailSettings(from: Array(json.utf8)) {
            "secret of \($0)"
        } place: {
            "/at/\($0)"
        }
    }

    private func message(
        _ subject: String,
        _ body: String = "hello\n",
        from: String = "TodoMate <todo@todo.example>"
    ) throws -> String {
        let sender = try settings(#"{"server":"smtps://mail.example","from":"\#(from)"}"#)
        let mail = MailMessage(sender: sender, recipient: "alice@example.org", subject: subject, body: body)
        return String(decoding: mail.bytes(at: 784_111_777), as: UTF8.self)
    }

    @Test("have the fields of RFC 5322, in lines that every server takes")
    func fields() throws {
        let text = try message("One", String(repeating: "가나다 ", count: 300) + "\nend\n")
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 78 && !$0.contains("\n") && !$0.contains("\r") })
        #expect(text.utf8.allSatisfy { $0 < 0x7F })
        for line in [
            "Date: Sun, 06 Nov 1994 08:49:37 +0000", #"From: "TodoMate" <todo@todo.example>"#, "To: alice@example.org",
            "Subject: One", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64", "Auto-Submitted: auto-generated",
        ] { #expect(lines.contains(Substring(line)), "\(line)") }
        #expect(text.firstMatch(of: /\r\nMessage-ID: <[\w-]+@todo.example>\r\n/) != nil)
        let end = try #require(text.range(of: "\r\n\r\n"))
        let encoded = text[end.upperBound...].replacing("\r\n", with: "")
        let body = try #require(Data(base64Encoded: String(encoded)))
        #expect(String(decoding: body, as: UTF8.self).hasSuffix(" \r\nend\r\n"))
        #expect(try message("One") != message("One"), "each has an id of its own")
    }

    @Test(
        "say what they are about in no more than one field, whatever that is",
        arguments: [
            "비밀번호 재설정", "One\r\nBcc: eve@example.org", "One\nTwo", "=?UTF-8?B?QQ==?=", "\u{7F}", "é",
            String(repeating: "a very long subject ", count: 20), String(repeating: "👨‍👩‍👧‍👦", count: 30),
        ]
    )
    func subjects(_ subject: String) throws {
        let whole = try message(subject)
        let head = try #require(whole.components(separatedBy: "\r\n\r\n").first)
        #expect(!head.contains("\r\nBcc:") && !head.contains("\nTwo"))
        let unfolded = head.replacing("\r\n ", with: " ")
        let field = try #require(unfolded.firstMatch(of: /\r\nSubject: ([^\r\n]*)\r\n/)).1
        var read = ""
        var bytes: [UInt8] = []
        for word in field.split(separator: " ") {
            let match = try #require(word.wholeMatch(of: /=\?UTF-8\?B\?([A-Za-z0-9+\/=]+)\?=/), "\(word)")
            #expect(word.utf8.count <= 75)
            let data = try #require(Data(base64Encoded: String(match.1)))
            bytes += data
            // Each word is whole by itself.
            read += try #require(String(validating: data, as: UTF8.self))
        }
        #expect(read == String(decoding: bytes, as: UTF8.self))
        #expect(
            read
                == String(
                    subject.map { $0 == "\r\n" ? "  " : $0 == "\n" || $0 == "\u{7F}" ? " " : String($0) }.joined()
                )
        )
    }

    @Test("come from whom the file says")
    func senders() throws {
        for (from, field) in [
            ("todo@todo.example", "todo@todo.example"), ("<todo@todo.example>", "todo@todo.example"),
            ("The \\\"best\\\" one, here <todo@todo.example>", #""The \"best\" one, here" <todo@todo.example>"#),
            ("할 일 <todo@todo.example>", "=?UTF-8?B?7ZWgIOydvA==?= <todo@todo.example>"),
        ] {
            let text = try message("One", from: from)
            #expect(text.contains("\r\nFrom: \(field)\r\n"), "\(text)")
        }
    }

    @Test("are written in both languages, with the link once and nothing that is not filled in")
    func texts() throws {
        for kind in [MailText.Kind.confirmation, .reset, .changed, .removed, .test] {
            for language in [MailLanguage.english, .korean] {
                var text = MailText(kind: kind, uid: "alice", server: "https://todo.example")
                let hasLink = kind == .confirmation || kind == .reset
                if hasLink { text.link = "https://todo.example/#x=alice.secret" }
                let (subject, body) = (text.subject(in: language), text.body(in: language))
                #expect(subject.contains("todo.example") && !subject.contains("https"))
                #expect(body.components(separatedBy: "alice.secret").count == (hasLink ? 2 : 1))
                #expect(!hasLink || body.contains("\n\nhttps://todo.example/#x=alice.secret\n\n"))
                #expect(kind == .test || subject.contains("alice") && body.contains("alice"))
                let isKorean = body.unicodeScalars.contains { ("가"..."힣").contains($0) }
                #expect(isKorean == (language == .korean))
            }
        }
    }

    @Test("go to the server that the file describes")
    func servers() throws {
        let whole = try settings(
            #"{"server":"smtps://mail.example/","user":"u","passwordFile":"p","from":"a@b.example","certificates":"c"}"#
        )
        #expect(whole.server.url == "smtps://mail.example" && whole.server.requiresTLS)
        #expect(whole.server.credentials == MailServer.Credentials(user: "u", password: "secret of p"))
        #expect(whole.server.certificates == "/at/c" && whole.server.name == "b.example" && whole.name == nil)
        for (server, more, requires) in [
            ("smtp://mail.example:587", "", true), ("smtp://mail.example", #","tls":"none""#, false),
            ("smtp://127.0.0.1", "", false), ("smtp://[::1]:25", "", false),
            ("smtp://127.0.0.1", #","tls":"required""#, true),
            ("smtp://127.0.0.1.example", "", true), ("smtp://localhost.example", "", true),
        ] {
            let made = try settings(#"{"server":"\#(server)","from":"a@b"\#(more)}"#)
            #expect(made.server.requiresTLS == requires, "\(server)\(more)")
        }
    }

    @Test(
        "are refused a file that is of no use, with what is wrong",
        arguments: [
            ("", "not JSON"), ("[]", "not JSON"), (#"{"from":"a@b"}"#, "'server' is missing"),
            (#"{"server":"smtp://m"}"#, "'from' is missing"), (#"{"server":1,"from":"a@b"}"#, "'server' is not"),
            (#"{"server":"https://m","from":"a@b"}"#, "server must look like"),
            (#"{"server":"smtp://u:p@m","from":"a@b"}"#, "server must look like"),
            (#"{"server":"smtp://m/x","from":"a@b"}"#, "server must look like"),
            (#"{"server":"smtp://m?x","from":"a@b"}"#, "server must look like"),
            (#"{"server":"smtp://m","from":"a"}"#, "from must look like"),
            (#"{"server":"smtp://m","from":"a\r\nBcc: b@c <a@b>"}"#, "from must look like"),
            (#"{"server":"smtp://m","from":"a@b","tls":"maybe"}"#, "tls is required or none"),
            (#"{"server":"smtps://m","from":"a@b","tls":"none"}"#, "tls is required or none"),
            (#"{"server":"smtp://m","from":"a@b","user":"u"}"#, "both user and password"),
            (#"{"server":"smtp://m","from":"a@b","password":"p"}"#, "both user and password"),
            (#"{"server":"smtp://m","from":"a@b","user":"u","password":"p","passwordFile":"f"}"#, "given twice"),
            (#"{"server":"smtp://m","from":"a@b","user":"u\n","password":"p"}"#, "control characters"),
            (#"{"server":"smtp://m","from":"a@b","sever":"x"}"#, "sever"),
        ]
    )
    func refused(_ json: String, _ why: String) throws {
        let error = #expect(throws: MailSettingsError.self) { try settings(json) }
        #expect(error?.description.contains(why) == true, "\(String(describing: error))")
    }
}
