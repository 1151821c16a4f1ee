import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate

/// Streams that come and go and writes that go on, for a long time, while it is watched what the workers use.
@LoopActor
final class SoakRun {
    /// What a run is made of.
    struct Plan {
        var time: Duration
        var workers = 3
        var streams = 2000
        var users = 1000
        /// How many streams are replaced, and how many todos written, a second.
        var churn = 40
        var writes = 40
        var samples = 180
    }

    private let plan: Plan
    private let site: SoakSite
    private let users: [String]
    private let writer: SoakWriter
    private var readers: [SoakReader] = []
    private var random: SeededRandom
    private var report = SoakReport()

    init(_ plan: Plan, seed: UInt64) throws {
        self.plan = plan
        random = SeededRandom(seed: seed)
        site = try SoakSite()
        users = (1...plan.users).map { "user\($0)" }
        writer = SoakWriter(site, users: users, random.split())
    }

    func run() async throws -> SoakReport {
        try await site.start(workers: plan.workers)
        while readers.count < plan.streams {
            readers.append(try newReader(users.randomElement(using: &random) ?? users[0]))
            // A worker that is flooded with connections is another test's matter.
            if readers.count % 50 == 0 { await LoopTimer.sleep(for: .milliseconds(20)) }
        }
        for worker in 0..<plan.workers { try await comeBack(to: worker) }
        // With the first stream comes the connection for messages, with the first reader that comes back the one for much: what
        // is open now is what must be open at the end.
        let first = try await settledFigures("after the first streams")
        let start = ContinuousClock.now
        for number in 1...plan.samples {
            try await stir(until: start + plan.time / plan.samples * number)
            let figures = try await settledFigures("sample \(number)")
            report.add(figures, at: (ContinuousClock.now - start) / .seconds(60))
            if number % max(plan.samples / 30, 1) == 0 { tell(report.progress(streams: readers.count)) }
        }
        try await compareWithRedis()
        for reader in readers { reader.close() }
        note(readers)
        readers = []
        let left = try await settledFigures("after the last stream")
        report.ownDescriptors = (first.map(\.ownDescriptors), left.map(\.ownDescriptors))
        report.writes = writer.acknowledged
        report.objections += writer.objections + site.warnings.map { "a worker warned: \($0)" }
        await site.stop()
        return report
    }

    /// Opens a stream from after a change that there never was, and closes it.
    private func comeBack(to worker: Int) async throws {
        let reader = SoakReader(uid: users[0], worker: worker, after: ChangeID(version: 1, microseconds: 1))
        try reader.open(port: site.ports[worker])
        try await eventually("it begins anew") { reader.snapshots > 0 }
        reader.close()
    }

    /// A line that is seen at once, also when the output is a file.
    private func tell(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Replaces streams and writes, evenly.
    private func stir(until deadline: ContinuousClock.Instant) async throws {
        let begin = ContinuousClock.now
        var (replaced, written) = (0, 0)
        while ContinuousClock.now < deadline {
            await LoopTimer.sleep(for: .milliseconds(25))
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            while replaced < Int(seconds * Double(plan.churn)) {
                replaced += 1
                try replaceReader()
            }
            while written < Int(seconds * Double(plan.writes)) {
                written += 1
                writer.write()
            }
        }
    }

    /// Half of the readers that go come back elsewhere with their last id; the others make room for somebody else.
    private func replaceReader() throws {
        let index = Int.random(in: 0..<readers.count, using: &random)
        let old = readers[index]
        old.close()
        note([old])
        let comesBack = old.day == nil && Bool.random(using: &random)
        let uid = comesBack ? old.uid : users.randomElement(using: &random) ?? old.uid
        readers[index] = try newReader(uid, after: comesBack ? old.last : nil)
        report.connects += 1
    }

    private func newReader(_ uid: String, after last: ChangeID? = nil) throws -> SoakReader {
        let worker = Int.random(in: 0..<plan.workers, using: &random)
        let isFiltered = last == nil && Int.random(in: 0..<4, using: &random) == 0
        let day = isFiltered ? SoakWriter.days.randomElement(using: &random) : nil
        let reader = SoakReader(uid: uid, worker: worker, day: day, after: last)
        try reader.open(port: site.ports[worker])
        return reader
    }

    private func note(_ readers: [SoakReader]) {
        for reader in readers {
            report.changes += reader.changes
            report.snapshots += reader.snapshots
            report.objections += reader.objections
        }
    }

    /// Waits until the workers, and Redis, hold exactly the subscriptions that the open streams ask for.
    private func settledFigures(_ when: String) async throws -> [WorkerFigures] {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let difference: String
            if let figures = await site.figures() {
                difference = try await self.difference(figures)
                if difference.isEmpty { return figures }
                guard ContinuousClock.now < deadline else {
                    report.objections.append("\(when): \(difference)")
                    return figures
                }
            } else if ContinuousClock.now > deadline {
                throw SoakFailure(description: "\(when): a worker does not answer at /metrics")
            }
            await LoopTimer.sleep(for: .milliseconds(50))
        }
    }

    /// What is not as the open streams ask for; nothing when all is.
    private func difference(_ figures: [WorkerFigures]) async throws -> String {
        guard writer.isIdle else { return "a write is not answered" }
        var wanted: [String: Set<Int>] = [:]
        for reader in readers { wanted[reader.uid, default: []].insert(reader.worker) }
        var found: [String] = []
        for (index, worker) in figures.enumerated() {
            let streams = readers.count { $0.worker == index }
            let users = wanted.count { $0.value.contains(index) }
            if worker.streams != streams {
                found.append("worker \(index + 1) has \(worker.streams) streams, not \(streams)")
            }
            if worker.users != users { found.append("worker \(index + 1) says \(worker.users) users, not \(users)") }
        }
        let subscriptions = try await site.subscriptions()
        if subscriptions != wanted.mapValues(\.count) {
            let left = subscriptions.keys.filter { wanted[$0] == nil }.sorted()
            let missing = wanted.keys.filter { subscriptions[$0] == nil }.sorted()
            found.append(
                "PUBSUB CHANNELS has \(subscriptions.count) channels with \(subscriptions.values.reduce(0, +)) subscribers "
                    + "where \(wanted.count) are wanted; left over: \(left.prefix(5)), missing: \(missing.prefix(5))"
            )
        }
        return found.joined(separator: "; ")
    }

    /// Every reader of all of a user's todos has been told the last change.
    private func compareWithRedis() async throws {
        let latest = Dictionary(uniqueKeysWithValues: zip(users, try await site.latest(of: users)))
        let behind = { [self] in readers.filter { $0.day == nil && $0.last?.description != latest[$0.uid] } }
        let deadline = ContinuousClock.now + .seconds(30)
        while !behind().isEmpty, ContinuousClock.now < deadline { await LoopTimer.sleep(for: .milliseconds(20)) }
        for reader in behind() {
            report.objections.append(
                "a reader of \(reader.uid) is at \(String(describing: reader.last)), Redis at \(latest[reader.uid] ?? "")"
            )
        }
    }
}

struct SoakFailure: Error, CustomStringConvertible {
    let description: String
}
