import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Following on a cluster of which a node is away", .serialized)
@LoopActor
struct FollowingOfClusterTests {
    @Test(
        "is settled with all whose node answers, and with the others once it does",
        arguments: ["silent", "down"],
        ["first", "last"]
    )
    func settles(_ way: String, _ place: String) async throws {
        try await withRedisCluster(primaries: 3, replicas: 0, "--appendonly", "yes", "--appendfsync", "always") {
            cluster in
            let (repository, client) = (RedisTodoRepository(cluster.url), RedisClient(cluster.url))
            defer {
                repository.close()
                client.close()
            }
            try await repository.prepare()
            let alice = RedisCluster.user("alice", at: 0)
            let lost = (0..<3).map { RedisCluster.user("lost\($0)-", at: 2) }
            let others = (0..<3).map { RedisCluster.user("other\($0)-", at: $0 % 2) }
            // Each died after the first step.
            for uid in place == "first" ? lost + others : others + lost {
                try await client.send(
                    RedisCommand("FCALL", "todomate_follow", "2", "todomate:{\(alice)}", "todomate:{\(alice)}:log", uid)
                )
            }
            @LoopActor func asked(_ uid: String) async throws -> Bool {
                try await repository.relations.relation(of: uid, with: alice).follower == .requested
            }
            let node = cluster.nodes[2]
            if way == "silent" { node.server.signal(SIGSTOP) } else { await node.server.crash() }
            await #expect(throws: TodoError.self) { try await repository.relations.settle(alice) }
            for uid in others { #expect(try await asked(uid)) }
            if way == "silent" { node.server.signal(SIGCONT) } else { try await cluster.restart(node) }
            try await eventually("all are settled", within: .seconds(40)) {
                (try? await repository.relations.settle(alice)) == 0
            }
            for uid in lost + others { #expect(try await asked(uid)) }
        }
    }
}
