import EventLoop
import TestServers
import Testing

@testable import HTTPServing

@Suite("An answer")
@LoopActor
struct AnswerTests {
    @Test("gets the same fields for HEAD as for GET, no body, and no stream")
    func head() async throws {
        try await withServer { server, port in
            for (path, length) in [("/echo/hi", "Content-Length: 4"), ("/stream", "text/event-stream")] {
                let connection = try RawConnection(port: port)
                connection.send("HEAD \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                try await eventually("it is answered") { connection.isEnded }
                #expect(connection.statuses == [200] && connection.text.hasSuffix("\r\n\r\n"))
                #expect(connection.text.contains(length))
                #expect(server.streamCount == 0)
            }
        }
    }

    @Test("carries no value that makes a line of its own")
    func injection() async throws {
        try await withServer { _, port in
            for value in [
                "a%0d%0aX-Evil:%201", "a%0d%0a%20X-Evil:%201", "a%0aX-Evil:1", "a%00b", "a%0d%0d%0a%0d%0a<p>",
            ] {
                let connection = try RawConnection(port: port)
                connection.send(get("/header?value=\(value)", "Connection: close\r\n"))
                try await eventually("it is answered") { connection.isEnded }
                #expect(connection.statuses == [200])
                let lines = connection.text.split(separator: "\r\n", omittingEmptySubsequences: false)
                #expect(lines.count { $0.hasPrefix("X-Echo: a") } == 1)
                #expect(!lines.contains { $0.drop { $0 == " " }.hasPrefix("X-Evil") || $0.contains("\n") })
            }
        }
    }

    /// A version, what the client says of the connection, and what comes of it.
    struct Wish: Sendable, CustomTestStringConvertible {
        var version: String
        var field: String
        var keeps: Bool
        var fields: [String]
        var testDescription: String { "HTTP/\(version) \(field)" }

        static let all = [
            Wish(version: "1.1", field: "", keeps: true, fields: ["Content-Length", "Date"]),
            Wish(version: "1.1", field: "keep-alive", keeps: true, fields: ["Content-Length", "Date"]),
            Wish(version: "1.1", field: "Close", keeps: false, fields: ["Connection", "Content-Length", "Date"]),
            Wish(version: "1.1", field: "TE, close", keeps: false, fields: ["Connection", "Content-Length", "Date"]),
            Wish(
                version: "1.1",
                field: "TE\r\nConnection: ,Close ,x",
                keeps: false,
                fields: ["Connection", "Content-Length", "Date"]
            ),
            Wish(version: "1.1", field: "closed", keeps: true, fields: ["Content-Length", "Date"]),
            Wish(version: "1.0", field: "TE, Keep-Alive", keeps: true, fields: ["Connection", "Content-Length"]),
            Wish(version: "1.0", field: "", keeps: false, fields: []),
            Wish(version: "1.0", field: "close", keeps: false, fields: ["Connection"]),
            Wish(version: "1.0", field: "Keep-Alive", keeps: true, fields: ["Connection", "Content-Length"]),
        ]
    }

    @Test("keeps the connection or ends it, as version and client want it", arguments: Wish.all)
    func connection(_ wish: Wish) async throws {
        try await withServer { _, port in
            let connection = try RawConnection(port: port)
            let field = wish.field.isEmpty ? "" : "Connection: \(wish.field)\r\n"
            let request = "GET /echo/hi HTTP/\(wish.version)\r\nHost: h\r\n\(field)\r\n"
            connection.send(request)
            try await eventually("it is answered") { connection.text.hasSuffix("\"hi\"") }
            let lines = connection.text.split(separator: "\r\n")
            #expect(lines.first == "HTTP/\(wish.version) 200 OK")
            let names = lines.dropFirst().filter { $0.contains(":") }.map { String($0.prefix { $0 != ":" }) }
            #expect(names.filter { $0 != "Content-Type" }.sorted() == wish.fields)
            if wish.keeps {
                connection.send(request)
                try await eventually("it goes on") { connection.statuses == [200, 200] }
                connection.close()
            } else {
                try await eventually("it is closed") { connection.isEnded }
            }
        }
    }

    @Test("tells its date as RFC 9110 spells it")
    func date() {
        var date = HTTPDate()
        #expect(date.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(date.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(date.text(1_798_761_599) == "Thu, 31 Dec 2026 23:59:59 GMT")
    }

    @Test("of a whole server asked what it can do is told all methods")
    func options() async throws {
        try await withServer { _, port in
            let connection = try RawConnection(port: port)
            connection.send("OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            try await eventually("it is answered") { connection.isEnded }
            #expect(connection.statuses == [204])
            #expect(connection.text.contains("Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n"))
        }
    }
}
