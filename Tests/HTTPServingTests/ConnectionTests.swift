import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing

/// Runs `body` with a server that counts what it was asked to do.
@LoopActor
private func withServer(
    _ limits: HTTPLimits = HTTPLimits(),
    _ body: @LoopActor (HTTPServer, Int) async throws -> Void
) async throws {
    let router = HTTPRouter()
    router.on(.get, "/echo/{word}") { request, parameters in .response(.json("\"\(parameters["word"])\"")) }
    router.on(.post, "/length") { request, _ in .response(.json("\(request.body.count)", status: 201)) }
    router.on(.get, "/large") { _, _ in
        .response(HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: 32 << 20)))
    }
    router.on(.get, "/stream") { _, _ in .stream(headers: [:]) { $0.send(EventFrame.comment("open")) } }
    router.on(.get, "/header") { request, _ in
        .response(HTTPResponse(status: 200, headers: ["X-Echo": request.query("value") ?? ""]))
    }
    let server = HTTPServer(router, limits: limits)
    let port = try server.listen(host: "127.0.0.1", port: 0)
    defer { server.close() }
    try await body(server, port)
}

private func get(_ path: String, _ more: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: h\r\n\(more)\r\n" }

@Suite("A connection")
@LoopActor
struct ConnectionTests {
    private var short: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestTime = .milliseconds(300)
        limits.idleTime = .milliseconds(300)
        limits.answerTime = .milliseconds(300)
        return limits
    }

    @Test("that does not bring a whole request in time is answered 408, however its bytes trickle")
    func slow() async throws {
        try await withServer(short) { server, port in
            for head in ["", "POST /length HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n"] {
                let connection = try RawConnection(port: port)
                connection.send(head.isEmpty ? "GET /" : head)
                try await eventually("it is cut off") {
                    connection.send("a")
                    return connection.isEnded
                }
                #expect(connection.statuses == [408])
            }
        }
    }

    @Test("without a request is closed without a word, at first and after an answer")
    func idle() async throws {
        try await withServer(short) { server, port in
            let (silent, kept) = (try RawConnection(port: port), try RawConnection(port: port))
            kept.send(get("/echo/a"))
            try await eventually("both are closed") { silent.isEnded && kept.isEnded }
            #expect(silent.text.isEmpty && kept.statuses == [200])
            try await eventually("nothing is kept of them") { server.connectionCount == 0 }
        }
    }

    @Test("that does not take its answer is closed")
    func stuck() async throws {
        try await withServer(short) { server, port in
            let connection = try RawConnection(port: port, reads: false)
            connection.send(get("/large"))
            try await eventually("it is being answered") { server.busyCount == 1 }
            try await eventually("it is closed") { server.connectionCount == 0 }
        }
    }

    @Test("answers pipelined requests in their order, each on its own")
    func pipelining() async throws {
        try await withServer { _, port in
            let connection = try RawConnection(port: port)
            connection.send(
                get("/echo/1") + "POST /length HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\nGET /echo/2 HTTP/1.1"
                    + "HEAD /echo/3 HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\nGET /echo/4"
                    + get("/echo/5", "Connection: close\r\n") + get("/echo/6")
            )
            try await eventually("it is answered") { connection.isEnded }
            #expect(connection.statuses == [200, 201, 200, 200])
            let words = connection.text.matches(of: /\r\n\r\n("\w+"|\d+|HTTP)/).map { String($0.1) }
            #expect(words == ["\"1\"", "20", "HTTP", "\"5\""], "a body is no request")
        }
    }

    @Test("that sends what is no request is answered and closed, and runs nothing of what follows")
    func refused() async throws {
        try await withServer { server, port in
            for framing in FramingCase.lengths + FramingCase.chunked + FramingCase.heads where framing.status != nil {
                let connection = try RawConnection(port: port)
                connection.send(framing.bytes + get("/echo/smuggled"))
                try await eventually("it is closed: \(framing.testDescription)") { connection.isEnded }
                #expect(connection.statuses == [try #require(framing.status)], "\(framing.testDescription)")
                #expect(!connection.text.contains("smuggled"))
            }
            try await eventually("nothing is kept of them") { server.connectionCount == 0 }
        }
    }

    @Test("whose client sends for ever is cut off after its answer")
    func giant() async throws {
        try await withServer { server, port in
            let connection = try RawConnection(port: port)
            connection.send("POST /length HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n")
            for _ in 0..<64 { connection.send([UInt8](repeating: 0x78, count: 64 * 1024)) }
            try await eventually("it is closed") { connection.isEnded }
            #expect(connection.statuses == [413])
            try await eventually("nothing is kept of it") { server.connectionCount == 0 }
        }
    }

    @Test("is told to go on when its client asks before sending the body")
    func expectation() async throws {
        try await withServer { _, port in
            let connection = try RawConnection(port: port)
            connection.send("POST /length HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            try await eventually("it may go on") { connection.statuses == [100] }
            connection.send("hello")
            try await eventually("it is answered") { connection.text.hasSuffix("\r\n\r\n5") }
            #expect(connection.statuses == [100, 201])
            connection.close()
        }
    }

    @Test("beyond the limit is turned away, idle ones and streams counted, and another takes its place")
    func limit() async throws {
        var limits = HTTPLimits()
        limits.connections = 3
        try await withServer(limits) { server, port in
            let (idle, kept) = (try RawConnection(port: port), try RawConnection(port: port))
            let stream = try RawConnection(port: port)
            stream.send(get("/stream"))
            kept.send(get("/echo/a"))
            try await eventually("all are served") { stream.text.contains(": open") && kept.statuses == [200] }
            let last = try RawConnection(port: port)
            try await eventually("one too many is turned away") { last.isEnded }
            #expect(last.statuses == [503])
            for connection in [idle, stream] { connection.close() }
            try await eventually("there is room") { server.connectionCount == 1 }
            let next = try RawConnection(port: port)
            next.send(get("/echo/b"))
            try await eventually("it is served") { next.statuses == [200] }
            for connection in [kept, next] { connection.close() }
        }
    }

    @Test("that became a stream answers nothing more, and ends when its reader talks too much")
    func talkative() async throws {
        try await withServer { server, port in
            let connection = try RawConnection(port: port)
            connection.send(get("/stream") + get("/echo/behind"))
            try await eventually("it is open") { connection.text.hasSuffix(": open\n\n") }
            connection.send(get("/echo/after"))
            for _ in 0..<2 { connection.send([UInt8](repeating: 0x78, count: 64 * 1024)) }
            try await eventually("it is closed") { connection.isEnded }
            #expect(connection.statuses == [200] && !connection.text.contains("\"behind\""))
            #expect(server.streamCount == 0)
        }
    }

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
