/// What was found on one node of a cluster.
struct NodeFindings {
    /// Its host and port.
    let node: String
    let findings: [Finding]

    /// The most nodes that are named.
    private static let mostNamed = 3

    /// What was found on all nodes, in the order of the first: one line where all agree, or where all is well; otherwise each
    /// line names its nodes.
    static func together(_ parts: [NodeFindings]) -> [Finding] {
        var topics: [String] = []
        for finding in parts.flatMap(\.findings) where !topics.contains(finding.topic) { topics.append(finding.topic) }
        return topics.flatMap { topic in
            together(
                parts.map { NodeFindings(node: $0.node, findings: $0.findings.filter { $0.topic == topic }) },
                topic
            )
        }
    }

    private static func together(_ parts: [NodeFindings], _ topic: String) -> [Finding] {
        var distinct: [Finding] = []
        for finding in parts.flatMap(\.findings) where !distinct.contains(finding) { distinct.append(finding) }
        if distinct.count > 1, distinct.allSatisfy({ $0.severity == .ok }), let first = parts.first,
            parts.allSatisfy({ $0.findings.count == 1 })
        {
            let others = parts.count == 2 ? "the other node is" : "the \(parts.count - 1) other nodes are"
            return [.ok(topic, "\(first.node): \(first.findings[0].message); \(others) well, too")]
        }
        return distinct.map { finding in
            let nodes = parts.filter { $0.findings.contains(finding) }.map(\.node)
            return nodes.count == parts.count ? finding : finding.said(of: names(nodes))
        }
    }

    /// The first few of many names.
    static func names(_ all: [String]) -> String {
        let more = all.count > mostNamed ? " and \(all.count - mostNamed) more" : ""
        return all.prefix(mostNamed).joined(separator: ", ") + more
    }
}

extension Finding {
    /// The same of these nodes alone.
    fileprivate func said(of nodes: String) -> Finding {
        Finding(topic: topic, severity: severity, message: "\(nodes): \(message)", advice: advice)
    }

    /// A node of a cluster does not answer.
    static func silentNode(_ node: String, _ reason: String) -> Finding {
        .error("nodes", "\(node) does not answer: \(reason)", "start it again, or look into the network between")
    }

    /// Whether the todos cannot all be read while this is so.
    var keepsTodosFromSight: Bool { severity == .error && ["cluster", "nodes"].contains(topic) }
}
