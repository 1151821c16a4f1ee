import EventLoop
import HTTPServing
import Observing
import TodoMate

/// Announces this worker's number of streams to the others, and sends away as many as ``StreamBalance`` decides.
@LoopActor
final class StreamBalancer: Observer {
    /// The topic of the shared subject, and with it the end of the channel's name.
    private static let topic = "load"

    private let name = String(UInt64.random(in: .min ... .max), radix: 16)
    private let loads: any SharedSubjectType<WorkerLoad>
    private let streams: StreamRoutes
    private let interval: Duration
    private let log: Logger
    private var balance: StreamBalance
    private var announcement: LoopTimer?
    private var tick: LoopTimer?
    private var isAnnouncing = false
    /// Whether the others may know of this worker: what it said last has reached Redis.
    private var isAnnounced = false
    private var isStopped = false
    /// Whether the goodbye is on its way.
    private(set) var isLeaving = false
    private var lastFailure: SharedSubjectError?

    /// How many other workers announce themselves.
    var workersHeard: Int { balance.workers.streams.count }
    /// This worker's part of all streams.
    var share: Int { balance.share }

    init(_ loads: any SharedSubjectType<WorkerLoad>, _ streams: StreamRoutes, interval: Duration, _ log: Logger) {
        self.loads = loads
        self.streams = streams
        self.interval = interval
        self.log = log
        balance = StreamBalance(own: name, interval: interval, now: .now)
    }

    func start() {
        loads.onLoss = { [weak self] _ in self?.disconnected() }
        tick = LoopTimer.every(interval / 2, of: self) { $0.look() }
        let announcement = LoopTimer { [weak self] in self?.announce() }
        self.announcement = announcement
        announcement.start(after: .zero)
    }

    /// Sends no stream away any more, and announces that it leaves.
    func stop() {
        isStopped = true
        tick?.cancel()
        announcement?.cancel()
        loads.remove(self, for: Self.topic)
        if isAnnounced { sayGoodbye() }
    }

    private func sayGoodbye() {
        isLeaving = true
        Task {
            let goodbye = WorkerLoad(worker: name, streams: streams.count, draining: true)
            // Workers that do not receive it notice the silence.
            _ = try? await loads.post(goodbye, to: Self.topic)
            isLeaving = false
        }
    }

    private func announce() {
        // Workers that started together must not stay in step.
        announcement?.start(after: interval * Double.random(in: 0.75...1.25))
        // Without a connection one waits; more would say what is old.
        guard !isAnnouncing else { return }
        isAnnouncing = true
        Task {
            await post()
            isAnnouncing = false
        }
    }

    private func post() async {
        do throws(SharedSubjectError) {
            let listeners = try await loads.post(WorkerLoad(worker: name, streams: streams.count), to: Self.topic)
            guard !isStopped else {
                // It left while it was announced for the first time.
                if !isAnnounced { sayGoodbye() }
                return
            }
            (isAnnounced, lastFailure) = (true, nil)
            balance.announced(to: listeners)
            // Only now: a subscription that Redis refuses would cost the streams their connection.
            loads.add(self, for: Self.topic)
        } catch {
            disconnected()
            note(error)
        }
    }

    private func disconnected() {
        isAnnounced = false
        balance.disconnected(at: .now)
    }

    private func note(_ error: SharedSubjectError) {
        // An unreachable Redis is logged elsewhere.
        if case .refused(let reason) = error, lastFailure != error, !isStopped {
            log.warning(
                "the workers cannot tell each other their load: streams stay where they are",
                ["reason": reason]
            )
        }
        lastFailure = error
    }

    func receive(_ load: WorkerLoad) { balance.receive(load, at: .now) }

    private func look() {
        streams.growOlder()
        let before = balance.letGo
        let verdict = balance.tick(streams: streams.count, at: .now)
        let (count, workers) = (streams.count, workersHeard + 1)
        switch verdict {
        case .letGo(let most):
            if before == nil {
                log.info(
                    "letting streams go: other workers have fewer",
                    ["streams": String(count), "share": String(share), "workers": String(workers)]
                )
            }
            balance.letGo(streams.letGo(most))
        case .keep(let reason):
            guard let before else { return }
            log.info(
                "streams stay again",
                [
                    "let_go": String(before), "reason": reason.rawValue, "streams": String(count),
                    "share": String(share), "workers": String(workers),
                ]
            )
        }
    }
}
