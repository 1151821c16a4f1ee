import EventLoop
import HTTPServing
import TestServers
import Testing

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

    @Test("that is new when the server stops listening has its request answered; one that had an answer is closed")
    func stopping() async throws {
        var patient = HTTPLimits()
        patient.newTime = .seconds(60)
        try await withServer(patient) { server, port in
            let (kept, new) = (try RawConnection(port: port), try RawConnection(port: port))
            kept.send(get("/echo/a"))
            try await eventually("one has its answer, both are there") {
                kept.statuses == [200] && server.connectionCount == 2
            }
            server.stopListening()
            try await eventually("the one is closed") { kept.isEnded }
            #expect(server.busyCount == 1 && !new.isEnded)
            new.send(get("/echo/b"))
            try await eventually("the other is answered and closed") { new.isEnded }
            #expect(new.statuses == [200])
        }
        var hasty = HTTPLimits()
        hasty.newTime = .zero
        try await withServer(hasty) { server, port in
            let silent = try RawConnection(port: port)
            try await eventually("it is there") { server.connectionCount == 1 }
            server.stopListening()
            try await eventually("nobody waits for it") { silent.isEnded }
        }
    }

    @Test("that does not take its answer is closed")
    func stuck() async throws {
        try await withServer(short) { server, port in
            let connection = try RawConnection(port: port, reads: false)
            connection.send(get("/large"))
            var isAnswered = false
            server.onAnswer = { _, _, _, _ in isAnswered = true }
            try await eventually("it is being answered") { isAnswered }
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

    @Test("keeps the order of pipelined requests when more come just as a long answer ends")
    func pipeliningBehindLongAnswer() async throws {
        try await withServer { server, port in
            let connection = try RawConnection(port: port, reads: false)
            var paths: [String] = []
            server.onAnswer = { request, _, _, _ in paths.append(request.path) }
            connection.send(get("/long") + get("/echo/behind"))
            try await eventually("the socket is full") { paths == ["/long"] }
            // Without a turn of the loop between: then it finds that it can write the rest, and that there is more to read.
            connection.drain()
            connection.send(get("/echo/later"))
            connection.startReading()
            try await eventually("all are answered") { paths.count == 3 && connection.tail(7) == "\"later\"" }
            #expect(paths == ["/long", "/echo/behind", "/echo/later"])
            connection.close()
        }
    }

    @Test("that ends with its answer takes what its client still sends, so that the answer is not lost")
    func unreadAtTheEnd() async throws {
        try await withServer { server, port in
            let connection = try RawConnection(port: port, reads: false)
            var isAnswered = false
            server.onAnswer = { _, _, _, _ in isAnswered = true }
            connection.send(get("/long", "Connection: close\r\n"))
            try await eventually("the socket is full") { isAnswered }
            connection.send(get("/echo/unread"))
            connection.drain()
            #expect(!connection.isEnded)
            connection.startReading()
            try await eventually("it has ended") { connection.isEnded }
            #expect(!connection.isReset && connection.receivedBytes > 4 << 20)
            try await eventually("nothing is kept of it") { server.connectionCount == 0 }
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
}
