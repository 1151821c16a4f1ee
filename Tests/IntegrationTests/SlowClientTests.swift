import EventLoop
import Foundation
import TestServers
import Testing

extension AttackTests {
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

        /// The versions of the changes that came whole.
        private func versions(_ reader: RawConnection) -> [Int] {
            reader.lines(after: "id: ").compactMap { Int($0.prefix { $0 != "-" }) }.filter { $0 > 0 }
        }

        /// Whether the last event came, whole.
        private func hasAll(_ reader: RawConnection, _ count: Int) -> Bool {
            let end = reader.tail(20_000)
            return end.contains("\"revision\":\(count),") && end.hasSuffix("\n\n")
        }

        /// All versions that a reader gets who comes back with its last id whenever it was let go.
        private func versions(
            of reader: RawConnection,
            comingBackTo gateway: GatewayProcess,
            until count: Int
        ) async throws -> [Int] {
            var (reader, seen) = (reader, [Int]())
            while true {
                let current = reader
                try await eventually("it has all, or sees its end", within: .seconds(60)) {
                    current.isEnded || hasAll(current, count)
                }
                seen += versions(current)
                guard current.isEnded, let last = current.lines(after: "id: ").last else { break }
                reader = try gateway.follow("alice", "Last-Event-ID: \(last)")
            }
            reader.close()
            return seen
        }

        // It takes long, and tells on a cluster what it does on one Redis.
        @Test("lets go of a reader that does not read, and misses nothing when that comes back")
        func slowReader() async throws {
            try await withGateway(on: .cluster) { server, gateway in
                let stuck = try gateway.follow("alice", reads: false)
                let reader = try gateway.follow("alice")
                try await eventually("both are open") {
                    let metrics = try await gateway.ask("GET /metrics").body
                    return reader.tail(200).contains("event: snapshot") && metrics.contains("todomate_streams_open 2\n")
                }
                let count = 900
                let detail = String(repeating: "x", count: 9_000)
                let todo = "{\"content\":\"a\",\"date\":\"2026-11-20\",\"detail\":\"\(detail)\"}"
                for written in stride(from: 100, through: count, by: 100) {
                    try await server.call("todomate_add", "alice", [todo], times: 100)
                    // Whoever reads keeps up, however busy the machine is: the log is not long enough for any other.
                    try await eventually("it has them") { reader.isEnded || hasAll(reader, written) }
                }
                try await eventually("the stuck one is let go") {
                    gateway.program.errors.contains("its reader does not keep up")
                }
                let ofReader = try await versions(of: reader, comingBackTo: gateway, until: count)
                #expect(ofReader == Array(1...count))
                stuck.startReading()
                try await eventually("it sees its end") { stuck.isEnded }
                #expect(versions(stuck).count < count)
                let ofStuck = try await versions(of: stuck, comingBackTo: gateway, until: count)
                // What it missed is longer than the log may be, and so a snapshot, with all that there is.
                #expect(ofStuck == Array(1..<ofStuck.count) + [count], "without a gap or a repeat")
                // A snapshot of many megabytes is no slowness either.
                let late = try gateway.follow("alice")
                try await eventually("it has the snapshot", within: .seconds(60)) {
                    late.receivedBytes > count * 9_000 && late.tail(8).hasSuffix("\n\n")
                }
                late.close()
            }
        }
    }
}
