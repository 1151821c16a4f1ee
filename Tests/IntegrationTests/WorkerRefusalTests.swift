import EventLoop
import Foundation
import TestServers
import Testing

/// On one Redis, where anybody may publish anything: a worker reads the messages of a cluster in the same way.
@Suite("What others publish on a user's channel")
@LoopActor
struct WorkerRefusalTests {
    /// Something that a worker observing alice is sent.
    struct Message: CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        /// What comes of it: why it is dropped, or what is printed.
        var result: String

        init(_ name: String, _ text: String, _ result: String) {
            testDescription = name
            bytes = Array(text.utf8)
            self.result = result
        }
    }

    /// A message about one of alice's todos, with some of its fields different or, when nil, not there.
    private nonisolated static func message(_ changes: KeyValuePairs<String, String?>, type: String = "added") -> String
    {
        var fields = [
            ("id", #""t""#), ("uid", #""alice""#), ("date", #""2026-11-20""#), ("content", #""confidential""#),
        ]
        for (name, value) in changes {
            fields.removeAll { $0.0 == name }
            if let value { fields.append((name, value)) }
        }
        let todo = fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return "{\"type\":\"\(type)\",\"todo\":{\(todo)}}"
    }

    private nonisolated static let long = String(repeating: "confidential ", count: 1_000_000 / 13)

    private nonisolated static let malformed: [Message] = {
        var notUTF8 = Message("invalid UTF-8", message(["content": "\"confidential ?\""]), "not UTF-8")
        notUTF8.bytes = notUTF8.bytes.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
        var halfCharacter = notUTF8
        halfCharacter.testDescription = "half a character"
        halfCharacter.bytes = halfCharacter.bytes.map { $0 == 0xFF ? 0xED : $0 }
        return [
            notUTF8, halfCharacter, Message("no JSON", "confidential", "not JSON"), Message("nothing", "", "not JSON"),
            Message("truncated", String(message([:]).dropLast(9)), "not JSON"),
            Message("something after the end", message([:]) + "confidential", "not JSON"),
            Message("a raw line feed", message(["content": "\"confi\ndential\""]), "not JSON"),
            Message("a zero byte", message(["content": "\"confi\0dential\""]), "not JSON"),
            Message("half a surrogate pair", message(["content": #""confidential \ud83d""#]), "not JSON"),
            Message("deeply nested", String(repeating: "[", count: 60_000), "not JSON"),
            Message("an array", #"["confidential"]"#, "not an object"),
            Message(
                "a megabyte",
                message(["detail": "\"\(long)\""]),
                "more than the 65536 that such a message may have"
            ),
            Message("no type", #"{"todo":{"content":"confidential"}}"#, "'type' is missing"),
            Message("an unknown type", message([:], type: "burnt"), "'type' has a wrong type or value"),
            Message("no todo", #"{"type":"added"}"#, "'todo' is missing"),
            Message("no id", message(["id": nil]), "'id' is missing"),
            Message("no uid", message(["uid": nil]), "'uid' is missing"),
            Message("no date", message(["date": nil]), "'date' is missing"),
            Message("no content", message(["content": nil]), "'content' is missing"),
            Message("another user", message(["uid": #""bob""#]), "uid is not the channel's"),
            Message("a bad user", message(["uid": #""a b""#]), "uid must be"),
            Message("a bad id", message(["id": #""a/b""#]), "id must be"),
            Message("a number for a text", message(["content": "7"]), "'todo.content' has a wrong type or value"),
            Message("a day that is none", message(["date": #""2026-02-30""#]), "date"),
            Message("an unknown status", message(["status": #""confidential""#]), "'todo.status'"),
            Message("a text for a position", message(["position": #""confidential""#]), "'todo.position'"),
            Message("a position too far out", message(["position": "9007199254740994"]), "position must be"),
            Message("a content of two lines", message(["content": #""confi\ndential""#]), "one line"),
            Message("an escape sequence", message(["detail": #""\u001b[2Jconfidential""#]), "control characters"),
            Message("a time that is none", message(["createdAt": #""confidential""#]), "createdAt must look like"),
            Message(
                "a change id that is none",
                #"{"id":"confidential","# + message([:]).dropFirst(),
                "not a change id"
            ),
        ]
    }()

    @Test(
        "is dropped when it is not valid, with a reason but no todo's text in the log, and the worker goes on",
        arguments: malformed
    )
    func drops(_ message: Message) async throws {
        try await withRedis { server in
            try await withWorker(on: server) { worker in
                let heard = try await server.publish(message.bytes, to: "alice")
                #expect(heard == 1)
                try await server.add("alice", "after")
                try await eventually("the next change came") { !worker.lines.isEmpty }
                #expect(worker.lines.count == 1 && worker.versions == [1])
                let complaints = worker.errors.split(separator: "\n").filter { $0.contains("level=warning") }
                #expect(complaints.count == 1)
                #expect(complaints.first?.contains(message.result) == true, "\(complaints)")
                #expect(!worker.errors.contains("confidential"))
            }
        }
    }

    @Test(
        "is printed when it is valid, however it is spelled",
        arguments: [
            Message("as short as can be", message([:]), "added     2026-11-20  todo        confidential"),
            Message("a removal", message([:], type: "removed"), "removed   2026-11-20  todo        confidential"),
            Message(
                "with fields that nobody knows",
                #"{"from":["me"],"# + message(["colour": #"{"red":1}"#]).dropFirst(),
                "added     2026-11-20  todo        confidential"
            ),
            Message(
                "with all fields",
                message([
                    "detail": #""two\nlines""#, "status": #""complete""#, "position": "-0.5", "revision": "7",
                    "createdAt": #""2026-11-20T09:00:00Z""#, "updatedAt": #""2026-11-20T09:00:00+09:00""#,
                ]),
                "added     2026-11-20  complete    confidential"
            ),
            Message(
                "with spaces, line feeds and escapes",
                "\n { \"todo\" : {\"content\":\"\\u0061 \\uD83D\\uDE00\", \"date\":\"2999-12-31\",\n"
                    + "\"uid\":\"alice\",\t\"id\":\"x\"} , \"type\" :\"modified\" } \n",
                "modified  2999-12-31  todo        a \u{1F600}"
            ),
            Message(
                "with what a terminal would obey",
                message(["content": #""a\u202e\u200bb""#]),
                "added     2026-11-20  todo        "
            ),
        ]
    )
    func takes(_ message: Message) async throws {
        try await withRedis { server in
            let options = [["--observe", "alice"], ["--observe", "alice", "--json"]]
            try await withWorkers(on: server, options[0], options[1]) { workers in
                try await server.publish(message.bytes, to: "alice")
                for worker in workers {
                    try await eventually("it is printed") { worker.lines.count == 1 }
                    #expect(!worker.errors.contains("level=warning"))
                }
                #expect(workers[0].output.hasPrefix("alice  \(message.result)"))
                #expect(workers[1].output.hasPrefix(#"{"type":""#) && workers[1].output.hasSuffix("\"}}\n"))
                #expect(try await server.cli("DBSIZE") == "0", "a plain publish is not stored")
            }
        }
    }

    @Test(
        "neither hides nor repeats a real change when it claims to be one",
        arguments: [
            (ForgedID("far ahead", 99, 9_000_000_000_000_000), resets: 0...0),
            (ForgedID("so late that a Double cannot tell", 3, 99_999_999_999_999_999), resets: 0...0),
            (ForgedID("so far ahead that a Double cannot tell", 999_999_999_999_999_999, 1), resets: 0...0),
            (ForgedID("the one after the next, long ago", 4, 1), resets: 0...0),
            (ForgedID("an old one, long ago", 1, 1), resets: 0...0),
            // A history that was written anew would look like these: the log knows better.
            (ForgedID("an old one, much later", 1, 9_000_000_000_000_000), resets: 0...0),
            (ForgedID("the latest one, long ago", 2, 1), resets: 0...0),
            (ForgedID("the next one, long ago", 3, 1), resets: 0...0),
            // This one nobody can tell from the real one, until that comes.
            (ForgedID("the next one, much later", 3, 9_000_000_000_000_000), resets: 1...2),
        ]
    )
    func forgedIDs(_ forged: ForgedID, resets: ClosedRange<Int>) async throws {
        try await withRedis { server in
            try await withWorker(on: server) { worker in
                for number in 1...2 { try await server.add("alice", "real \(number)") }
                try await eventually("both came") { worker.lines.count == 2 }
                let message = "{\"id\":\"\(forged.version)-\(forged.microseconds)\"," + Self.message([:]).dropFirst()
                try await server.publish(Array(message.utf8), to: "alice")
                for number in 3...5 { try await server.add("alice", "real \(number)") }
                try await eventually("the last came") { worker.output.contains("real 5") }

                let real = worker.lines.compactMap { $0.firstMatch(of: /real (\d)/).flatMap { Int($0.1) } }
                let lost = Set(1...5).subtracting(real)
                #expect(real == Set(real).sorted(), "each at most once and in order")
                #expect(lost.isSubset(of: [3, 4]))
                #expect(resets.contains(worker.versions.count { $0 == 0 }), "\(worker.versions)")
                if !lost.isEmpty {
                    let firstAfter = try #require(real.first { $0 > 2 })
                    let reset = try #require(worker.lines.lastIndex(of: resetLine("alice")))
                    let next = try #require(worker.lines.firstIndex { $0.contains("real \(firstAfter)") })
                    #expect(reset < next, "what was not printed is before a reset")
                }
            }
        }
    }

    struct ForgedID: CustomTestStringConvertible {
        var testDescription: String
        var version: Int
        var microseconds: Int

        init(_ name: String, _ version: Int, _ microseconds: Int) {
            testDescription = name
            self.version = version
            self.microseconds = microseconds
        }
    }
}
