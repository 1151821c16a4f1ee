import EventLoop
import Foundation
import Testing

@testable import TodoMateCLI

@Suite("The permissions that the doctor asks for")
@LoopActor
struct PermissionCheckTests {
    @Test("are those that the deployment's access list gives to workers")
    func sameAsAccessList() throws {
        let list = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/redis/users.acl")
        let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        let worker = try #require(lines.first { $0.hasPrefix("user todomate-worker ") })
        let given = worker.matches(of: #/ \+([a-z_]+)/#).map { String($0.1) }
        // The first two are courtesies, the third is for primaries behind sentinels; of the last the doctor tells by itself
        // when it may not ask.
        let unasked: Set = ["client", "hello", "role", "acl"]
        let asked = PermissionCheck.needed + PermissionCheck.neededAlone + PermissionCheck.neededInCluster
        #expect(Set(given).subtracting(unasked) == Set(asked.map { $0[0].lowercased() }))
    }
}
