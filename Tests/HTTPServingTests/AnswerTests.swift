import EventLoop
import HTTPServing
import TestServers
import Testing

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
