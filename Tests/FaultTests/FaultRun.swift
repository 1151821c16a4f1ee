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
    /// To the last one little is written.
    private let users = ["alice", "bob", "carol", "dave", "erin"]
    private let days = ["2026-11-19", "2026-11-20", "2026-11-21"]
    private let deployment: Deployment
    private var schedule: FaultSchedule
    private var writers: [Writer] = []
    private var clients: [StreamClient] = []
    /// Readers who went away for good.
    private var former: [StreamClient] = []
    private var models: [TodosInMonthViewModel] = []
    private let crowd: BoardCrowd
    private let disturber: Disturber
    private lazy var repository = RedisTodoRepository(deployment.url, timeout: .seconds(3))
    private var table = FaultTable()
    /// What did not agree in the end, or not in time.
    private var open: [String] = []
    /// Whether one fault alone is looked at.
    private let isAlone: Bool
    /// How long it may take until all agree; nil for as long as it takes.
    private let limit: Duration?

    /// Views that do not agree after so long will not.
    private static let longest = Duration.seconds(60)

    init(
        seed: UInt64,
        on kind: RedisKind = .one,
        faults: [Fault]? = nil,
        writers: Int = 8,
        clients: Int = 40,
        disturbancesPerSecond rate: Double = 0,
        convergingWithin limit: Duration? = nil
    ) throws {
        self.limit = limit
        let faults = faults ?? Fault.all(on: kind)
        isAlone = faults.count == 1
        deployment = try Deployment(observing: users, others: BoardCrowd.viewers, on: kind)
        schedule = FaultSchedule(seed: seed, of: faults)
        var random = SeededRandom(seed: seed &+ 1)
        crowd = BoardCrowd(deployment, &random)
        disturber = Disturber(deployment, rate: rate, SeededRandom(seed: seed &+ 2))
        for number in 0..<writers {
            // Starting a command takes much longer than a request: one of eight is enough.
            let door: Door = number == 0 ? .command : number % 2 == 0 ? .http : .function
            self.writers.append(Writer("w\(number)", door, users: users, days: days, deployment, random.split()))
        }
        for number in 0..<clients {
            let day = number % 4 == 3 ? days[number / 4 % days.count] : nil
            let uid = users[number % users.count]
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
        crowd.start()
        for writer in writers { writer.start() }
        let watcher = try Watcher(
            users,
            at: deployment.cluster?.address ?? "redis://127.0.0.1:\(deployment.proxies[0].port)"
        )
        _ = try await settle(after: "the start")
        goOn()
        let deadline = ContinuousClock.now + time
        var isCalm = true
        for _ in 0..<rounds {
            guard ContinuousClock.now < deadline else { break }
            let step = schedule.next()
            disturber.start(clients)
            await LoopTimer.sleep(for: .milliseconds(step.pauseMilliseconds))
            try await carryOut(step, isCalm)
            isCalm = step.settles
        }
        let (took, _) = try await settle(after: "the last fault")
        let state = try await writeOnceMore()
        for writer in writers { await writer.stop() }
        await crowd.stop()
        open += try await watcher.finish(
            deployment,
            twiceAdded: writers.reduce(into: []) { $0.formUnion($1.twiceAdded) }
        )
        for client in clients { client.stop() }
        for model in models { model.onDisappear() }
        repository.close()
        await deployment.stop()
        return report(state, took)
    }

    private func goOn() {
        for writer in writers { writer.goOn() }
        crowd.goOn()
    }

    /// Lets every writer write, by each door, now that nothing is wrong any more, and returns what all agree upon then.
    private func writeOnceMore() async throws -> [String: TodoSnapshot] {
        let before = writers.map(\.acknowledged)
        goOn()
        try await eventually("every writer has an answer", within: Self.longest) {
            zip(writers, before).allSatisfy { $0.acknowledged > $1 }
        }
        return try await settle(after: "the last writes").1
    }

    private func carryOut(_ step: FaultSchedule.Step, _ isCalm: Bool) async throws {
        var random = step.random
        let (begin, before) = (Date(), counts)
        var newcomers = random.split()
        // Where one thing alone goes wrong, the readers are to show what it did to them.
        if !isAlone, Int.random(in: 0..<4, using: &random) == 0 { crowd.drop(&random) }
        let coming = Task { if !isAlone { await replaceSomeReaders(&newcomers) } }
        try await step.fault.happen(to: deployment, clients, &random)
        await coming.value
        await disturber.stop()
        var convergence: Duration?
        if step.settles {
            convergence = try await settle(after: step.fault.rawValue).0
            goOn()
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

    /// Readers leave for good while something is wrong, and others come who have seen nothing yet.
    private func replaceSomeReaders(_ random: inout SeededRandom) async {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            await LoopTimer.sleep(for: .milliseconds(Int.random(in: 0...400, using: &random)))
            let index = clients.indices.randomElement(using: &random) ?? 0
            let leaving = clients[index]
            leaving.stop()
            former.append(leaving)
            clients[index] = StreamClient(
                uid: leaving.record.uid,
                day: leaving.record.day,
                port: deployment.httpPort,
                random: random.split()
            )
            clients[index].start()
        }
    }

    /// What readers went through so far.
    private var counts: FaultTable.Counts {
        (clients + former).reduce(into: FaultTable.Counts()) { counts, client in
            counts.connects += client.record.connects
            counts.resumes += client.record.resumes
            counts.snapshots += client.record.snapshots
        }
    }

    /// What all are to show.
    private struct State {
        var snapshots: [String: TodoSnapshot] = [:]
        var boards: [String: [String: BoardView.Share]] = [:]
    }

    /// Holds the writers until all views agree with Redis, and returns how long that took.
    private func settle(after what: String) async throws -> (Duration, [String: TodoSnapshot]) {
        let healed = ContinuousClock.now
        for writer in writers { await writer.pause() }
        await crowd.pause()
        let (took, _) = try await agree(after: what, since: healed)
        if let limit, took > limit { open.append("after \(what): all agreed only \(took) after it had healed") }
        // Whoever comes only now is to be shown the same.
        crowd.openFresh()
        defer { crowd.closeFresh() }
        return (took, try await agree(after: what, since: .now).1.snapshots)
    }

    private func agree(after what: String, since begin: ContinuousClock.Instant) async throws -> (Duration, State) {
        while true {
            let state = try await finalState()
            // A write whose writer has given it up may still be carried out: then the state is read again.
            for _ in 0..<50 {
                let disagreements = disagreements(with: state.snapshots) + crowd.disagreements(with: state.boards)
                let took = ContinuousClock.now - begin
                if !disagreements.isEmpty, took < Self.longest {
                    await LoopTimer.sleep(for: .milliseconds(20))
                    continue
                }
                open += disagreements.map { "after \(what): \($0)" }
                return (took, state)
            }
        }
    }

    private func finalState() async throws -> State {
        while true {
            do {
                // First: two sides that meet may change both users' histories.
                let boards = try await crowd.due(repository.relations, repository.shared)
                return State(snapshots: try await snapshots(), boards: boards)
            } catch TodoError.unavailable {
                // The last fault has healed, but this connection has not tried again yet.
                await LoopTimer.sleep(for: .milliseconds(20))
            }
        }
    }

    private func snapshots() async throws -> [String: TodoSnapshot] {
        var snapshots: [String: TodoSnapshot] = [:]
        for uid in users { snapshots[uid] = try await repository.snapshot(of: uid, in: nil) }
        return snapshots
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
        for (number, client) in (clients + former).enumerated() {
            checker.check(client.record, "reader \(number) of \(client.record.uid)")
        }
        for writer in writers { checker.check(told: writer.ledger.told, writer.name) }
        crowd.check(by: &checker)
        for (number, lines) in deployment.workerOutputs.enumerated() {
            checker.check(lines: lines, accountsOf: BoardCrowd.people, "process \(number)")
        }
        if deployment.cluster != nil {
            for (fault, steps) in Dictionary(grouping: table.steps, by: \.fault) where fault.marksNodes {
                // One of several may meet a node that another fault holds; the report says how many.
                let isTold = deployment.marks[fault] != nil || steps.count < 2
                if !isTold { open.append("no node told of any of \(steps.count) \(fault.rawValue)") }
            }
        }
        let stored = state.mapValues { Dictionary($0.todos.map { ($0.id, $0) }) { $1 } }
        let unreadable = (clients + former).flatMap { $0.view.unreadable.map { "an event cannot be read: \($0)" } }
        return FaultReport(
            table: table,
            workerLogs: logs,
            answers: deployment.answers,
            marks: deployment.marks.filter { Fault.ofCluster.contains($0.key) },
            hinderedBytes: deployment.proxies.reduce(0) { $0 + $1.hinderedBytes },
            acknowledged: writers.reduce(0) { $0 + $1.acknowledged },
            unanswered: writers.reduce(0) { $0 + $1.unanswered },
            conditions: writers.reduce(into: Writer.Counts()) { $0 += $1.counts },
            changes: checker.changes,
            snapshots: checker.snapshots,
            states: checker.states,
            connects: counts.connects,
            readers: clients.count + former.count,
            converged: took,
            disturbances: disturber.counts,
            boards: crowd.count,
            boardEvents: crowd.told,
            mixed: crowd.mixed,
            objections: open + crowd.objections + deployment.crashes + checker.objections + unreadable
                + writers.flatMap { $0.objections + $0.ledger.objections(to: stored) }
        )
    }
}
