import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The channel on which workers tell each other their load")
@LoopActor
struct LoadChannelTests {
    private static let channel = "todomate:shared:workers:load"

    private func subscribers(_ server: RedisServer) async throws -> String {
        try await server.cli("PUBSUB", "NUMSUB", Self.channel)
    }

    @Test("is heard by workers that listen, shown in their metrics, and left with a goodbye")
    func announced() async throws {
        try await withRedis { server in
            let port = try freePort()
            let first = try await GatewayProcess(on: server, port: port, ["--announce-every", "100ms"])
            let second = try await GatewayProcess(on: server, port: freePort(), ["--announce-every", "100ms"])
            func heard(_ count: Int) async throws -> Bool {
                try await first.ask("GET /metrics").body.contains("\ntodomate_workers_heard \(count)\n")
            }
            try await eventually("the first hears the second") { try await heard(1) }
            let stream = try first.follow("alice")
            try await eventually("its share is known") {
                let metrics = try await first.ask("GET /metrics").body
                return metrics.contains("\ntodomate_streams_share 0\n") && metrics.contains("todomate_streams_open 1\n")
            }
            let keys = try await server.cli("KEYS", "todomate:shared:*")
            #expect(keys == "", "nothing is left behind in Redis")
            await second.program.signal(SIGTERM)
            try await eventually("the first hears the goodbye") { try await heard(0) }
            let ending = await second.program.waitUntilEnded()
            #expect(ending == .exit(0))
            stream.close()
            try await first.finish()
            #expect(try await subscribers(server) == "\(Self.channel)\n0")
        }
    }

    @Test("is not touched by a worker that keeps its streams")
    func kept() async throws {
        try await withGateway("--keep-streams") { server, gateway in
            let stream = try gateway.follow("alice")
            try await eventually("the stream has begun") { stream.text.contains("event: snapshot") }
            #expect(try await subscribers(server) == "\(Self.channel)\n0")
            #expect(try await !gateway.ask("GET /metrics").body.contains("todomate_workers_heard"))
        }
    }

    @Test("may be closed to the workers: streams go on, and a warning says so")
    func refused() async throws {
        try await withRedis { server in
            try await server.cli("ACL", "SETUSER", "default", "resetchannels", "&todomate:{*}:changes")
            let gateway = try await GatewayProcess(on: server, port: freePort(), ["--announce-every", "50ms"])
            let stream = try gateway.follow("alice")
            try await eventually("the stream has begun") { stream.text.contains("event: snapshot") }
            try await eventually("it is said") { gateway.program.errors.contains("cannot tell each other their load") }
            try await server.add("alice", "milk")
            try await eventually("the change is told") { stream.text.contains("event: added") }
            #expect(!gateway.program.errors.contains("subscribing was refused"))
            #expect(gateway.program.errors.components(separatedBy: "cannot tell each other").count == 2, "once")
            try await gateway.finish()
        }
    }
}
