import EventLoop
package import RedisClient

/// How much of a cluster serves at a moment, as its primaries say.
package struct ClusterCondition: Equatable, Sendable {
    /// The primaries that answer; also those that refuse all keys.
    package var answering = 0
    /// Those among them that refuse all keys: for them the cluster is not whole enough.
    package var refusing = 0
    /// Those among them that have no function library, by name.
    package var withoutFunctions: [String] = []
    /// The primaries that do not answer this process, and why.
    package var silent: [String] = []
    /// How many slots they have, as far as this process knows.
    package var slotsSilent = 0
    /// The slots that are out of reach for everybody, by what the nodes that serve say.
    package var slotsMissing = 0

    /// A cluster of which nothing is known.
    package init() {}

    /// Why nothing can be served; nil when something can.
    package var objection: String? {
        if answering == 0 { return "no node of the cluster answers" + (silent.first.map { ": \($0)" } ?? "") }
        guard refusing == answering else { return nil }
        return
            "all nodes of the cluster that answer refuse, as it is not whole: redis-cli --cluster check names what is missing"
    }

    /// What part cannot be served, to anybody; nil when all can.
    package var limitation: String? {
        guard slotsMissing > 0 else { return nil }
        return
            "\(slotsMissing) of \(HashSlot.count) slots of the cluster are out of reach, and the todos of their users with them"
    }

    /// Whether more is out of this process's reach than is out of everybody's.
    package var isAlone: Bool { slotsSilent > slotsMissing }

    /// Whether nobody can be served before the function library is loaded.
    package var lacksFunctions: Bool { answering > 0 && withoutFunctions.count == answering }

    /// Where the function library is missing though others have it; nil when all that answer have it.
    package var partWithoutFunctions: String? {
        guard !withoutFunctions.isEmpty, !lacksFunctions else { return nil }
        return
            "the function library is missing at \(withoutFunctions.joined(separator: ", ")): \(FunctionLoader.advice)"
    }

    /// Asks all primaries at once; one that is silent for longer than `patience` counts as one that does not answer.
    @LoopActor
    package static func of(_ client: RedisClient, within patience: Duration) async throws(RedisError) -> Self {
        let deadline = ContinuousClock.now + patience
        let answers = try await client.primaries().map { node in
            let slots = node.endpoint.flatMap { client.directory?.topology.slots(of: $0).count } ?? 0
            return Task { @LoopActor in await Answer(of: node, with: slots, by: deadline) }
        }
        var condition = ClusterCondition()
        for answer in answers { condition.add(await answer.value) }
        return condition
    }

    private mutating func add(_ answer: Answer) {
        if let silence = answer.silence {
            silent.append(silence)
            slotsSilent += answer.slots
            return
        }
        answering += 1
        if !answer.hasFunctions { withoutFunctions.append(answer.name) }
        if answer.refuses { refusing += 1 } else { slotsMissing = max(slotsMissing, answer.slotsFailing) }
    }
}

/// What one primary says.
private struct Answer: Sendable {
    let name: String
    /// How many slots it has.
    let slots: Int
    /// Why it does not answer; nil when it does.
    var silence: String?
    var refuses = false
    var hasFunctions = true
    /// The slots that nobody serves, or whose primary is down or seems to be.
    var slotsFailing = 0

    @LoopActor
    init(of node: RedisNode, with slots: Int, by deadline: ContinuousClock.Instant) async {
        self.slots = slots
        name = "\(node.url)"
        do throws(RedisError) {
            let text = try await node.send(RedisCommand("CLUSTER", "INFO"), by: deadline).string ?? ""
            let numbers = text.matches(of: /cluster_slots_(\w+):(\d+)/).map { (String($0.1), Int($0.2) ?? 0) }
            let slots = Dictionary(numbers) { $1 }
            refuses = text.contains("cluster_state:fail")
            slotsFailing =
                HashSlot.count - (slots["assigned"] ?? HashSlot.count) + (slots["fail"] ?? 0) + (slots["pfail"] ?? 0)
            _ = try await node.send(RedisCommand("FCALL_RO", "todomate_version", "0"), by: deadline)
        } catch .server(let error) {
            hasFunctions = !RedisError.server(error).isMissingFunction
        } catch {
            silence = "\(name): \(error.reason)"
        }
    }
}
