import EventLoop
import TestServers
import Testing

@testable import RedisClient

@Suite("A write of a cluster whose answer was lost")
@LoopActor
struct LostAnswerInClusterTests {
    @Test("is not sent again, as it may have been carried out", arguments: FakeClusterNode.Loss.allCases)
    func once(_ loss: FakeClusterNode.Loss) async throws {
        let node = try FakeClusterNode(delivers: true)
        defer { node.close() }
        let client = RedisClient(RedisURL(.cluster([node.endpoint])), timeout: .seconds(2))
        defer { client.close() }
        let write = RedisCommand("FCALL", "f", "1", "{a}")
        try await client.send(write)
        #expect(node.writes == 1)
        node.loseAnswers(loss)
        await #expect {
            try await client.send(write)
        } throws: { error in
            switch error as? RedisError {
            case .connectionLost: loss == .withConnection
            case .noAnswer: loss == .forGood
            default: false
            }
        }
        #expect(node.writes == 2)
    }
}
