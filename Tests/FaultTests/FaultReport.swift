/// What a run did, and what it found wrong.
struct FaultReport: CustomStringConvertible {
    var table: FaultTable
    var workerLogs: [WorkerLogLine]
    /// What Redis answered to the commands that brought the faults about, by their first two words.
    var answers: [String: String]
    /// How often the nodes of a cluster told that a fault had happened.
    var marks: [Fault: Int]
    /// How many bytes the proxies held up.
    var hinderedBytes: Int
    var acknowledged: Int
    var unanswered: Int
    var conditions: Writer.Counts
    var changes: Int
    var snapshots: Int
    /// How many states were seen, each by its id.
    var states: Int
    var connects: Int
    /// How many readers there were.
    var readers: Int
    /// From the healing of the last fault to the moment when all views agreed.
    var converged: Duration
    /// How many small things went wrong beside the faults, by what they were.
    var disturbances: [Disturbance: Int]
    var boards: Int
    var boardEvents: Int
    /// How many changes of what is between viewers and owners were asked for.
    var mixed: Int
    var objections: [String]

    /// How often workers' connections for commands were lost.
    var reconnects: Int { workerLogs.count { if case .lostRedis = $0.event { true } else { false } } }

    /// Whether a worker lost its connection for messages.
    var lostMessages: Bool { workerLogs.contains { if case .lostMessages = $0.event { true } else { false } } }

    /// How often a fault happened, by the schedule.
    func count(of fault: Fault) -> Int { table.steps.count { $0.fault == fault } }

    private var disturbanceCounts: String {
        disturbances.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
            .joined(separator: ", ")
    }

    var description: String {
        """
        \(table)
        convergence: from a fault's healing until every reader and model equals Redis, in those cases in which writers held
        for it; the columns from "alone" on add up what was seen in those that also began in calm
        \(table.steps.count) faults, and beside them \(disturbances.values.reduce(0, +)) disturbances: \(disturbanceCounts)
        \(marks.values.reduce(0, +)) of \(Fault.ofCluster.map(count).reduce(0, +)) faults of a cluster were told by its nodes afterwards
        writes: \(acknowledged) acknowledged, \(unanswered) without an answer
        conditions: \(conditions.kept) writes on that of the last answer carried out, \(conditions.refused) refused; \
        \(conditions.former) requests on that of what is gone, \(conditions.formerOfOther) of them of a todo that is there; \
        \(conditions.repeated) writes said again
        \(readers) readers: \(changes) changes and \(snapshots) snapshots over \(connects) connections, \(states) states by their ids; workers lost Redis \(reconnects) times
        \(boards) boards, and as many opened anew each time: \(boardEvents) events; \(mixed) changes of relations and audiences
        all views equal to Redis \(converged) after the end; at worst \(table.slowest.map { "\($0)" } ?? "–") after a fault
        \(objections.isEmpty ? "nothing is wrong" : "WRONG:\n" + objections.prefix(40).joined(separator: "\n") + "\n" + table.timeline)
        """
    }
}
