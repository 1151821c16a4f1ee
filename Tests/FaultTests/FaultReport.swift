/// What a run did, and what it found wrong.
struct FaultReport: CustomStringConvertible {
    var faults: [Fault: Int]
    var acknowledged: Int
    var unanswered: Int
    var changes: Int
    var snapshots: Int
    var connects: Int
    /// How often workers' connections to Redis were lost.
    var reconnects: Int
    /// From the end of the last write to the moment when all views agreed.
    var converged: Duration
    var objections: [String]

    var description: String {
        let list = faults.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
        return """
            faults: \(list.joined(separator: ", "))
            writes: \(acknowledged) acknowledged, \(unanswered) without an answer
            readers: \(changes) changes and \(snapshots) snapshots over \(connects) connections; workers lost Redis \(reconnects) times
            all views equal to Redis \(converged) after the last write
            \(objections.isEmpty ? "nothing is wrong" : "WRONG:\n" + objections.prefix(40).joined(separator: "\n"))
            """
    }
}
