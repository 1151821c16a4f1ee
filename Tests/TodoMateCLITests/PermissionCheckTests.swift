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
        // A connection's name is a courtesy; of the last two the doctor tells by itself when it may not ask.
        let unasked: Set = ["client", "info", "acl"]
        #expect(Set(given).subtracting(unasked) == Set(PermissionCheck.needed.map { $0[0].lowercased() }))
    }
}
