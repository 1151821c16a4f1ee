import EventLoop
import Foundation
import TestServers
import Testing

@Suite("The streams of one person")
@LoopActor
struct ShareLimitTests {
    @Test("follow so many users in all, and one more is refused until one ends", arguments: Backing.allCases)
    func limited(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            let users = (0..<100).map { "u\($0)" }.joined(separator: ",")
            @LoopActor
            func open(_ users: String, as person: String) throws -> RawConnection {
                let connection = try RawConnection(port: gateway.port)
                let lines = ["GET /v1/changes?users=\(users) HTTP/1.1", "Host: h", try GatewayProcess.bearer(person)]
                connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
                return connection
            }
            var boards: [RawConnection] = []
            for _ in 0..<20 {
                let board = try open(users, as: "alice")
                try await eventually("it is open") { board.text.contains("200 OK") }
                boards.append(board)
            }
            let refused = try open("u0", as: "alice")
            try await eventually("it is refused") { refused.text.contains("503 ") }
            let reason = "the streams of alice would follow more than 2000 users in all: close some first"
            #expect(refused.text.contains(reason))
            let other = try open(users, as: "bob")
            try await eventually("another person may") { other.text.contains("200 OK") }
            boards.removeLast().close()
            try await eventually("there is room again") {
                let again = try open(users, as: "alice")
                try await eventually("it is answered") { again.text.contains("\r\n\r\n") }
                if again.text.contains("200 OK") { boards.append(again) }
                return boards.count == 20
            }
        }
    }

    @Test("are counted as they open, however many are asked for at the same moment", arguments: Backing.allCases)
    func atOnce(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await gateway.write("PATCH /v1/users/bob/profile", as: "bob", #"{"audience":"public"}"#)
            let bearer = try GatewayProcess.bearer("alice")
            let users = (0..<100).map { "u\($0)" }.joined(separator: ",")
            var boards: [RawConnection] = []
            for _ in 0..<19 {
                let board = try RawConnection(port: gateway.port)
                board.send("GET /v1/changes?users=\(users) HTTP/1.1\r\nHost: h\r\n\(bearer)\r\n\r\n")
                try await eventually("it is open") { board.text.contains("200 OK") }
                boards.append(board)
            }
            let streams = try (0..<150).map { _ in try RawConnection(port: gateway.port) }
            for stream in streams {
                stream.send("GET /v1/users/bob/changes HTTP/1.1\r\nHost: h\r\n\(bearer)\r\n\r\n")
            }
            try await eventually("all are answered") { streams.allSatisfy { $0.text.contains("\r\n\r\n") } }
            #expect(streams.count { $0.text.contains("200 OK") } == 100)
            #expect(streams.count { $0.text.contains(" 503 ") } == 50)
        }
    }
}
