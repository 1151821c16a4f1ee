import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// What an operator tells everybody.
@Suite("An announcement", .serialized)
@LoopActor
struct AnnouncementTests {
    private static let channel = "todomate:shared:workers:announcement"

    private func open(_ gateway: any HTTPGateway, _ path: String, _ fields: [String]) throws -> RawConnection {
        let stream = try RawConnection(port: gateway.port)
        stream.send((["GET \(path) HTTP/1.1", "Host: h"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
        return stream
    }

    @Test("reaches every open stream and the door, and is over at once", arguments: Backing.allCases)
    func everywhere(_ backing: Backing) async throws {
        try await withGateways(2, on: backing) { gateways in
            let root = try await gateways[0].signInOperator()
            try await gateways[0].giveAccount("alice")
            let alice = try await gateways[0].signIn("alice")
            var streams: [RawConnection] = []
            // In memory, workers have nothing over which to tell each other, and look now and then.
            for gateway in backing == .memory ? [gateways[0]] : gateways {
                for path in ["/v1/users/alice/changes", "/v1/changes?users=alice&zone=UTC"] {
                    streams.append(try open(gateway, path, alice.bearer))
                }
            }
            try await eventually("all streams are open") { streams.allSatisfy { $0.text.contains("event: snapshot") } }
            let text = #"Maintenance <script>alert(1)</script> \"tonight\" & 한글"#
            let body = #"{"text":"\#(text)","ko":"점검","level":"warning","hours":2}"#
            let answer = try await gateways[0].operate("PUT /v1/operator/announcement", root.bearer, body)
            #expect(answer.status == 200 && answer.body.contains(#""text":"\#(text)","ko":"점검""#), "\(answer.text)")
            try await eventually("all are told") {
                streams.allSatisfy { $0.text.contains("event: announcement\ndata: \(answer.body)\n\n") }
            }
            // Clients resume from ids: it has none, and the next change follows as ever.
            let draft = #"{"id":"after","content":"after it","date":"2026-11-20"}"#
            let added = try await gateways[0].ask("POST /v1/users/alice/todos", alice.bearer, body: draft)
            #expect(added.status == 201)
            try await eventually("changes go on") { streams.allSatisfy { $0.text.contains("after it") } }
            for stream in streams {
                let events = stream.text.components(separatedBy: "\n\n")
                let event = try #require(events.first { $0.contains("event: announcement") })
                #expect(!event.contains("id:"), "\(event)")
            }
            let door = try await gateways[0].ask("GET /v1/session")
            #expect(door.body.contains(#""announcement":{"id":"#) && door.body.contains(text), "\(door.body)")
            let late = try open(gateways[0], "/v1/users/alice/changes", alice.bearer)
            try await eventually("who comes later is told as well") { late.text.contains("event: announcement") }
            let ended = try await gateways[0].operate("DELETE /v1/operator/announcement", root.bearer)
            #expect(ended.status == 204)
            try await eventually("all are told that it is over") {
                (streams + [late]).allSatisfy { $0.text.contains("event: announcement\ndata: {}\n\n") }
            }
            let after = try await gateways[0].ask("GET /v1/session")
            #expect(!after.body.contains("announcement"))
        }
    }

    @Test("that somebody has written by hand shows only where it is one", arguments: RedisKind.allCases)
    func byHand(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            for json in [
                "", "{}", "[]", #"{"id":"x","text":"a\u0007b","level":"info","until":99999999999}"#,
                #"{"id":"a b","text":"ab","level":"info","until":99999999999}"#,
                #"{"id":"x","text":"ab","level":"loud","until":99999999999}"#,
                #"{"id":"x","text":"over","level":"info","until":1}"#,
            ] {
                try await server.cli("HSET", "todomate:announcement", "current", json)
                let shown = try await server.todomate("announce")
                #expect(shown.output != "" || shown.ending != .exit(0), "\(json): \(shown.errors)")
                try await server.publish(#"{"worker":"x"}"#, on: Self.channel)
                let door = try await gateway.ask("GET /v1/session")
                #expect(door.status == 200 && !door.body.contains("announcement"), "\(json): \(door.body)")
            }
            for message in ["", "nonsense", "{}", #"{"worker":""}"#, #"{"worker":7}"#] {
                try await server.publish(message, on: Self.channel)
                try await server.publish(message, on: "todomate:shared:workers:reports")
            }
            let good = #"{"id":"x","text":"hello","level":"info","until":99999999999}"#
            try await server.cli("HSET", "todomate:announcement", "current", good)
            try await server.publish(#"{"worker":"x"}"#, on: Self.channel)
            try await eventually("it shows") {
                try await gateway.ask("GET /v1/session").body.contains(#""text":"hello""#)
            }
            let ended = try await server.todomate("announce", "--end")
            #expect(ended.output.hasPrefix("It is taken away, told to 1 worker"), "\(ended.output)\(ended.errors)")
            try await eventually("it is gone") {
                try await !gateway.ask("GET /v1/session").body.contains("announcement")
            }
        }
    }
}
