/// A command about shard channels, all of one slot, to send to a node with a fence of its number behind it.
struct ShardRequest: Equatable {
    enum Verb { case subscribe, unsubscribe }

    let number: Int
    let verb: Verb
    let channels: [String]
}

/// What one node is to be asked about shard channels, and what it was asked and has not answered yet. No I/O.
struct ShardRequests {
    private struct Group: Hashable {
        let slot: Int
        let verb: ShardRequest.Verb
    }

    /// So many channels a command: enough to make the cost of a command vanish, few enough not to hold Redis up.
    static let channelsPerRequest = 500

    private var waiting: [Group: [String]] = [:]
    /// Requests whose fences have not come back.
    private var underWay: ArraySlice<ShardRequest> = []

    /// Whether there is anything to send.
    var isWaiting: Bool { !waiting.isEmpty }

    /// The request that is answered next.
    var oldest: ShardRequest? { underWay.first }

    /// The last one that was sent, and whose fence has not come back.
    var newest: ShardRequest? { underWay.last }

    /// All channels that a request is about, sent or not.
    var channels: Set<String> { Set(waiting.values.joined()).union(underWay.flatMap(\.channels)) }

    mutating func append(_ verb: ShardRequest.Verb, _ name: String, slot: Int) {
        waiting[Group(slot: slot, verb: verb), default: []].append(name)
    }

    /// Takes back what has not been sent.
    ///
    /// - Returns: whether it had not.
    mutating func withdraw(_ verb: ShardRequest.Verb, _ name: String, slot: Int) -> Bool {
        let group = Group(slot: slot, verb: verb)
        guard let index = waiting[group]?.firstIndex(of: name) else { return false }
        waiting[group]?.remove(at: index)
        if waiting[group]?.isEmpty == true { waiting[group] = nil }
        return true
    }

    /// What to send now.
    ///
    /// - Parameter lastNumber: of the requests so far.
    mutating func take(after lastNumber: inout Int) -> [ShardRequest] {
        var taken: [ShardRequest] = []
        for (group, names) in waiting {
            for start in stride(from: 0, to: names.count, by: Self.channelsPerRequest) {
                lastNumber += 1
                let part = names[start..<min(start + Self.channelsPerRequest, names.count)]
                taken.append(ShardRequest(number: lastNumber, verb: group.verb, channels: Array(part)))
            }
        }
        waiting = [:]
        underWay += taken
        return taken
    }

    /// The fence of a request has come back: that and all before are over.
    ///
    /// - Returns: the channels that they were about.
    mutating func finish(upTo number: Int) -> [String] {
        var finished: [String] = []
        while let request = underWay.first, request.number <= number {
            finished += request.channels
            underWay.removeFirst()
        }
        return finished
    }
}
