import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A worker attacked by being slow")
@LoopActor
struct SlowClientTests {
    @Test("cuts off slow headers and slow bodies, and serves others meanwhile")
    func slowRequests() async throws {
        try await withGateway { _, gateway in
            let alice = try GatewayProcess.bearer("alice")
            let beginnings = [
                "GET /healthz HTTP/1.1\r\nHost: h\r\nX-Slow: ",
                "POST /v1/users/alice/todos HTTP/1.1\r\nHost: h\r\n\(alice)\r\nContent-Length: 60000\r\n\r\n",
                "POST /v1/users/alice/todos HTTP/1.1\r\nHost: h\r\n\(alice)\r\nTransfer-Encoding: chunked\r\n\r\nFFF\r\n",
            ]
            let connections = try beginnings.map { beginning in
                let connection = try RawConnection(port: gateway.port)
                connection.send(beginning)
                return connection
            }
            try await eventually("all are cut off", within: .seconds(60)) {
                for connection in connections { connection.send("a") }
                return connections.allSatisfy(\.isEnded)
            }
            for connection in connections {
                #expect(connection.statuses == [408] && Answer(connection.text).isProblem)
            }
        }
    }

    /// The change ids of the whole events in a text.
    private func versions(_ text: String) -> [Int] {
        text.matches(of: /id: (\d+)-\d+\nevent: added\n.*\n\n/).compactMap { Int($0.1) }
    }

    @Test("lets go of a reader that does not read, and misses nothing when that comes back")
    func slowReader() async throws {
        try await withGateway { server, gateway in
            let stuck = try gateway.follow("alice", reads: false)
            let reader = try gateway.follow("alice")
            try await eventually("both are open") {
                let metrics = try await gateway.ask("GET /metrics").body
                return reader.text.contains("event: snapshot") && metrics.contains("todomate_streams_open 2\n")
            }
            let count = 900
            let detail = String(repeating: "x", count: 9_000)
            let todo = "{\"content\":\"a\",\"date\":\"2026-11-20\",\"detail\":\"\(detail)\"}"
            let added = try await Program.run(
                "redis-cli",
                ["-s", "\(server.url)", "-r", String(count), "FCALL", "todomate_add", "1", "todomate:{alice}", todo]
            )
            #expect(added.ending == .exit(0))
            try await eventually("the stuck one is let go") {
                gateway.program.errors.contains("its reader does not keep up")
            }
            try await eventually("the other has all", within: .seconds(60)) { versions(reader.text).last == count }
            #expect(versions(reader.text) == Array(1...count))
            reader.close()
            stuck.startReading()
            try await eventually("it sees its end") { stuck.isEnded }
            let seen = versions(stuck.text)
            #expect(seen.count < count && seen == Array(1..<seen.count + 1))
            let last = try #require(stuck.text.matches(of: /id: (\d+-\d+)\nevent: \w+\n.*\n\n/).last?.1)
            let again = try gateway.follow("alice", "Last-Event-ID: \(last)")
            try await eventually("it has all", within: .seconds(60)) { versions(again.text).last == count }
            #expect(seen + versions(again.text) == Array(1...count), "without a gap or a repeat")
            #expect(!again.text.contains("event: snapshot"))
            again.close()
            // A snapshot of many megabytes is no slowness either.
            let late = try gateway.follow("alice")
            try await eventually("it has the snapshot", within: .seconds(60)) {
                late.receivedBytes > count * 9_000 && late.text.hasSuffix("}\n\n")
            }
            late.close()
        }
    }
}
