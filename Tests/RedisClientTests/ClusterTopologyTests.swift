import Testing

@testable import RedisClient

@Suite("Slots of a cluster")
struct ClusterTopologyTests {
    @Test(
        "are those of the cluster specification",
        arguments: [
            // The checksum that the specification gives for these digits is 0x31C3.
            ("123456789", 0x31C3), ("", 0), ("{user1000}.following", 3443), ("{user1000}.followers", 3443),
            ("foo{}{bar}", 8363), ("foo{{bar}}zap", 4015), ("foo{bar}{zap}", 5061), ("bar", 5061), ("foo", 12182),
        ]
    )
    func slots(_ key: String, _ slot: Int) { #expect(HashSlot.of(key) == slot) }

    @Test(
        "are those of a command's first key",
        arguments: [
            (["GET", "foo"], "foo"), (["get", "foo"], "foo"), (["FCALL", "f", "1", "foo", "bar"], "foo"),
            (["FCALL_RO", "f", "2", "foo", "bar"], "foo"), (["EVALSHA", "x", "1", "foo"], "foo"),
            (["FCALL", "f", "0"], nil),
            (["FCALL", "f"], nil), (["PING"], nil), (["SCAN", "0"], nil), (["INFO"], nil), (["CLUSTER", "SLOTS"], nil),
            (["PUBLISH", "foo", "x"], nil), (["SPUBLISH", "foo", "x"], "foo"), (["MEMORY", "USAGE", "foo"], "foo"),
            (["XREAD", "COUNT", "1", "STREAMS", "foo", "0"], "foo"), (["XREAD", "COUNT"], nil), (["GET"], nil),
            (["ZUNION", "2", "foo", "bar"], "foo"), (["BLMPOP", "0", "1", "foo", "LEFT"], "foo"),
        ] as [([String], String?)]
    )
    func commands(_ words: [String], _ key: String?) {
        var command = RedisCommand(words[0])
        for word in words.dropFirst() { command.append(word) }
        #expect(command.slot == key.map { HashSlot.of($0) })
    }

    private static let asked = RedisEndpoint(host: "10.0.0.9", port: 7000)

    private static func text(_ text: String) -> RedisValue { .bytes(Array(text.utf8)) }

    private static func range(_ first: Int, _ last: Int, _ hosts: [(String?, Int)]) -> RedisValue {
        .array(
            [.integer(first), .integer(last)]
                + hosts.map { .array([$0.map(text) ?? .null, .integer($1), text("id"), .array([])]) }
        )
    }

    @Test("are read from what a node answers")
    func answer() throws {
        let reply = RedisValue.array([
            Self.range(0, 5460, [("10.0.0.1", 7000), ("10.0.0.4", 7003)]),
            Self.range(5461, 16382, [("", 7001)]), Self.range(16383, 16383, [(nil, 7002)]),
        ])
        let facts = "cluster_enabled:1\r\ncluster_state:ok\r\ncluster_current_epoch:6\r\n"
        let topology = try #require(ClusterTopology(info: facts, slots: reply, asked: Self.asked))
        #expect((topology.epoch, topology.isWhole) == (6, true))
        #expect(topology.owner(of: 5460) == RedisEndpoint(host: "10.0.0.1", port: 7000))
        // A node that does not know its own address leaves it out.
        #expect(topology.owner(of: 5461) == RedisEndpoint(host: "10.0.0.9", port: 7001))
        #expect(topology.owner(of: 16383) == RedisEndpoint(host: "10.0.0.9", port: 7002))
        #expect(topology.uncovered.isEmpty && topology.primaries.count == 3)
        #expect(topology.replicas[RedisEndpoint(host: "10.0.0.1", port: 7000)]?.map(\.port) == [7003])
    }

    @Test(
        "are unknown after an answer that is none",
        arguments: [
            RedisValue.null, .status("OK"), .array([.integer(1)]), .array([range(5, 4, [("h", 1)])]),
            .array([range(0, 16384, [("h", 1)])]), .array([range(-1, 4, [("h", 1)])]), .array([range(0, 4, [])]),
            .array([range(0, 4, [("h", 0)])]), .array([range(0, 4, [("h", 65536)])]),
        ]
    )
    func nonsense(_ reply: RedisValue) {
        #expect(ClusterTopology(info: "cluster_state:ok", slots: reply, asked: Self.asked) == nil)
    }

    @Test("that nobody serves are known")
    func uncovered() throws {
        let reply = RedisValue.array([Self.range(0, 16000, [("h", 1)])])
        let topology = try #require(ClusterTopology(info: "cluster_state:fail", slots: reply, asked: Self.asked))
        #expect(!topology.isWhole && topology.uncovered == Array(16001...16383))
        #expect(topology.owner(of: 16001) == nil)
        let none = try #require(ClusterTopology(info: "", slots: .array([]), asked: Self.asked))
        #expect(none.uncovered.count == HashSlot.count && none.primaries.isEmpty)
    }

    @Test("that moved are told from those that stayed")
    func moves() throws {
        let reply = RedisValue.array([Self.range(0, 16383, [("h", 1)])])
        let before = try #require(ClusterTopology(info: "", slots: reply, asked: Self.asked))
        var after = before
        after.move(7, to: RedisEndpoint(host: "g", port: 2))
        #expect(after.slotsMoved(since: before) == [7])
        #expect(after.slots(of: RedisEndpoint(host: "g", port: 2)) == [7])
        #expect(after.primaries.count == 2)
    }

    @Test(
        "are learned from refusals",
        arguments: [
            ("MOVED 3999 10.0.0.1:6381", .moved(slot: 3999, to: RedisEndpoint(host: "10.0.0.1", port: 6381))),
            ("MOVED 3999 :6381", .moved(slot: 3999, to: RedisEndpoint(host: "10.0.0.9", port: 6381))),
            ("MOVED 3999 ?:6381", .moved(slot: 3999, to: RedisEndpoint(host: "10.0.0.9", port: 6381))),
            ("MOVED 3999 ::1:6381", .moved(slot: 3999, to: RedisEndpoint(host: "::1", port: 6381))),
            ("ASK 3999 h:6381", .ask(RedisEndpoint(host: "h", port: 6381))),
            ("TRYAGAIN Multiple keys request during rehashing of slot", .notNow),
            ("CLUSTERDOWN Hash slot not served", .notNow), ("LOADING Redis is loading", .notNow),
            ("MASTERDOWN Link with MASTER is down", .notNow), ("READONLY You can't write", .notNow),
            ("MOVED", nil), ("MOVED x h:1", nil), ("MOVED 16384 h:1", nil), ("MOVED 1 h", nil), ("MOVED 1 h:0", nil),
            ("ERR unknown command", nil), ("TODOMATE_INVALID no", nil), ("CROSSSLOT Keys in request", nil), ("", nil),
        ] as [(String, ClusterRefusal?)]
    )
    func refusals(_ message: String, _ refusal: ClusterRefusal?) {
        #expect(ClusterRefusal(RedisServerError(message: message), asked: Self.asked) == refusal)
    }
}
