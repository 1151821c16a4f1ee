import TestServers
import Testing

@testable import RedisClient

@Suite("The synchronizer of subscriptions")
struct SubscriptionSynchronizerTests {
    /// What a request is but for its number.
    private struct Plain: Equatable {
        let verb: ShardRequest.Verb
        let channels: [String]
    }

    private static func plain(_ taken: [(node: RedisEndpoint, request: ShardRequest)]) -> [Plain] {
        taken.map { Plain(verb: $0.request.verb, channels: $0.request.channels) }
    }

    /// Any fence that was sent, and all before.
    private static let last = Int.max

    private static let (one, two, three) = (
        RedisEndpoint(host: "one", port: 1), RedisEndpoint(host: "two", port: 2), RedisEndpoint(host: "three", port: 3)
    )

    private static func topology(_ owners: [(String, RedisEndpoint)]) -> ClusterTopology {
        var topology = ClusterTopology()
        for (name, owner) in owners { topology.move(HashSlot.of(name), to: owner) }
        return topology
    }

    /// A machine with a channel that is open at the first node.
    private static func open(_ names: String..., others: [(String, RedisEndpoint)] = []) -> SubscriptionSynchronizer {
        var machine = SubscriptionSynchronizer()
        machine.topologyChanged(to: topology(names.map { ($0, one) } + others))
        for name in names { machine.want(name) }
        #expect(machine.takeNotices() == [.connect(one)])
        machine.connected(one)
        for (node, request) in machine.takeRequests() {
            #expect((node, request.verb) == (one, .subscribe))
            for name in request.channels { machine.subscribed(name, at: one) }
            machine.fencePassed(last, at: one)
        }
        #expect(
            Set(machine.takeNotices().map { "\($0)" })
                == Set(names.map { "\(SubscriptionSynchronizer.Notice.opened($0, at: one))" })
        )
        #expect(machine.unsettledCount == 0)
        return machine
    }

    @Test("waits for the topology, then for the connection")
    func beginning() {
        var machine = SubscriptionSynchronizer()
        machine.want("a")
        #expect(machine.takeNotices().isEmpty && machine.takeRequests().isEmpty)
        #expect(machine.unsettledCount == 1)
        machine.topologyChanged(to: Self.topology([("a", Self.one)]))
        #expect(machine.takeNotices() == [.connect(Self.one)])
        #expect(machine.takeRequests().isEmpty)
        machine.connected(Self.one)
        #expect(Self.plain(machine.takeRequests()) == [Plain(verb: .subscribe, channels: ["a"])])
        // What is under way is not asked for again.
        machine.topologyChanged(to: Self.topology([("a", Self.one), ("b", Self.two)]))
        machine.retry()
        #expect(machine.takeRequests().isEmpty)
    }

    @Test("puts the channels of a slot into one request, and those of others into others")
    func batches() {
        var machine = SubscriptionSynchronizer()
        machine.topologyChanged(to: Self.topology([("{0}", Self.one), ("{1}", Self.one)]))
        for number in 0..<1200 { machine.want("\(number){0}") }
        for number in 0..<3 { machine.want("\(number){1}") }
        _ = machine.takeNotices()
        machine.connected(Self.one)
        let requests = machine.takeRequests().map(\.request)
        #expect(requests.map(\.channels.count).sorted() == [3, 200, 500, 500])
        #expect(requests.allSatisfy { Set($0.channels.map { HashSlot.of($0) }).count == 1 })
    }

    @Test("subscribes at the new node before it gives the old one up")
    func takeover() {
        var machine = Self.open("a", others: [("b", Self.one), ("c", Self.two)])
        machine.topologyChanged(to: Self.topology([("a", Self.two), ("b", Self.one), ("c", Self.two)]))
        // What the old one may still publish does not fit what is read from now on.
        #expect(machine.takeNotices() == [.lost("a"), .connect(Self.two)])
        machine.connected(Self.two)
        #expect(machine.takeRequests().map(\.node) == [Self.two])
        machine.subscribed("a", at: Self.two)
        // What was published at the new node before this is in the log alone.
        #expect(machine.takeNotices() == [.opened("a", at: Self.two)])
        #expect(machine.takeRequests().map { "\($0.node) \($0.request.verb)" } == ["one:1 unsubscribe"])
        machine.fencePassed(Self.last, at: Self.two)
        machine.unsubscribed("a", at: Self.one)
        machine.fencePassed(Self.last, at: Self.one)
        #expect(machine.takeNotices().isEmpty && machine.unsettledCount == 0)
    }

    @Test("says that a channel is lost when a node takes it away, and asks who serves it now")
    func pushed() {
        var machine = Self.open("a", others: [("b", Self.two)])
        machine.unsubscribed("a", at: Self.one)
        #expect(machine.takeNotices() == [.refresh, .lost("a")])
        // Not at the same node again, until there is something new to know.
        #expect(machine.takeRequests().isEmpty && machine.isPaused)
        machine.topologyChanged(to: Self.topology([("a", Self.two), ("b", Self.two)]))
        #expect(machine.takeNotices() == [.connect(Self.two), .disconnect(Self.one)])
        machine.connected(Self.two)
        #expect(machine.takeRequests().map(\.request.channels) == [["a"]])
    }

    @Test("does not take a pushed end for the answer to its own request, in either order", arguments: [true, false])
    func race(_ isRefused: Bool) {
        var machine = Self.open("a", "b{a}")
        machine.unwant("a")
        #expect(machine.takeRequests().map(\.request.verb) == [.unsubscribe])
        // The slot moves: the node ends both subscriptions by itself, and only then reads the request.
        machine.unsubscribed("a", at: Self.one)
        machine.unsubscribed("b{a}", at: Self.one)
        if isRefused { machine.refused(at: Self.one) } else { machine.unsubscribed("a", at: Self.one) }
        machine.fencePassed(Self.last, at: Self.one)
        machine.retry()
        #expect(Self.plain(machine.takeRequests()) == [Plain(verb: .subscribe, channels: ["b{a}"])])
        machine.subscribed("b{a}", at: Self.one)
        machine.fencePassed(Self.last, at: Self.one)
        #expect(machine.place(of: "b{a}") == Self.one && machine.unsettledCount == 0)
    }

    @Test("asks again for what was refused only after a while, or after a move")
    func refused() {
        var machine = SubscriptionSynchronizer()
        machine.topologyChanged(to: Self.topology([("a", Self.one)]))
        machine.want("a")
        machine.connected(Self.one)
        #expect(machine.takeNotices() == [.connect(Self.one)])
        machine.connected(Self.one)
        for _ in 0..<5 {
            #expect(machine.takeRequests().count == 1)
            machine.refused(at: Self.one)
            machine.fencePassed(Self.last, at: Self.one)
            #expect(machine.takeNotices() == [.refresh])
            #expect(machine.takeRequests().isEmpty && machine.isPaused)
            machine.retry()
        }
        #expect(machine.takeRequests().count == 1)
    }

    @Test("is not sent to and fro by nodes that each name the other, and looks again after a while")
    func toAndFro() {
        var machine = SubscriptionSynchronizer()
        machine.topologyChanged(to: Self.topology([("a", Self.one), ("b", Self.two)]))
        for name in ["a", "b"] { machine.want(name) }
        for node in [Self.one, Self.two] { machine.connected(node) }
        #expect(machine.takeRequests().count == 2)
        machine.subscribed("b", at: Self.two)
        machine.fencePassed(Self.last, at: Self.two)
        for _ in 0..<3 {
            machine.refused(at: Self.one)
            machine.topologyChanged(to: Self.topology([("a", Self.two), ("b", Self.two)]))
            machine.fencePassed(Self.last, at: Self.one)
            // Who has not refused is asked at once.
            #expect(machine.takeRequests().map(\.node) == [Self.two])
            machine.refused(at: Self.two)
            machine.topologyChanged(to: Self.topology([("a", Self.one), ("b", Self.two)]))
            machine.fencePassed(Self.last, at: Self.two)
            #expect(machine.takeRequests().isEmpty && machine.isPaused)
            machine.retry()
            #expect(machine.takeRequests().map(\.node) == [Self.one])
        }
    }

    @Test("does not wait for ever when the fence is refused as well, and takes no other request for that one")
    func refusedFence() {
        var machine = Self.open("a", others: [("b", Self.one), ("c", Self.one)])
        machine.want("b")
        let first = machine.takeRequests()[0].request
        machine.refused(at: Self.one)  // the request
        machine.refused(at: Self.one)  // its fence
        machine.want("c")
        let second = machine.takeRequests()[0].request
        #expect(machine.openFences.map(\.number) == [second.number])
        machine.subscribed("c", at: Self.one)
        machine.fencePassed(second.number, at: Self.one)
        #expect(first.number < second.number && machine.place(of: "c") == Self.one)
        machine.retry()
        #expect(Self.plain(machine.takeRequests()) == [Plain(verb: .subscribe, channels: ["b"])])
    }

    @Test("keeps a subscription that is given up and wanted again within a turn")
    func secondThoughts() {
        var machine = Self.open("a")
        machine.unwant("a")
        machine.want("a")
        #expect(machine.takeNotices() == [.opened("a", at: Self.one)])
        #expect(machine.takeRequests().isEmpty)
    }

    @Test("waits for its own request to end before it asks for the opposite")
    func opposite() {
        var machine = Self.open("a")
        machine.unwant("a")
        #expect(machine.takeRequests().count == 1)
        machine.want("a")
        #expect(machine.takeRequests().isEmpty && machine.place(of: "a") == nil)
        machine.unsubscribed("a", at: Self.one)
        machine.fencePassed(Self.last, at: Self.one)
        #expect(machine.takeRequests().map(\.request.verb) == [.subscribe])
    }

    @Test("forgets what nobody wants and no node holds")
    func forgotten() {
        var machine = Self.open("a")
        machine.unwant("a")
        _ = machine.takeRequests()
        machine.unsubscribed("a", at: Self.one)
        machine.fencePassed(Self.last, at: Self.one)
        #expect(machine.unsettledCount == 0)
        machine.disconnected(Self.one)
        machine.connected(Self.one)
        #expect(machine.takeRequests().isEmpty)
    }

    @Test("keeps an old subscription while nobody serves the slot")
    func uncovered() {
        var machine = Self.open("a", others: [("b", Self.one)])
        machine.topologyChanged(to: Self.topology([("b", Self.one)]))
        #expect(machine.takeNotices().isEmpty && machine.takeRequests().isEmpty)
        #expect(machine.place(of: "a") == Self.one)
    }

    @Test("opens a channel again where it was, when the slot comes back before anybody else holds it")
    func back() {
        var machine = Self.open("a", others: [("b", Self.two)])
        machine.topologyChanged(to: Self.topology([("a", Self.two), ("b", Self.two)]))
        #expect(machine.takeNotices() == [.lost("a"), .connect(Self.two)])
        machine.topologyChanged(to: Self.topology([("a", Self.one), ("b", Self.two)]))
        #expect(machine.takeNotices() == [.opened("a", at: Self.one)])
    }

    @Test("does not open a channel that a node confirms after its slot has gone")
    func lateConfirmation() {
        var machine = SubscriptionSynchronizer()
        machine.topologyChanged(to: Self.topology([("a", Self.one), ("b", Self.one), ("c", Self.two)]))
        machine.want("a")
        machine.connected(Self.one)
        #expect(machine.takeRequests().count == 1)
        machine.topologyChanged(to: Self.topology([("a", Self.two), ("b", Self.one), ("c", Self.two)]))
        machine.subscribed("a", at: Self.one)
        #expect(machine.takeNotices() == [.connect(Self.one), .connect(Self.two)])
        #expect(machine.place(of: "a") == nil)
    }

    @Test("drops the connection to a node that has left, once the others hold what it held")
    func leaver() {
        var machine = Self.open("a", "b")
        machine.topologyChanged(to: Self.topology([("a", Self.two), ("b", Self.three)]))
        #expect(
            Set(machine.takeNotices().map { "\($0)" })
                == ["lost(\"a\")", "lost(\"b\")", "connect(two:2)", "connect(three:3)"]
        )
        machine.connected(Self.two)
        machine.connected(Self.three)
        _ = machine.takeRequests()
        machine.subscribed("a", at: Self.two)
        #expect(machine.takeNotices() == [.opened("a", at: Self.two)])
        machine.subscribed("b", at: Self.three)
        #expect(machine.takeNotices() == [.opened("b", at: Self.three), .disconnect(Self.one)])
        #expect(machine.takeRequests().isEmpty)
    }

    /// What can happen to one channel at two nodes, in every order up to this length.
    @Test(
        "holds every subscription where it belongs, and misses no message, after every short history",
        arguments: ModelCluster.beginnings
    )
    func everyHistory(_ name: String, _ events: [ModelCluster.Event]) {
        var model = ModelCluster()
        for event in events { model.apply(event) }
        let (count, failure) = model.histories(ModelCluster.isEmptyOrRewound(name) ? 4 : 3)
        #expect(failure == nil, "from \(name): \(failure ?? "")")
        #expect(count > 100)
    }

    /// Random histories of everything that can happen, in every order that the network allows.
    @Test(
        "holds every subscription where it belongs, and misses no message, in the end",
        arguments: 0..<10 as Range<UInt64>
    )
    func walk(_ part: UInt64) {
        for seed in part * 100..<(part + 1) * 100 {
            var model = ModelCluster(seed: seed)
            for _ in 0..<150 where model.faults.isEmpty { model.step() }
            if model.faults.isEmpty { model.settle() }
            let findings = model.findings()
            guard findings.isEmpty else {
                Issue.record("seed \(seed): \(findings)")
                return
            }
        }
    }
}
