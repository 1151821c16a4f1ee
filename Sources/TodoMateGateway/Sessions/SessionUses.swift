import EventLoop
import TodoMate

/// Notes roughly when sessions are used: each at most once an hour, and never on the way of an answer.
///
/// What is due is written some time later, one call a user and one user after another. Only as much is lost with a worker.
@LoopActor
final class SessionUses {
    /// How long a use stands for those after it.
    static let interval = Duration.seconds(3600)
    /// How long uses are gathered before they are written.
    private static let pause = Duration.seconds(1)
    private static let mostSessions = 100_000
    /// The most sessions in one call.
    private static let batch = 200

    private let store: any SessionStoreType
    private let streams: OpenStreams
    private let log: Logger
    /// When the use that counts at the moment was noted, by session.
    private var noted: [String: ContinuousClock.Instant] = [:]
    /// Whose use is to be written; in a list, as nearly all are of different users.
    private var due: [SessionToken] = []
    private var isWriting = false
    private var gathering: LoopTimer?
    private var looking: LoopTimer?

    init(_ store: any SessionStoreType, _ streams: OpenStreams, _ log: Logger) {
        self.store = store
        self.streams = streams
        self.log = log
        gathering = LoopTimer { [weak self] in self?.write() }
        looking = LoopTimer(every: Self.interval) { [weak self] in self?.look() }
    }

    func stop() {
        gathering?.cancel()
        looking?.cancel()
    }

    /// A session is used.
    func note(_ token: SessionToken, at now: ContinuousClock.Instant = .now) {
        if let last = noted[token.id], now - last < Self.interval { return }
        if noted.count >= Self.mostSessions { noted = noted.filter { now - $0.value < Self.interval } }
        guard noted.count < Self.mostSessions else { return }
        noted[token.id] = now
        due.append(token)
        if due.count == 1, !isWriting { gathering?.start(after: Self.pause) }
    }

    /// A stream that is open is a use as well.
    private func look() {
        let now = ContinuousClock.now
        noted = noted.filter { now - $0.value < Self.interval }
        for uid in streams.users {
            for open in streams.streams(of: uid) { if let token = open.token { note(token, at: now) } }
        }
    }

    private func write() {
        guard !isWriting else { return }
        isWriting = true
        Task {
            while !due.isEmpty {
                let users = Dictionary(grouping: due, by: \.uid)
                due = []
                for (uid, tokens) in users { await write(Set(tokens.map(\.id)), of: uid) }
            }
            isWriting = false
        }
    }

    private func write(_ ids: Set<String>, of uid: String) async {
        for part in Array(ids).parts(of: Self.batch) {
            do throws(TodoError) {
                try await store.noteUses(of: Set(part), by: uid)
            } catch {
                // The next use tries again.
                for id in part { noted[id] = nil }
                log.debug("uses of sessions not noted", ["uid": uid, "reason": error.description])
            }
        }
    }
}

extension Array {
    fileprivate func parts(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
