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
    private func fill(_ owner: String, _ server: any TestRedis) async throws {
        let detail = String(repeating: "x", count: 9000)
        for start in stride(from: 0, to: 640, by: 80) {
            let part = (start..<start + 80).map { number in
                let texts = #""content":"c","detail":"\#(detail)","visibility":"public""#
                return #"{"id":"t\#(number)","uid":"\#(owner)","date":"2026-11-20",\#(texts)}"#
            }
            try await server.call("todomate_import", owner, ["add"] + part)
        }
    }

    @Test("is gone as soon as its session has ended, and does not keep its place", arguments: RedisKind.allCases)
    func ended(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            let stuck = try gateway.follow("alice", reads: false)
            let todo = #"{"content":"a","date":"2026-11-20","detail":"\#(String(repeating: "x", count: 2000))"}"#
            try await eventually("bytes wait for it", within: .seconds(60)) {
                try await server.call("todomate_add", "alice", [todo], times: 20)
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

    // It takes long, and tells on a cluster what it does on one Redis.
    @Test("is gone as soon as its session is over by itself, and nothing is kept for it")
    func expired() async throws {
        try await withGateway(on: .cluster) { server, gateway in
            try await fill("alice", server)
            let stuck = try RawConnection(port: gateway.port, reads: false)
            let bearer = "Authorization: Bearer \(try GatewayProcess.token("alice", lasting: 10))"
            stuck.send("GET /v1/users/alice/changes HTTP/1.1\r\nHost: h\r\n\(bearer)\r\n\r\n")
            try await eventually("the list waits for it") {
                try await metric("todomate_stream_queue_bytes", gateway) > 0
            }
            #expect(try await metric("todomate_streams_open", gateway) == 1)
            try await eventually("it has no place any more") {
                try await metric("todomate_streams_open", gateway) == 0
            }
            #expect(try await metric(#"todomate_streams_ended_total{reason="closed"}"#, gateway) == 1)
            try await expectNothingMore(stuck, gateway)
        }
    }

    /// Whether the kernel has nothing for somebody who does not read; others may still be sent theirs.
    private func isForgotten(_ stuck: RawConnection, _ gateway: GatewayProcess) -> Bool {
        KernelQueue.bytes(port: gateway.port, to: stuck.ownPort)?.allSatisfy { $0 == 0 } ?? true
    }

    /// Waits until nothing is kept for somebody who does not read, and looks at what had come.
    private func expectNothingMore(_ stuck: RawConnection, _ gateway: GatewayProcess) async throws {
        try await eventually("the kernel has nothing for it") { isForgotten(stuck, gateway) }
        stuck.startReading()
        try await eventually("its end has come") { stuck.isEnded }
        #expect(stuck.receivedBytes < 64 * 1024, "what had come to its own side already, of 6 MB")
    }

    /// Why somebody may not have the rest of a list.
    enum Reason: CaseIterable {
        case sessionEnd, block, privacy
    }

    @Test(
        "gets no more of a list once it may not have the rest, and others get all of theirs",
        arguments: RedisKind.inTurn(Reason.allCases)
    )
    func longAnswer(reason: Reason, _ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            try await fill("alice", server)
            let connections = try ["bob", "carol"].map { reader in
                let connection = try RawConnection(port: gateway.port, reads: reader == "carol")
                let bearer = try GatewayProcess.bearer(reader)
                connection.send("GET /v1/users/alice/todos HTTP/1.1\r\nHost: h\r\n\(bearer)\r\n\r\n")
                return connection
            }
            try await eventually("both are being answered") {
                gateway.program.errors.matches(of: /path=\/v1\/users\/alice\/todos status=200/).count == 2
            }
            let (bob, carol) = (connections[0], connections[1])
            switch reason {
            case .sessionEnd:
                let end = ["session", "end", "bob", "--all", "--redis", server.address]
                #expect(try await Program.run("todomate", end).ending == .exit(0))
            case .block:
                #expect(try await gateway.ask("PUT /v1/users/alice/blocked/bob", as: "alice").status == 200)
            case .privacy:
                let body = #"{"audience":"private"}"#
                #expect(try await gateway.ask("PATCH /v1/users/alice/profile", as: "alice", body: body).status == 200)
            }
            // A second is the promise; a machine under load gets some more.
            try await eventually("the kernel has nothing for it", within: .seconds(3)) { isForgotten(bob, gateway) }
            try await expectNothingMore(bob, gateway)
            if reason != .privacy {
                try await eventually("another one gets all", within: .seconds(60)) {
                    carol.receivedBytes > 5_760_000 && carol.tail(2) == "]}"
                }
            }
            carol.close()
        }
    }

    // It takes long, and tells on a cluster what it does on one Redis.
    @Test("is told nothing more of an owner who blocks it, and of the others when it comes back")
    func blocked() async throws {
        try await withGateway(on: .cluster) { server, gateway in
            try await fill("alice", server)
            try await server.add("carol", "bread", id: "t1")
            let target = "/v1/changes?users=alice,carol"
            let stuck = try RawConnection(port: gateway.port, reads: false)
            stuck.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\(try GatewayProcess.bearer("bob"))\r\n\r\n")
            try await eventually("the list waits for it") {
                try await metric("todomate_stream_queue_bytes", gateway) > 5_000_000
            }
            #expect(try await gateway.ask("PUT /v1/users/alice/blocked/bob", as: "alice").status == 200)
            try await eventually("it is closed", within: .seconds(3)) {
                try await metric("todomate_streams_open", gateway) == 0
            }
            try await expectNothingMore(stuck, gateway)
            let again = try BoardReader(gateway.port, target, as: "bob")
            try await eventually("it is told of both") {
                again.lines.contains("closed alice") && again.lines.contains { $0.hasPrefix("snapshot carol ") }
            }
            #expect(!again.text.contains("data: {\"uid\":\"alice\",\"access\""))
            again.close()
        }
    }

    // It takes long, and tells on a cluster what it does on one Redis.
    @Test("keeps two long lists waiting, however many its board has, and others get all of theirs")
    func manyLists() async throws {
        try await withGateway(on: .cluster) { server, gateway in
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
                reader.values(after: "event: snapshot").count == owners.count
            }
            // Each weighs 6 MB.
            #expect(try await metric("todomate_stream_queue_bytes", gateway) < 13_000_000)
            reader.close()
            stuck.close()
        }
    }

    @Test(
        "has others of the same person wait, who are told nothing once their session has ended",
        arguments: RedisKind.allCases
    )
    func waiting(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
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
