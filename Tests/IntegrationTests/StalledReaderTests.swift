import EventLoop
import Foundation
import TestServers
import Testing

@Suite("A reader that does not read")
@LoopActor
struct StalledReaderTests {
    private func metric(_ name: String, _ gateway: GatewayProcess) async throws -> Int {
        let lines = try await gateway.ask("GET /metrics").body.split(separator: "\n")
        return lines.first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) } ?? -1
    }

    /// Gives somebody 640 public todos, of 6 MB: more than the kernel keeps for a reader.
    private func fill(_ owner: String, _ server: RedisServer) async throws {
        let detail = String(repeating: "x", count: 9000)
        for start in stride(from: 0, to: 640, by: 80) {
            let part = (start..<start + 80).map { number in
                let texts = #""content":"c","detail":"\#(detail)","visibility":"public""#
                return #"{"id":"t\#(number)","uid":"\#(owner)","date":"2026-11-20",\#(texts)}"#
            }
            _ = try await server.cli(["FCALL", "todomate_import", "1", "todomate:{\(owner)}", "add"] + part)
        }
    }

    @Test("is gone as soon as its session has ended, and does not keep its place")
    func ended() async throws {
        try await withGateway { server, gateway in
            let stuck = try gateway.follow("alice", reads: false)
            let todo = #"{"content":"a","date":"2026-11-20","detail":"\#(String(repeating: "x", count: 2000))"}"#
            try await eventually("bytes wait for it", within: .seconds(60)) {
                let add = ["FCALL", "todomate_add", "1", "todomate:{alice}", todo]
                _ = try await Program.run("redis-cli", ["-s", "\(server.url)", "-r", "20"] + add)
                return try await metric("todomate_stream_queue_bytes", gateway) > 0
            }
            #expect(try await metric("todomate_streams_open", gateway) == 1)
            let end = ["session", "end", "alice", "--all", "--redis", server.address]
            #expect(try await Program.run("todomate", end).ending == .exit(0))
            try await eventually("it has no place any more", within: .seconds(5)) {
                try await metric("todomate_streams_open", gateway) == 0
            }
            #expect(try await metric("todomate_stream_queue_bytes", gateway) == 0)
            stuck.close()
        }
    }

    @Test("keeps two long lists waiting, however many its board has, and others get all of theirs")
    func manyLists() async throws {
        try await withGateway { server, gateway in
            let owners = (1...6).map { "owner\($0)" }
            for owner in owners { try await fill(owner, server) }
            let target = "/v1/changes?users=\(owners.joined(separator: ","))"
            let stuck = try RawConnection(port: gateway.port, reads: false)
            stuck.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\(try GatewayProcess.bearer("alice"))\r\n\r\n")
            try await eventually("a list waits for it") {
                try await metric("todomate_stream_queue_bytes", gateway) > 500_000
            }
            let reader = try BoardReader(gateway.port, target, as: "bob")
            try await eventually("who reads has all", within: .seconds(60)) {
                reader.text.matches(of: /event: snapshot/).count == owners.count
            }
            // Each weighs 6 MB.
            #expect(try await metric("todomate_stream_queue_bytes", gateway) < 13_000_000)
            reader.close()
            stuck.close()
        }
    }

    @Test("has others of the same person wait, who are told nothing once their session has ended")
    func waiting() async throws {
        try await withGateway { server, gateway in
            try await fill("alice", server)
            let bearer = try GatewayProcess.bearer("alice")
            let line = "GET /v1/users/alice/todos HTTP/1.1\r\nHost: h\r\n\(bearer)\r\n\r\n"
            // Larger than what the kernel keeps for a reader, so that both turns are taken.
            let stuck = try (0..<2).map { _ in try RawConnection(port: gateway.port, reads: false) }
            for connection in stuck { connection.send(line) }
            try await eventually("both are being answered") {
                gateway.program.errors.matches(of: /path=\/v1\/users\/alice\/todos status=200/).count == 2
            }
            let third = try RawConnection(port: gateway.port)
            third.send(line)
            try await eventually("the third waits") { try await metric("todomate_requests_in_flight", gateway) == 2 }
            let end = ["session", "end", "alice", "--all", "--redis", server.address]
            #expect(try await Program.run("todomate", end).ending == .exit(0))
            // Workers are told of the end a moment later.
            try await eventually("nobody is let in") {
                try await gateway.ask("GET /v1/users/alice/profile", bearer).status == 401
            }
            for connection in stuck { connection.close() }
            try await eventually("the third is answered") { third.text.contains("\r\n\r\n") }
            #expect(third.text.hasPrefix("HTTP/1.1 401 ") && !third.text.contains("\"todos\""))
            third.close()
        }
    }
}
