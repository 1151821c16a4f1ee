import Foundation
import TestServers

/// What a run used, and what it found wrong.
struct SoakReport: CustomStringConvertible {
    private var samples: [(minutes: Double, workers: [WorkerFigures])] = []
    /// Descriptors that are no client's, of each worker, with the first streams open and after the last.
    var ownDescriptors: (before: [Int], after: [Int]) = ([], [])
    var connects = 0
    var changes = 0
    var snapshots = 0
    var writes = 0
    /// What the readers and the workers found wrong.
    var objections: [String] = []

    /// The time that memory may take to reach its level, as a part of the run.
    private static let warmUp = 0.25
    /// A run that is judged by its slope must be this long after warming up; a shorter one shows only allocators at work.
    private static let fewestMinutes = 10.0
    /// 40 connects and 40 writes a second on three workers: a leak of 11 bytes in each would be steeper.
    private static let steepest = 16.0

    mutating func add(_ workers: [WorkerFigures], at minutes: Double) { samples.append((minutes, workers)) }

    private var warm: ArraySlice<(minutes: Double, workers: [WorkerFigures])> {
        samples.drop { $0.minutes < (samples.last?.minutes ?? 0) * Self.warmUp }
    }

    /// The memory of a worker over time, in KiB a minute after warming up.
    private func slope(of worker: Int) -> Slope? {
        Slope(warm.map { (x: $0.minutes, y: $0.workers[worker].residentKiB) })
    }

    private var workers: Range<Int> { 0..<(samples.last?.workers.count ?? 0) }

    /// All that is wrong.
    var verdict: [String] {
        var found = objections
        if let first = warm.first, let last = warm.last, last.minutes - first.minutes >= Self.fewestMinutes {
            for worker in workers {
                guard let slope = slope(of: worker), slope.perUnit > Self.steepest else { continue }
                found.append("worker \(worker + 1) grows by \(rounded(slope.perUnit)) KiB a minute")
            }
        }
        if ownDescriptors.before != ownDescriptors.after, !Sanitizer.isThread {
            found.append(
                "descriptors that are no client's: \(ownDescriptors.before) before, \(ownDescriptors.after) after"
            )
        }
        return found
    }

    /// One line about the last sample.
    func progress(streams: Int) -> String {
        guard let last = samples.last else { return "nothing yet" }
        let workers = last.workers.map { "\(Int($0.residentKiB)) KiB, \($0.ownDescriptors) fds, \($0.users) users" }
        return "\(rounded(last.minutes)) min: \(streams) streams; \(workers.joined(separator: " | "))"
    }

    var description: String {
        let perWorker = workers.map { worker in
            let memory = warm.map { $0.workers[worker].residentKiB }
            let descriptors = samples.map { $0.workers[worker].ownDescriptors }
            let slope = slope(of: worker).map { "\(rounded($0.perUnit)) ± \(rounded($0.uncertainty))" } ?? "unknown"
            return
                "worker \(worker + 1): \(Int(memory.first ?? 0)) KiB after warming up, \(Int(memory.last ?? 0)) at the end, "
                + "slope \(slope) KiB/min; descriptors besides clients' \(ownDescriptors.before[worker]) before, "
                + "\(descriptors.min() ?? 0)…\(descriptors.max() ?? 0) during, \(ownDescriptors.after[worker]) after"
        }
        return """
            \(connects) streams replaced, \(writes) writes acknowledged, \(changes) changes and \(snapshots) snapshots read
            \(perWorker.joined(separator: "\n"))
            \(samples.count) times: PUBSUB CHANNELS and NUMSUB equal to the workers' own count and to the open streams
            \(verdict.isEmpty ? "nothing is wrong" : "WRONG:\n" + verdict.prefix(40).joined(separator: "\n"))
            """
    }

    private func rounded(_ value: Double) -> String { String(format: "%.1f", value) }
}
