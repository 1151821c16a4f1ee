import Foundation

/// What each fault did to readers, and how long it took until all agreed with Redis again.
struct FaultTable: CustomStringConvertible {
    /// When which fault began and was repaired, in order: what is wrong is found by the times in the objections.
    var timeline: String {
        steps.map {
            "\($0.begin.ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true))) to "
                + "\($0.end.ISO8601Format(.iso8601(timeZone: .gmt, includingFractionalSeconds: true))) \($0.fault.rawValue)"
        }
        .joined(separator: "\n")
    }

    /// What readers and workers went through, counted.
    struct Counts {
        var connects = 0
        /// Of these, how many went on where they had been.
        var resumes = 0
        var snapshots = 0
        /// How often workers read what they had missed from a log, and how many changes.
        var gapReads = 0
        var changesRead = 0
        /// How often workers had a user's observers start over.
        var resets = 0

        init() {}

        /// What came between two times of counting.
        init(from before: Counts, to after: Counts) {
            connects = after.connects - before.connects
            resumes = after.resumes - before.resumes
            snapshots = after.snapshots - before.snapshots
        }

        static func += (left: inout Counts, right: Counts) {
            left.connects += right.connects
            left.resumes += right.resumes
            left.snapshots += right.snapshots
            left.gapReads += right.gapReads
            left.changesRead += right.changesRead
            left.resets += right.resets
        }
    }

    /// One fault that happened.
    struct Step {
        var fault: Fault
        var begin: Date
        var end: Date
        /// Whether all agreed with Redis when it came, so that what was seen is this fault's doing alone.
        var beganInCalm: Bool
        /// From its healing until all agreed; nil when the next fault came before.
        var convergence: Duration?
        var seen: Counts
    }

    private(set) var steps: [Step] = []

    mutating func add(_ step: Step) { steps.append(step) }

    /// Adds what workers logged while a fault lasted.
    mutating func add(_ lines: [WorkerLogLine]) {
        for line in lines {
            guard let index = steps.firstIndex(where: { $0.begin <= line.time && line.time < $0.end }) else { continue }
            switch line.event {
            case .readChanges(let count):
                steps[index].seen.gapReads += 1
                steps[index].seen.changesRead += count
            case .reset: steps[index].seen.resets += 1
            case .lostRedis, .lostMessages, .unresolved: break
            }
        }
    }

    var slowest: Duration? { steps.compactMap(\.convergence).max() }

    var description: String {
        let header = [
            "| fault | injected | convergence after it, median | longest | of | alone | streams opened | of them resumed "
                + "| snapshots | log reads (changes) | resets |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        ]
        let rows = Dictionary(grouping: steps, by: \.fault).sorted { $0.key.rawValue < $1.key.rawValue }
        return (header + rows.map { Self.row($0.key.rawValue, $0.value) }).joined(separator: "\n")
    }

    private static func row(_ name: String, _ steps: [Step]) -> String {
        let times = steps.compactMap(\.convergence).sorted()
        let alone = steps.filter { $0.beganInCalm && $0.convergence != nil }
        var seen = Counts()
        for step in alone { seen += step.seen }
        let cells: [String] = [
            name, "\(steps.count)", milliseconds(times.isEmpty ? nil : times[times.count / 2]),
            milliseconds(times.last),
            "\(times.count)", "\(alone.count)", "\(seen.connects)", "\(seen.resumes)", "\(seen.snapshots)",
            "\(seen.gapReads) (\(seen.changesRead))", "\(seen.resets)",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func milliseconds(_ time: Duration?) -> String {
        time.map { "\(Int($0 / .milliseconds(1))) ms" } ?? "–"
    }
}
