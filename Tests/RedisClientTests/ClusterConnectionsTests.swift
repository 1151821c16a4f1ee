import TestServers
import Testing

@testable import RedisClient

@Suite("The connections to a cluster, told as one")
struct ClusterConnectionsTests {
    private static let (one, two) = (RedisEndpoint(host: "one", port: 1), RedisEndpoint(host: "two", port: 2))
    private static let silence = RedisError.unreachable(endpoint: "one:1", seconds: 1, reason: "no answer")

    @Test("are there once the first is, and again once none is missing")
    func missing() {
        var connections = ClusterConnections()
        #expect(connections.settled(Self.one) == .connected)
        #expect(connections.settled(Self.two) == nil)
        #expect(connections.changed(.lost("gone"), Self.one) == .lost("one:1: gone"))
        #expect(connections.changed(.failed(Self.silence), Self.two) == .failed(Self.silence))
        #expect(connections.changed(.connected, Self.one) == nil && !connections.areComplete)
        // The other one has left the cluster.
        #expect(connections.settled(Self.two) == .connected && connections.areComplete)
    }

    @Test("are back when the nodes say again who serves what, though none of them was lost")
    func unknown() {
        var connections = ClusterConnections()
        #expect(connections.known() == nil)
        #expect(connections.settled(Self.one) == .connected)
        #expect(connections.unknown(Self.silence) == .failed(Self.silence))
        #expect(connections.settled(Self.two) == nil)
        #expect(connections.known() == .connected)
        #expect(connections.known() == nil)
    }

    /// Every event in every state: who was told the last is told what is true.
    @Test("are told as they are, whatever comes in whatever order", arguments: 0..<50 as Range<UInt64>)
    func walk(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var connections = ClusterConnections()
        var (missing, isUnknown, told): (Set<RedisEndpoint>, Bool, RedisConnectionChange?) = ([], false, nil)
        for _ in 0..<200 {
            let node = Bool.random(using: &random) ? Self.one : Self.two
            let change: RedisConnectionChange?
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                missing.insert(node)
                change = connections.changed(.lost("gone"), node)
            case 1:
                missing.insert(node)
                change = connections.changed(.failed(Self.silence), node)
            case 2, 3:
                missing.remove(node)
                change = connections.settled(node)
            case 4:
                isUnknown = true
                change = connections.unknown(Self.silence)
            default:
                isUnknown = false
                change = connections.known()
            }
            told = change ?? told
            #expect((told == .connected) == (missing.isEmpty && !isUnknown && told != nil))
        }
    }
}
