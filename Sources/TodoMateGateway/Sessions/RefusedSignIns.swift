import EventLoop
import TodoMate

/// Tells people of wrong passwords for their accounts: some time after the answer, and once a minute each at most, so that nobody
/// learns by it which accounts there are, and no stranger writes much.
@LoopActor
final class RefusedSignIns {
    private static let interval = Duration.seconds(60)
    /// How long refusals are gathered before they are written.
    private static let pause = Duration.seconds(1)
    private static let mostAccounts = 16_384

    private let store: any SessionStoreType
    private let log: Logger
    /// When one was noted last, by account.
    private var noted: [String: ContinuousClock.Instant] = [:]
    private var due: [(uid: String, network: String)] = []
    private var isWriting = false
    private var gathering: LoopTimer?

    init(_ store: any SessionStoreType, _ log: Logger) {
        self.store = store
        self.log = log
        gathering = LoopTimer { [weak self] in self?.write() }
    }

    func stop() { gathering?.cancel() }

    /// Somebody gave a wrong password for an account that there is.
    func note(_ uid: String, from network: String, at now: ContinuousClock.Instant = .now) {
        if let last = noted[uid], now - last < Self.interval { return }
        if noted.count >= Self.mostAccounts { noted = noted.filter { now - $0.value < Self.interval } }
        guard noted.count < Self.mostAccounts else { return }
        noted[uid] = now
        due.append((uid, network))
        if due.count == 1, !isWriting { gathering?.start(after: Self.pause) }
    }

    private func write() {
        guard !isWriting else { return }
        isWriting = true
        Task {
            while !due.isEmpty {
                let (uid, network) = due.removeFirst()
                do throws(TodoError) {
                    try await store.noteRefusal(from: network, of: uid)
                } catch {
                    log.debug("a refused sign-in was not noted", ["uid": uid, "reason": error.description])
                }
            }
            isWriting = false
        }
    }
}
