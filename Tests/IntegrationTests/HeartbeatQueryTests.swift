import EventLoop
import Foundation
import TestServers
import Testing

/// On one backing each: heartbeats are the gateway's, and no store has a part in them.
@Suite("Heartbeats as often as a reader wants", .serialized)
@LoopActor
struct HeartbeatQueryTests {
    nonisolated private static let paths = ["/v1/changes?users=alice", "/v1/users/alice/changes?viewer=alice"]

    @Test("come on the streams that asked for them, and on no other", arguments: paths)
    func heartbeats(_ path: String) async throws {
        try await withGateways(on: .redis) { gateways in
            @LoopActor func open(_ wish: String) throws -> RawConnection {
                let stream = try RawConnection(port: gateways[0].port)
                let bearer = try GatewayProcess.bearer("alice")
                stream.send("GET \(path)\(wish) HTTP/1.1\r\nHost: localhost\r\n\(bearer)\r\n\r\n")
                return stream
            }
            @LoopActor func beats(_ stream: RawConnection) -> Int {
                stream.text.components(separatedBy: "event: heartbeat").count - 1
            }
            let (usual, often) = (try open(""), try open("&heartbeat=2"))
            try await eventually("both are open") {
                usual.text.contains("event: snapshot") && often.text.contains("event: snapshot")
            }
            // The usual interval is 15 s: by then there are seven of the others.
            try await eventually("two have come") { beats(often) >= 2 }
            #expect(beats(usual) < beats(often))
        }
    }

    @Test("are refused where nobody could want them so", arguments: paths, ["", "0", "1", "61", "-3", "2.5", "often"])
    func refusals(_ path: String, _ wish: String) async throws {
        try await withGateways(on: .memory) { gateways in
            let target = "GET \(path)&heartbeat=\(wish)"
            let answer = try await gateways[0].ask(target, as: "alice")
            #expect(answer.status == 422 && answer.text.contains("heartbeat must be 2 to 60 seconds"), "\(answer.text)")
        }
    }
}
