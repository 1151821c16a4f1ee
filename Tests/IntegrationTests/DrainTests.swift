import EventLoop
import Foundation
import TestServers
import Testing

extension AttackTests {
    @Suite("A worker that is told to stop")
    @LoopActor
    struct DrainTests {
        // With the connections to several nodes, which have to end as well.
        @Test("sends streams away, finishes requests, lets nobody in and ends, whoever is stuck")
        func drains() async throws {
            try await withRedis(on: .cluster) { server in
                let gateway = try await GatewayProcess(on: server, port: freePort())
                let alice = try GatewayProcess.bearer("alice")
                let (stream, stuck) = (try gateway.follow("alice"), try gateway.follow("alice", reads: false))
                try await eventually("both are open") {
                    let metrics = try await gateway.ask("GET /metrics").body
                    return stream.text.contains("event: snapshot") && metrics.contains("todomate_streams_open 2\n")
                }
                // More than a socket takes, and less than may wait: its stream cannot be told to go away.
                let todo =
                    "{\"content\":\"a\",\"date\":\"2026-11-20\",\"detail\":\"\(String(repeating: "x", count: 9_000))\"}"
                try await server.call("todomate_add", "alice", [todo], times: 30)
                let (idle, request) = (try RawConnection(port: gateway.port), try RawConnection(port: gateway.port))
                let body = "{\"content\":\"\(GatewayProcess.unutterable)\",\"date\":\"2026-11-20\"}"
                request.send(
                    "POST /v1/users/alice/todos HTTP/1.1\r\nHost: h\r\n\(alice)\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(10))"
                )
                let probe = try RawConnection(port: gateway.port)
                probe.send("GET /readyz HTTP/1.1\r\n")
                try await eventually("all are open") {
                    try await gateway.ask("GET /metrics").body.contains("todomate_connections_open 6\n")
                }
                // At once: the worker waits for three seconds.
                stream.onReceive = {
                    guard stream.isEnded else { return }
                    request.send(String(body.dropFirst(10)))
                    probe.send("Host: h\r\n\r\n")
                }
                await gateway.program.signal(SIGTERM)
                try await eventually("the stream is sent away") { stream.isEnded }
                try await eventually("the request is answered") { request.isEnded }
                try await eventually("the probe is answered") { probe.isEnded }
                #expect(Answer(probe.text).status == 503 && Answer(probe.text).body == "the worker is stopping\n")
                let answer = Answer(request.text)
                #expect(answer.status == 201 && answer.fields("Connection") == ["close"])
                let delay = stream.tail(40).firstMatch(of: /retry: (\d+)\n\n$/).flatMap { Int($0.1) }
                #expect((100...2000).contains(try #require(delay)))
                try await eventually("who asks nothing is let go") { idle.isEnded }
                #expect(idle.text.isEmpty)
                #expect(throws: SocketAddress.SystemError.self, "nobody else is let in") {
                    _ = try RawConnection(port: gateway.port)
                }
                let ending = await gateway.program.waitUntilEnded()
                #expect(ending == .exit(0))
                #expect(!gateway.program.errors.contains(GatewayProcess.unutterable))
                stuck.close()
            }
        }
    }
}
