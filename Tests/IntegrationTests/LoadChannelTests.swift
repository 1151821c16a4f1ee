import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The channel on which workers tell each other their load")
@LoopActor
struct LoadChannelTests {
    private static let channel = "todomate:shared:workers:load"

    @Test(
        "is heard by workers that listen, shown in their metrics, and left with a goodbye",
        arguments: RedisKind.allCases
    )
    func announced(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
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
            #expect(try await server.subscribers(of: Self.channel) == 0)
        }
    }

    @Test("is not touched by a worker that keeps its streams", arguments: RedisKind.allCases)
    func kept(_ kind: RedisKind) async throws {
        try await withGateway(on: kind, "--keep-streams") { server, gateway in
            let stream = try gateway.follow("alice")
            try await eventually("the stream has begun") { stream.text.contains("event: snapshot") }
            #expect(try await server.subscribers(of: Self.channel) == 0)
            #expect(try await !gateway.ask("GET /metrics").body.contains("todomate_workers_heard"))
        }
    }

    @Test("may be closed to the workers: streams go on, and a warning says so", arguments: RedisKind.allCases)
    func refused(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
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
