import EventLoop
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@testable import TodoMateCLI

@Suite("A worker whose cluster names a replica as a primary")
@LoopActor
struct WriteWatchTests {
    @Test("is not ready as soon as that is no mere moment of a failover", arguments: [0, 1, 2, .max])
    func demoted(_ refusals: Int) async throws {
        let node = try FakeClusterNode(delivers: true)
        defer { node.close() }
        node.refuseWrites(refusals)
        let repository = RedisTodoRepository(RedisURL(.cluster([node.endpoint])))
        defer { repository.close() }
        let logger = Logger(write: { _ in })
        let (connection, writes) = (ConnectionLog(logger), WriteWatch(repository, logger))
        connection.isPrepared = true
        let readiness = WorkerReadiness(repository, connection, writes)
        var objections: Set<String> = []
        try await eventually("it was looked at three times", within: .seconds(30)) {
            if let objection = await readiness.objection() { objections.insert(objection) }
            return node.writes > 3
        }
        if refusals > 1 {
            #expect(objections.count == 1)
            #expect(objections.first?.hasPrefix("\(node.endpoint) is a read-only replica") == true)
            #expect(objections.first?.contains("redis-cli --cluster check") == true)
        } else {
            #expect(objections == [])
        }
        if refusals < .max { try await eventually("it is ready") { await readiness.objection() == nil } }
    }
}
