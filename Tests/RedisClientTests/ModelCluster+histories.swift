@testable import RedisClient

/// Every short history of one channel, or two of one slot, at two nodes.
extension ModelCluster {
    /// Where histories begin: nothing is wanted, known, connected or answered yet; then what is open, given up, gone, or back where
    /// it was.
    static let beginnings: [(name: String, events: [Event])] = {
        let (one, two, slot, channel) = (nodes[0], nodes[1], slots[0], channels[0])
        let asked: [Event] = [.learn, .want(channel), .connect(one)]
        let open = asked + [.serve(one), .hear(one), .hear(one)]
        let following = open + [.move(slot, to: two), .hear(one), .learn]
        return [
            ("empty", []), ("wanted", [.want(channel)]), ("known", [.learn, .want(channel)]), ("asked", asked),
            ("open", open), ("given up", open + [.unwant(channel)]), ("two", open + [.want(channels[1])]),
            ("refused", asked + [.turnDown(slot), .serve(one), .hear(one), .hear(one)]),
            ("sent on", asked + [.turnDown(slot), .serve(one), .hear(one), .sendOn(slot, to: two), .connect(two)]),
            ("gone", open + [.move(slot, to: two)]), ("following", following),
            ("there", following + [.connect(two), .serve(two), .hear(two)]),
            ("back unseen", open + [.move(slot, to: two), .move(slot, to: one)]),
            ("back", following + [.move(slot, to: one), .learn]), ("replaced", open + [.replace(slot, by: two)]),
        ]
    }()

    /// Those from which histories go one event further.
    static func isEmptyOrRewound(_ name: String) -> Bool { ["empty", "wanted", "back"].contains(name) }

    /// What can happen now, and changes anything.
    var possible: [Event] {
        let (slot, channel) = (Self.slots[0], Self.channels[0])
        var events: [Event] = [wanted.contains(channel) ? .unwant(channel) : .want(channel), .turnDown(slot)]
        for node in Self.nodes[..<2] {
            if owners[slot] != node { events += [.move(slot, to: node), .replace(slot, by: node)] }
            guard let connection = connections[node] else { continue }
            events.append(connection.isUp ? .disconnect(node) : .connect(node))
            if !connection.requests.isEmpty || !connection.fences.isEmpty { events.append(.serve(node)) }
            if !connection.words.isEmpty { events.append(.hear(node)) }
        }
        if unaware[slot]?.isEmpty == false { events += [.becomeAware(slot), .publishFalsely(channel)] }
        if known != owners { events.append(.learn) }
        if machine.isPaused || !machine.openFences.isEmpty { events.append(.beat) }
        return events
    }

    /// Goes through all histories of so many more events, with something published after each, and settles all of them.
    ///
    /// - Returns: how many there were, and the first that ends as it must not.
    func histories(_ length: Int, after path: [Event] = []) -> (count: Int, failure: String?) {
        var end = self
        if faults.isEmpty { end.settle() }
        let findings = end.findings()
        guard findings.isEmpty else { return (1, "\(path): \(findings)") }
        guard length > 0 else { return (1, nil) }
        var count = 1
        for event in possible {
            var next = self
            next.apply(event)
            next.apply(.publish(Self.channels[0]))
            let (number, failure) = next.histories(length - 1, after: path + [event])
            count += number
            if failure != nil { return (count, failure) }
        }
        return (count, nil)
    }
}
