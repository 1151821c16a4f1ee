import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing

/// Holds those who wait until it is opened.
@LoopActor
private final class Gate {
    private var isOpen = false
    private var waiters: [UnsafeContinuation<Void, Never>] = []
    nonisolated init() {}

    func wait() async {
        if !isOpen { await withUnsafeContinuation { waiters.append($0) } }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}

@Suite("The HTTP server")
@LoopActor
struct HTTPServerTests {
    private let gate = Gate()

    /// Runs `body` with a server on a free port, whose routes echo what they were asked.
    private func withServer(
        _ limits: HTTPLimits = HTTPLimits(),
        _ body: @LoopActor (HTTPServer, Int) async throws -> Void
    ) async throws {
        let router = HTTPRouter()
        router.on(.get, "/echo/{word}") { request, parameters in
            .response(.json("\"\(parameters["word"])\(request.query("q") ?? "")\""))
        }
        router.on(.post, "/length") { request, _ in .response(.json("\(request.body.count)", status: 201)) }
        router.on(.get, "/held") { _, _ in
            await gate.wait()
            return .response(.json("\"held\""))
        }
        let server = HTTPServer(router, limits: limits)
        server.everywhere = ["X-Kind": "test"]
        router.on(.get, "/stream") { _, _ in
            .stream { stream in
                stream.send(EventFrame.event("first", id: "1-1", data: Array("one".utf8)))
                stream.send(EventFrame.event(data: Array("two".utf8)))
            }
        }
        let port = try server.listen(host: "127.0.0.1", port: 0)
        do {
            try await body(server, port)
            server.close()
        } catch {
            server.close()
            throw error
        }
    }

    /// Expects what ``curl`` prints to contain a text.
    private func expect(_ port: Int, _ path: String, _ options: [String], _ text: String) async throws {
        let url = "http://127.0.0.1:\(port)\(path)"
        let printed = try await Program.run(
            "curl",
            ["-sS", "--path-as-is", "-m", "60", "-w", " %{http_code}", url] + options
        )
        #expect("\(printed.output)$".contains(text), "\(path) \(options.joined(separator: " ").prefix(100))")
    }

    @Test("hands requests to the route that fits, with its parameters")
    func routes() async throws {
        try await withServer { _, port in
            for (path, answer) in [
                ("/echo/hi", "\"hi\" 200"), ("/echo/%ED%95%9C?q=1%202+3", "\"한1 2 3\" 200"), ("/echo/", "404"),
                ("/echo", "404"),
                ("/nothing", "404"), ("/echo/a%2Fb", "404"), ("/echo/..", "404"), ("/echo/%2e%2e", "404"),
                ("/echo/a%00b", "404"),
                ("/echo/%C0%AF", "404"), ("/echo/%zz", "404"), ("//echo/hi", "400"), ("/./echo/hi", "404"),
            ] {
                try await expect(port, path, [], answer + "$")
            }
        }
    }

    @Test("tells which methods a path allows")
    func methods() async throws {
        try await withServer { _, port in
            try await expect(port, "/length", ["-X", "GET"], "405$")
            try await expect(port, "/length", ["-X", "GET", "-i"], "Allow: OPTIONS, POST")
            try await expect(port, "/echo/hi", ["-X", "OPTIONS", "-i"], "Allow: GET, HEAD, OPTIONS")
            try await expect(port, "/echo/hi", ["-I"], "Content-Length: 4")
            try await expect(port, "/echo/hi", ["-I"], "200$")
        }
    }

    @Test("takes bodies up to its limit, by length and in chunks")
    func bodies() async throws {
        try await withServer { _, port in
            try await expect(port, "/length", ["-d", String(repeating: "x", count: 65_536)], "65536 201$")
            try await expect(port, "/length", ["-H", "Transfer-Encoding: chunked", "-d", "hello"], "5 201$")
            try await expect(port, "/length", ["-d", String(repeating: "x", count: 65_537)], "413$")
        }
    }

    @Test("answers many at once, the slow ones not holding up the quick")
    func concurrency() async throws {
        try await withServer { _, port in
            let held = Task { try await expect(port, "/held", [], "\"held\" 200$") }
            for number in 0..<20 { try await expect(port, "/echo/\(number)", [], "\"\(number)\" 200$") }
            gate.open()
            try await held.value
        }
    }

    @Test("opens event streams and closes them when the reader leaves")
    func streams() async throws {
        try await withServer { server, port in
            let reader = try RunningProgram("curl", ["-s", "-N", "-i", "http://127.0.0.1:\(port)/stream"])
            try await eventually("both events came") { reader.output.contains("data: two\n\n") }
            let text = reader.output
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.contains("X-Kind: test\r\n") && text.contains("Content-Type: text/event-stream\r\n"))
            #expect(text.hasSuffix("\r\n\r\nid: 1-1\nevent: first\ndata: one\n\ndata: two\n\n"))
            #expect(server.streamCount == 1)
            await reader.stop()
            try await eventually("the server noticed") { server.streamCount == 0 }
        }
    }

    @Test("gives every answer what all have, and what depends on its request")
    func commonFields() async throws {
        try await withServer { server, port in
            server.decorate = { request, headers in headers["X-Path"] = request.path }
            for path in ["/stream", "/echo/one"] {
                let reader = try RunningProgram("curl", ["-s", "-N", "-i", "http://127.0.0.1:\(port)\(path)"])
                try await eventually("it is answered") { reader.output.contains("\r\n\r\n") }
                #expect(reader.output.contains("X-Kind: test\r\n") && reader.output.contains("X-Path: \(path)\r\n"))
                await reader.stop()
            }
        }
    }

    @Test("forgets a request whose client left before the answer")
    func leavesEarly() async throws {
        try await withServer { server, port in
            let reader = try RunningProgram("curl", ["-s", "http://127.0.0.1:\(port)/held"])
            try await eventually("it is being answered") { server.requestCount == 1 }
            await reader.stop()
            gate.open()
            try await eventually("it was answered or forgotten") { server.requestCount == 0 }
            try await expect(port, "/echo/still", [], "\"still\" 200$")
        }
    }
}
