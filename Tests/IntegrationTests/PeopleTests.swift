import EventLoop
import TestServers
import Testing

@Suite("How people are called", .serialized)
@LoopActor
struct PeopleTests {
    private func say(_ gateway: any HTTPGateway, _ line: String, as uid: String, _ body: String? = nil) async throws {
        let answer = try await gateway.ask(line, as: uid, body: body)
        try #require([200, 201].contains(answer.status ?? 0), "\(line): \(answer.body)")
    }

    @Test("is told to their followers, with the profile and for many at once", arguments: Backing.allCases)
    func names(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            try await say(gateway, "PATCH /v1/users/bob/profile", as: "bob", #"{"name":"Bob","face":"🐻"}"#)
            let many = "GET /v1/people?users=bob,carol,bob&viewer=alice"
            let before = try await gateway.ask(many, as: "alice")
            #expect(before.body == #"{"people":[{"uid":"bob"},{"uid":"carol"}]}"#, "\(before.body)")
            try await say(gateway, "PUT /v1/users/alice/following/bob", as: "alice")
            try await say(gateway, "PUT /v1/users/bob/followers/alice", as: "bob")
            let after = try await gateway.ask(many, as: "alice")
            #expect(after.body == #"{"people":[{"uid":"bob","name":"Bob","face":"🐻"},{"uid":"carol"}]}"#)
            let profile = try await gateway.ask("GET /v1/users/bob/profile?viewer=alice", as: "alice")
            #expect(profile.body == #"{"uid":"bob","audience":"followers","name":"Bob","face":"🐻"}"#, "\(profile.body)")
        }
    }

    @Test("is not told for no one, too many, or a name that is none", arguments: Backing.allCases)
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let many = (0..<101).map { "u\($0)" }.joined(separator: ",")
            for query in ["", "?users=", "?users=b%20b", "?users=\(many)", "?users=a&users=b", "?users=a&people=b"] {
                let answer = try await gateways[0].ask("GET /v1/people\(query)", as: "alice")
                #expect(answer.status == 422 && answer.isProblem, "\(query.prefix(30)): \(answer.body)")
            }
        }
    }
}
