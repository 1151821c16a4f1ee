import EventLoop
import TestServers
import Testing
import TodoMate
import TodoMateClient

@Suite("Reading an archive in at a server", .serialized)
@LoopActor
struct ServerArchiveTests {
    private func profile(_ ids: [String]) -> [String: String] {
        let goals = ids.map {
            #"{"id":"\#($0)","name":"\#($0)","color":"teal","position":1,"visibility":"private","archived":false}"#
        }
        return ["goals": "[\(goals.joined(separator: ","))]"]
    }

    @Test("goes on with goals where it was interrupted, and takes no other ones beside those that are there")
    func goals() async throws {
        try await withClientGateway { gateway in
            let client = gateway.client("alice")
            defer { client.close() }
            for (ids, expected) in [
                (["a", "b"], "replaced"), (["a", "b", "c"], "replaced"), (["a", "b", "c"], "unchanged"),
                (["a", "b"], "refused"), (["d"], "refused"),
            ] {
                let outcome = try await client.archive.importProfile(profile(ids), of: "alice", replacing: false)
                #expect("\(outcome)".hasPrefix(expected), "\(ids): \(outcome)")
                let stored = try await gateway.stores.relations.profile(of: "alice").settings.goals
                #expect(stored.map(\.id) == (ids == ["a", "b"] && expected == "replaced" ? ids : ["a", "b", "c"]))
            }
        }
    }
}
