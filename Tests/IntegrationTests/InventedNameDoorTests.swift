import EventLoop
import Foundation
import TestServers
import Testing

@Suite("Following and blocking an invented name")
@LoopActor
struct InventedNameDoorTests {
    private nonisolated static let steps: [(line: String, body: String?)] = [
        ("PUT /v1/users/ME/following/OTHER", nil), ("GET /v1/users/ME/following", nil),
        ("GET /v1/users/OTHER/profile", nil), ("GET /v1/users/ME/profile", nil),
        ("PUT /v1/users/ME/following/OTHER", #"{"position":-3}"#), ("GET /v1/users/ME/following", nil),
        ("DELETE /v1/users/ME/following/OTHER", nil), ("GET /v1/users/ME/following", nil),
        ("DELETE /v1/users/ME/following/OTHER", nil), ("PUT /v1/users/ME/following/OTHER", nil),
        ("PUT /v1/users/ME/followers/OTHER", nil), ("DELETE /v1/users/ME/followers/OTHER", nil),
        ("PUT /v1/users/ME/blocked/OTHER", nil), ("GET /v1/users/ME/followers?state=blocked", nil),
        ("PUT /v1/users/ME/following/OTHER", nil), ("GET /v1/users/OTHER/profile", nil),
        ("DELETE /v1/users/ME/blocked/OTHER", nil), ("PUT /v1/users/ME/following/OTHER", nil),
        ("GET /v1/users/ME/following", nil), ("GET /v1/users/ME/feed?zone=UTC", nil),
    ]

    @Test(
        "answers byte by byte like somebody who has not looked yet, and leaves nothing in Redis",
        arguments: RedisKind.allCases
    )
    func indistinguishable(_ kind: RedisKind) async throws {
        try await withGateway(on: kind) { server, gateway in
            _ = try GatewayProcess.token("known")
            for (line, body) in Self.steps {
                func ask(_ me: String, _ other: String) async throws -> String {
                    let path = line.replacing("ME", with: me).replacing("OTHER", with: other)
                    let answer = try await gateway.ask(path, try GatewayProcess.bearer(me), body: body)
                    // Only when somebody was blocked, and the Date, depend on when it was asked.
                    let names = answer.text.replacing(me, with: "ME").replacing(other, with: "OTHER")
                    return names.replacing(/"(since|feedSeen|seen)":"?[0-9TZ:-]+"?/, with: "TIME")
                        .replacing(/Date: [^\r]+/, with: "")
                }
                let (known, invented) = (try await ask("ann", "known"), try await ask("bea", "ghost"))
                #expect(known == invented, "\(line)")
                #expect(try await server.cli("KEYS", "todomate:{ghost}*") == "", "\(line)")
            }
            let log = try await server.log(of: "ann").map { $0.replacing(/"id":"(\d+)-\d+"/) { "\($0.1)" } }
            let other = try await server.log(of: "bea").map { $0.replacing(/"id":"(\d+)-\d+"/) { "\($0.1)" } }
            #expect(
                log.map { $0.replacing("ann", with: "bea").replacing("known", with: "ghost") } == other,
                "the follower's own history tells nothing either"
            )
            #expect(try await server.cli("EXISTS", "todomate:{known}:requests") == "1", "who exists was asked")
            let doctor = try await server.todomate("doctor", "--repair")
            #expect(!doctor.output.contains("ghost") && !doctor.output.contains("do not agree"), "\(doctor.output)")
            #expect(doctor.output.contains(" of 3 users"), "\(doctor.output)")
            #expect(try await server.cli("KEYS", "todomate:{ghost}*") == "")
            let path = Program.builtPrograms.path + "/todomate"
            let made = try await Program.run(
                "sh",
                ["-c", "echo long-enough | \(path) user add ghost"],
                environment: ["TODOMATE_REDIS": server.address]
            )
            #expect(made.ending == .exit(0), "\(made.errors)")
            let requests = try await server.todomate("followers", "ghost", "--requests")
            #expect(requests.output.hasPrefix("bea"), "whoever comes later is asked then")
        }
    }
}
