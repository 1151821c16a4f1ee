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
        let topology = try #require(ClusterTopology(info: facts, nodes: "", slots: reply, asked: Self.asked))
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
        #expect(ClusterTopology(info: "cluster_state:ok", nodes: "", slots: reply, asked: Self.asked) == nil)
    }

    @Test("that nobody serves are known")
    func uncovered() throws {
        let reply = RedisValue.array([Self.range(0, 16000, [("h", 1)])])
        let topology = try #require(
            ClusterTopology(info: "cluster_state:fail", nodes: "", slots: reply, asked: Self.asked)
        )
        #expect(!topology.isWhole && topology.uncovered == Array(16001...16383))
        #expect(topology.owner(of: 16001) == nil)
        let none = try #require(ClusterTopology(info: "", nodes: "", slots: .array([]), asked: Self.asked))
        #expect(none.uncovered.count == HashSlot.count && none.primaries.isEmpty)
    }

    @Test("that moved are told from those that stayed")
    func moves() throws {
        let reply = RedisValue.array([Self.range(0, 16383, [("h", 1)])])
        let before = try #require(ClusterTopology(info: "", nodes: "", slots: reply, asked: Self.asked))
        var after = before
        after.move(7, to: RedisEndpoint(host: "g", port: 2))
        #expect(after.slotsMoved(since: before) == [7])
        #expect(after.slots(of: RedisEndpoint(host: "g", port: 2)) == [7])
        #expect(after.primaries.count == 2)
    }

    /// What is known of the only slot that anybody serves, and what one node answers then.
    struct Answer: Sendable, CustomTestStringConvertible {
        /// Whether it was a redirection that named who is known, and nobody was asked since.
        var isByWord = false
        /// What else the node says of who is known: `master`, `slave`, `master,fail`; nil where it does not know it.
        var state: String?
        /// Who serves the slot, and since which epoch, by the answer.
        var owner: String?
        var epoch = 0
        var expected: String?

        var testDescription: String { "\(isByWord) \(state ?? "-") \(owner ?? "-")@\(epoch)" }
    }

    /// Of `a`, which has served since epoch 5, or of which a redirection says so after `b` had since epoch 4.
    @Test(
        "do not go back to who served them in an earlier epoch",
        arguments: [false, true].flatMap { isByWord in
            [
                // The same node, whatever it says of its epoch.
                Answer(isByWord: isByWord, state: "master", owner: "a", epoch: 5, expected: "a"),
                Answer(isByWord: isByWord, state: "master", owner: "a", epoch: 3, expected: "a"),
                Answer(isByWord: isByWord, state: "master", owner: "a", epoch: 9, expected: "a"),
                // Another one: before, at the same time, later.
                Answer(isByWord: isByWord, state: "slave", owner: "b", epoch: 4, expected: "a"),
                Answer(isByWord: isByWord, state: "master", owner: "b", epoch: 4, expected: "a"),
                Answer(isByWord: isByWord, state: "master", owner: "b", epoch: 5, expected: "b"),
                Answer(isByWord: isByWord, state: "slave", owner: "b", epoch: 6, expected: "b"),
                // Who is known is dead, by what most say: an operator gave the slot away.
                Answer(isByWord: isByWord, state: "master,fail", owner: "b", epoch: 4, expected: "b"),
                // That one node alone has heard nothing of it proves nothing.
                Answer(isByWord: isByWord, state: "master,fail?", owner: "b", epoch: 4, expected: "a"),
                // Another cluster, which counts from the beginning; a redirection does not tell an id to know it by.
                Answer(isByWord: isByWord, state: nil, owner: "b", epoch: 1, expected: isByWord ? "a" : "b"),
                // Nobody serves it.
                Answer(isByWord: isByWord, state: "master", owner: nil, expected: nil),
            ]
        }
    )
    func epochs(_ answer: Answer) throws {
        func topology(_ owner: String?, _ lines: [String]) throws -> ClusterTopology {
            let range = owner.map { RedisValue.array([.integer(0), .integer(0), Self.node($0)]) }
            let nodes = lines.joined(separator: "\n")
            return try #require(
                ClusterTopology(
                    info: "cluster_state:ok",
                    nodes: nodes,
                    slots: .array([range].compactMap { $0 }),
                    asked: Self.asked
                )
            )
        }
        var known = try topology("a", [Self.line("a", "master", 5), Self.line("b", "slave", 5)])
        if answer.isByWord {
            known = try topology("b", [Self.line("a", "slave", 4), Self.line("b", "master", 4)])
            known.move(0, to: RedisEndpoint(host: "a", port: 1))
        }
        var lines = [answer.state.map { Self.line("a", $0, answer.owner == "a" ? answer.epoch : 4) }].compactMap { $0 }
        lines.append(Self.line("b", "master", answer.epoch))
        let said = try topology(answer.owner, lines).brought(upTo: known)
        #expect(said.owner(of: 0)?.host == answer.expected)
        // It holds for what the same node says once more, too.
        let again = try topology(answer.owner, lines).brought(upTo: said)
        #expect(again.owner(of: 0)?.host == answer.expected)
        #expect(said.uncovered == again.uncovered && said.uncovered.count >= 16383)
    }

    private static func node(_ name: String) -> RedisValue {
        .array([text(name), .integer(1), text("id-\(name)"), .array([])])
    }

    private static func line(_ name: String, _ state: String, _ epoch: Int) -> String {
        "id-\(name) \(name):1@2 \(state) - 0 0 \(epoch) connected"
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
