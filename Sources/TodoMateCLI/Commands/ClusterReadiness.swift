import TodoMateRedis

/// Whether a worker is ready whose cluster is not all there. No I/O.
///
/// What is out of reach for everybody is a limitation: all workers have the same cluster, and a load balancer that took them out
/// for it would end service for the users whose todos are there. What is out of reach for this worker alone is a reason to send
/// its users to others, once the nodes have had the time to find out that it is not gone for all.
struct ClusterReadiness {
    /// Longer than nodes usually wait before they call one of them failed, which is 15 s.
    static let patience = Duration.seconds(30)

    /// What cannot be served although the worker is ready.
    var limitation: String? { limitations.isEmpty ? nil : limitations.joined(separator: "; and ") }
    private var limitations: [String] = []
    private var troubledSince: ContinuousClock.Instant?

    /// Why the worker cannot serve; nil when it can.
    ///
    /// - Parameters:
    ///   - condition: what the nodes say now.
    ///   - loading: why the function library could not be loaded where it is missing; nil when it was, or is everywhere.
    ///   - trouble: why this worker receives no messages from some of them; nil when it does from all.
    mutating func objection(
        _ condition: ClusterCondition,
        loading: String? = nil,
        trouble: String?,
        at now: ContinuousClock.Instant = .now
    ) -> String? {
        limitations = []
        if let objection = condition.objection { return objection }
        if let loading {
            if condition.lacksFunctions { return loading }
            limitations += [condition.partWithoutFunctions].compactMap { $0 }
        }
        limitations += [condition.limitation].compactMap { $0 }
        guard let own = ownTrouble(condition, trouble) else {
            troubledSince = nil
            return nil
        }
        let since = troubledSince ?? now
        troubledSince = since
        if now - since >= Self.patience { return own }
        limitations.append(own)
        return nil
    }

    /// What this worker alone has no reach of.
    private func ownTrouble(_ condition: ClusterCondition, _ trouble: String?) -> String? {
        if condition.isAlone {
            return "a node does not answer this worker: \(condition.silent.joined(separator: "; "))"
        }
        // Of a node that is gone for everybody no messages come either.
        return condition.slotsMissing == 0 ? trouble : nil
    }
}
