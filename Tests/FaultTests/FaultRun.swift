import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// Random writes and readers on a deployment to which faults happen, and an exact check at the end.
@LoopActor
final class FaultRun {
    private let users = ["alice", "bob", "carol", "dave"]
    private let days = ["2026-11-19", "2026-11-20", "2026-11-21"]
    private let deployment: Deployment
    private var schedule: FaultSchedule
    private var writers: [Writer] = []
    private var clients: [StreamClient] = []
    private var models: [TodosInMonthViewModel] = []
    private var repository: RedisTodoRepository
    private var table = FaultTable()
    /// What did not agree in the end, or not in time.
    private var open: [String] = []
    /// How long it may take until all agree; nil for as long as it takes.
    private let limit: Duration?

    /// Views that do not agree after so long will not.
    private static let longest = Duration.seconds(60)

    init(
        seed: UInt64,
        faults: [Fault] = Fault.allCases,
        writers: Int = 8,
        clients: Int = 40,
        convergingWithin limit: Duration? = nil
    ) throws {
        self.limit = limit
        deployment = try Deployment(observing: users)
        schedule = FaultSchedule(seed: seed, of: faults)
        repository = RedisTodoRepository(deployment.redis.url, timeout: .seconds(3))
        var random = SeededRandom(seed: seed &+ 1)
        for number in 0..<writers {
            // Starting a command takes much longer than a request: one of eight is enough.
            let door: Door = number == 0 ? .command : number % 2 == 0 ? .http : .function
            self.writers.append(Writer("w\(number)", door, users: users, days: days, deployment, random.split()))
        }
        for number in 0..<clients {
            let day = number % 4 == 3 ? days[number / 4 % days.count] : nil
            let uid = users[number % users.count == 3 ? number / 4 % users.count : number % users.count]
            self.clients.append(StreamClient(uid: uid, day: day, port: deployment.httpPort, random: random.split()))
        }
    }

    /// Starts everything, lets `rounds` faults happen or goes on for `time`, waits until all views agree with Redis, and
    /// says what is wrong.
    func run(rounds: Int = .max, for time: Duration = .seconds(86_400)) async throws -> FaultReport {
        try await deployment.start()
        guard let today = CalendarDate(days[1]) else { preconditionFailure("\(days[1]) is a day") }
        let service = DIContainer(repository: repository).todoRealtimeService
        models = users.map { uid in
            TodosInMonthViewModel(service: service, uid: uid, month: CalendarMonth(containing: today))
        }
        for model in models { model.onAppear() }
        for client in clients { client.start() }
        for writer in writers { writer.start() }
        let watcher = try Watcher(users, port: deployment.proxies[0].port)
        _ = try await settle(after: "the start")
        for writer in writers { writer.goOn() }
        let deadline = ContinuousClock.now + time
        var isCalm = true
        for _ in 0..<rounds {
            guard ContinuousClock.now < deadline else { break }
            let step = schedule.next()
            await LoopTimer.sleep(for: .milliseconds(step.pauseMilliseconds))
            try await carryOut(step, isCalm)
            isCalm = step.settles
        }
        let (took, _) = try await settle(after: "the last fault")
        let state = try await writeOnceMore()
        for writer in writers { await writer.stop() }
        open += try await watcher.finish(deployment)
        for client in clients { client.stop() }
        for model in models { model.onDisappear() }
        repository.close()
        await deployment.stop()
        return report(state, took)
    }

    /// Lets every writer write, by each door, now that nothing is wrong any more, and returns what all agree upon then.
    private func writeOnceMore() async throws -> [String: TodoSnapshot] {
        let before = writers.map(\.acknowledged)
        for writer in writers { writer.goOn() }
        try await eventually("every writer has an answer", within: Self.longest) {
            zip(writers, before).allSatisfy { $0.acknowledged > $1 }
        }
        return try await settle(after: "the last writes").1
    }

    private func carryOut(_ step: FaultSchedule.Step, _ isCalm: Bool) async throws {
        var random = step.random
        let (begin, before) = (Date(), counts)
        try await step.fault.happen(to: deployment, clients, &random)
        var convergence: Duration?
        if step.settles {
            convergence = try await settle(after: step.fault.rawValue).0
            for writer in writers { writer.goOn() }
        }
        table.add(
            FaultTable.Step(
                fault: step.fault,
                begin: begin,
                end: Date(),
                beganInCalm: isCalm,
                convergence: convergence,
                seen: FaultTable.Counts(from: before, to: counts)
            )
        )
    }

    /// What readers went through so far.
    private var counts: FaultTable.Counts {
        clients.reduce(into: FaultTable.Counts()) { counts, client in
            counts.connects += client.record.connects
            counts.resumes += client.record.resumes
            counts.snapshots += client.record.snapshots
        }
    }

    /// Holds the writers until all views agree with Redis, and returns how long that took.
    private func settle(after what: String) async throws -> (Duration, [String: TodoSnapshot]) {
        let healed = ContinuousClock.now
        for writer in writers { await writer.pause() }
        while true {
            let state = try await finalState()
            // A write whose writer has given it up may still be carried out: then the state is read again.
            for _ in 0..<50 {
                let disagreements = disagreements(with: state)
                let took = ContinuousClock.now - healed
                if !disagreements.isEmpty, took < Self.longest {
                    await LoopTimer.sleep(for: .milliseconds(20))
                    continue
                }
                open += disagreements.map { "after \(what): \($0)" }
                if let limit, took > limit { open.append("after \(what): all agreed only \(took) after it had healed") }
                return (took, state)
            }
        }
    }

    private func finalState() async throws -> [String: TodoSnapshot] {
        var state: [String: TodoSnapshot] = [:]
        for uid in users {
            while state[uid] == nil {
                do throws(TodoError) {
                    state[uid] = try await repository.snapshot(of: uid, in: nil)
                } catch .unavailable {
                    // The last fault has healed, but this connection has not tried again yet.
                    await LoopTimer.sleep(for: .milliseconds(20))
                }
            }
        }
        return state
    }

    private func disagreements(with state: [String: TodoSnapshot]) -> [String] {
        let byClients = clients.enumerated().compactMap { number, client -> String? in
            guard let snapshot = state[client.record.uid] else { return "nothing is known of \(client.record.uid)" }
            let todos = snapshot.todos.filter { client.record.day == nil || $0.date.description == client.record.day }
            let isSame = client.view.todos == Dictionary(todos.map { ($0.id, $0) }) { $1 }
            let isCurrent = client.record.day != nil || client.view.id == snapshot.id.description
            if isSame, isCurrent { return nil }
            return "reader \(number) shows \(client.view.todos.count) todos as of \(client.view.id ?? "nothing"), "
                + "Redis has \(todos.count) as of \(snapshot.id); only one of them has "
                + Set(client.view.todos.keys).symmetricDifference(todos.map(\.id)).sorted().prefix(5).joined(
                    separator: ", "
                )
        }
        let byModels = models.compactMap { model -> String? in
            let todos = state[model.uid]?.todos.sorted(by: Todo.isInListOrder) ?? []
            return model.todos == todos ? nil : "the month of \(model.uid) has \(model.todos.count), not \(todos.count)"
        }
        return byClients + byModels
    }

    private func report(_ state: [String: TodoSnapshot], _ took: Duration) -> FaultReport {
        let logs = deployment.workerLogs
        table.add(logs)
        var checker = RecordChecker()
        for (number, client) in clients.enumerated() {
            checker.check(client.record, "reader \(number) of \(client.record.uid)")
        }
        for (number, lines) in deployment.workerOutputs.enumerated() {
            checker.check(lines: lines, "process \(number)")
        }
        let stored = state.mapValues { Dictionary($0.todos.map { ($0.id, $0) }) { $1 } }
        let unreadable = clients.flatMap { $0.view.unreadable.map { "an event cannot be read: \($0)" } }
        return FaultReport(
            table: table,
            workerLogs: logs,
            answers: deployment.answers,
            hinderedBytes: deployment.proxies.reduce(0) { $0 + $1.hinderedBytes },
            acknowledged: writers.reduce(0) { $0 + $1.acknowledged },
            unanswered: writers.reduce(0) { $0 + $1.unanswered },
            changes: checker.changes,
            snapshots: checker.snapshots,
            connects: clients.reduce(0) { $0 + $1.record.connects },
            converged: took,
            objections: open + deployment.crashes + checker.objections + unreadable
                + writers.flatMap { $0.objections + $0.ledger.objections(to: stored) }
        )
    }
}
