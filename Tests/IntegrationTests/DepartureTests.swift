import EventLoop
import TestServers
import Testing

extension AttackTests {
    @Suite("A worker whose readers leave as soon as they have come")
    @LoopActor
    struct DepartureTests {
        @Test("forgets them, and lives on", arguments: RedisKind.allCases)
        func leave(_ kind: RedisKind) async throws {
            try await withGateway(on: kind) { _, gateway in
                // Each is alone with its user: the channel opens and closes while the beginning is still being read.
                for _ in 0..<400 {
                    let reader = try gateway.follow("alice")
                    await withUnsafeContinuation { continuation in
                        reader.onReceive = {
                            reader.close()
                            reader.onReceive = nil
                            continuation.resume()
                        }
                    }
                }
                try await eventually("all are forgotten") {
                    let metrics = try await gateway.ask("GET /metrics").body
                    return metrics.contains("todomate_streams_open 0\n")
                }
                let reader = try gateway.follow("alice")
                try await eventually("the next one is served") { reader.text.contains("event: snapshot") }
                reader.close()
            }
        }
    }
}
