import EventLoop
import HTTPServing
import Testing
import TestServers
import Transfers

@Suite("Requests to other servers")
@LoopActor
struct HTTPTransferTests {
    @Test("Answers come whole, whatever their status")
    func answers() async throws {
        try await withOtherServer { base in
            let answer = try await HTTPTransfer("\(base)/plain").send()
            #expect(answer.status == 200)
            #expect(answer.body == Array("here".utf8))
            let missing = try await HTTPTransfer("\(base)/nothing").send()
            #expect(missing.status == 404)
        }
    }

    @Test("A body is posted, with its fields and credentials")
    func posts() async throws {
        try await withOtherServer { base in
            var transfer = HTTPTransfer("\(base)/echo")
            transfer.body = Array("a=1&b=\0".utf8)
            transfer.fields = [("X-One", "one, and more")]
            transfer.credentials = ("client:1", "s3cret")
            let answer = try await transfer.send()
            // The same as RFC 7617 has it: the first colon ends the name, which is why callers encode theirs.
            #expect(String(decoding: answer.body, as: UTF8.self) == "a=1&b=\0|one, and more|Basic Y2xpZW50OjE6czNjcmV0")
        }
    }

    @Test("Redirections are not followed")
    func redirection() async throws {
        try await withOtherServer { base in
            let answer = try await HTTPTransfer("\(base)/elsewhere").send()
            #expect(answer.status == 302)
        }
    }

    @Test("Many at a time are each answered with their own")
    func many() async throws {
        try await withOtherServer { base in
            let asking = (0..<40).map { number in
                Task { @LoopActor in
                    var transfer = HTTPTransfer("\(base)/echo")
                    transfer.body = Array("\(number)".utf8)
                    return String(decoding: try await transfer.send().body, as: UTF8.self)
                }
            }
            var bodies: [String] = []
            for task in asking { bodies.append(try await task.value) }
            #expect(bodies == (0..<40).map { "\($0)|-|-" })
        }
    }

    @Test("Too long an answer is not taken, and a silent server not waited for")
    func bounds() async throws {
        try await withOtherServer { base in
            await #expect(throws: TransferError.tooLong(most: 1_048_576)) {
                try await HTTPTransfer("\(base)/long").send()
            }
            var transfer = HTTPTransfer("\(base)/silent")
            transfer.timeout = .milliseconds(200)
            let error = await #expect(throws: TransferError.self) { try await transfer.send() }
            #expect(error?.description.contains("timed out") == true)
        }
    }

    @Test("A silent server is waited for no longer than was said, whatever else happens then")
    func timeouts() async throws {
        try await withOtherServer { base in
            for _ in 0..<20 {
                let waiting = (1...20).map { number in
                    Task { @LoopActor in
                        var transfer = HTTPTransfer("\(base)/silent")
                        transfer.timeout = .milliseconds(number)
                        return await #expect(throws: TransferError.self) { try await transfer.send() }
                    }
                }
                for task in waiting { #expect(await task.value?.description.contains("timed out") == true) }
            }
        }
    }

    @Test("A server that is not there is said to be so")
    func absence() async throws {
        let port = try freePort()
        let error = await #expect(throws: TransferError.self) {
            try await HTTPTransfer("http://127.0.0.1:\(port)/").send()
        }
        #expect(error?.description.contains("\(port)") == true)
    }

    @Test(
        "What is no request to a web server is not sent",
        arguments: ["file:///etc/passwd", "gopher://127.0.0.1/", "no url at all", "", "http://127.0.0.1:0\0/"]
    )
    func refusals(url: String) async throws {
        await #expect(throws: TransferError.self) { try await HTTPTransfer(url).send() }
    }

    @Test("A field cannot bring others along")
    func injection() async throws {
        try await withOtherServer { base in
            var transfer = HTTPTransfer("\(base)/echo")
            transfer.fields = [("X-One", "1\r\nX-Two: 2")]
            await #expect(throws: TransferError.refused("a field holds a control character")) {
                try await transfer.send()
            }
        }
    }
}

/// Runs `body` with the URL of a server of this process.
@LoopActor
private func withOtherServer(_ body: @LoopActor (String) async throws -> Void) async throws {
    let router = HTTPRouter()
    router.on(.get, "/plain") { _, _ in .response(HTTPResponse(status: 200, body: Array("here".utf8))) }
    router.on(.get, "/elsewhere") { _, _ in .response(HTTPResponse(status: 302, headers: ["Location": "/plain"])) }
    router.on(.get, "/long") { _, _ in
        .response(HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: 1_048_577)))
    }
    router.on(.get, "/silent") { _, _ in .stream { _ in } }
    router.on(.post, "/echo") { request, _ in
        let words = "|\(request.headers["x-one"] ?? "-")|\(request.headers["authorization"] ?? "-")"
        return .response(HTTPResponse(status: 200, body: Array(request.body) + Array(words.utf8)))
    }
    let server = HTTPServer(router, limits: HTTPLimits())
    let port = try server.listen(host: "127.0.0.1", port: 0)
    defer { server.close() }
    try await body("http://127.0.0.1:\(port)")
}
