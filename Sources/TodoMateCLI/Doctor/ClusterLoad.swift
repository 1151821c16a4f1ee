/// Findings about how evenly the primaries of a cluster bear its load.
enum ClusterLoad {
    private static let topic = "load"
    /// With less than this the share of a node says nothing.
    private static let (fewestKeys, leastMemory) = (1000, 64 << 20)

    static func findings(_ views: [ClusterView]) -> [Finding] {
        let serving = views.filter { !($0.itself?.slots.isEmpty ?? true) }
        guard serving.count > 1, let first = serving.first else { return [] }
        let advice = "redis-cli --cluster rebalance \(first.node)"
        var findings: [Finding] = []
        let slots = serving.map { ($0.node, $0.itself?.slotCount ?? 0) }
        if let heavy = heaviest(slots, over: 1.5) {
            findings.append(
                .note(topic, "\(heavy.node) serves \(heavy.amount) slots, \(heavy.times) times the mean", advice)
            )
        }
        let keys = serving.map { ($0.node, $0.keys) }
        if keys.map(\.1).reduce(0, +) >= fewestKeys, let heavy = heaviest(keys, over: 2) {
            findings.append(uneven("\(heavy.node) holds \(heavy.amount) keys, \(heavy.times) times the mean", advice))
        }
        let memory = serving.map { ($0.node, $0.facts.number("used_memory") ?? 0) }
        if let heavy = heaviest(memory, over: 2), heavy.amount >= leastMemory {
            findings.append(
                uneven("\(heavy.node) uses \(heavy.amount >> 20) MiB, \(heavy.times) times the mean", advice)
            )
        }
        return findings.isEmpty ? [.ok(topic, "slots and keys are spread evenly")] : findings
    }

    private static func uneven(_ message: String, _ advice: String) -> Finding {
        .warning(topic, message, "\(advice), with --cluster-weight where some nodes are to have less")
    }

    /// The one with the most, if that is more than so many times the mean.
    private static func heaviest(
        _ amounts: [(node: String, amount: Int)],
        over times: Double
    ) -> (node: String, amount: Int, times: String)? {
        let mean = Double(amounts.map(\.amount).reduce(0, +)) / Double(amounts.count)
        guard let most = amounts.max(by: { $0.amount < $1.amount }), mean > 0, Double(most.amount) > times * mean else {
            return nil
        }
        let tenths = Int((Double(most.amount) / mean * 10).rounded())
        return (most.node, most.amount, "\(tenths / 10).\(tenths % 10)")
    }
}
