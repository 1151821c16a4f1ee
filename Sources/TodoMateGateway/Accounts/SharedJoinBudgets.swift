import EventLoop
import HTTPServing
import TodoMate

/// A worker's ``JoinBudgets``, which also count what happens at the other workers. As they hear of that a little later, new accounts
/// are counted exactly besides, where all workers look.
@LoopActor
final class SharedJoinBudgets {
    private static let topic = "joins"
    private static let pause = Duration.seconds(1)

    private let announcements: WorkerAnnouncements<JoinOutcome>
    private let counts: any MailStoreType
    private let proxies: TrustedProxies
    private var budgets = JoinBudgets()
    /// How often an address is refused at once.
    private var refusals = BudgetTable(Budget(burst: 60, interval: .milliseconds(500)), most: 16_384)

    /// - Parameters:
    ///   - counts: where new accounts are counted.
    ///   - outcomes: where workers announce it; nil keeps the budgets to this worker.
    ///   - proxies: whose word for a client's address is taken.
    ///   - log: where it says that they cannot.
    init(
        _ counts: any MailStoreType,
        _ outcomes: (any SharedSubjectType<JoinOutcome>)?,
        _ proxies: TrustedProxies,
        _ log: Logger
    ) {
        (self.counts, self.proxies) = (counts, proxies)
        announcements = WorkerAnnouncements(
            outcomes,
            Self.topic,
            log,
            warning: "new accounts at other workers are not received: each worker counts its own"
        )
        announcements.onEvent = { [weak self] in self?.budgets.receive($0, at: .now) }
    }

    /// Begins to listen, as soon as Redis lets it.
    func start() {
        // It counts for no one.
        announcements.start(with: JoinOutcome(worker: announcements.worker, from: "-", near: nil, ending: .refused))
    }

    func stop() { announcements.stop() }

    /// Runs `body` if the client of a request may try.
    ///
    /// - Parameters:
    ///   - costsAccount: whether what it makes is counted for its address.
    ///   - request: whose client.
    ///   - body: what a thrown ``Problem`` of the kinds `notFound`, `exists` and `wrongCode` counts against.
    /// - Throws: what `body` throws, and a ``Problem`` when the address has to wait.
    func attempt<Result>(
        costsAccount: Bool = false,
        _ request: HTTPRequest,
        _ body: (_ address: String) async throws -> Result
    ) async throws -> Result {
        let client = proxies.client(of: request)
        let address = NetworkAddress.client(client)
        let surroundings = costsAccount ? NetworkAddress.surroundings(of: client) ?? address : nil
        let attempt = JoinBudgets.Attempt(address: address, surroundings: surroundings)
        if let wait = budgets.wait(of: attempt, at: .now) { throw await tooMany(wait, address) }
        budgets.begin(attempt, at: .now)
        do {
            let result = try await counted(attempt) { try await body(address) }
            await end(attempt, .done)
            return result
        } catch {
            let kind = (error as? Problem)?.kind
            let isWrong = [.notFound, .exists, .wrongCode].contains(kind) || (error as? JourneyEnd)?.isWrong == true
            await end(attempt, isWrong ? .wrong : .refused)
            throw error
        }
    }

    /// Runs `body` if there may be one account more; one that is not made does not count.
    private func counted<Result>(_ attempt: JoinBudgets.Attempt, _ body: () async throws -> Result) async throws
        -> Result
    {
        guard let surroundings = attempt.surroundings else { return try await body() }
        let places = [ExactBudget(.joiningClient, attempt.address), ExactBudget(.joiningNetwork, surroundings)]
        if let wait = try await counts.take(places) { throw await tooMany(.seconds(wait), attempt.address) }
        do {
            return try await body()
        } catch {
            // What cannot be given back comes back by itself.
            try? await counts.giveBack(places)
            throw error
        }
    }

    private func end(_ attempt: JoinBudgets.Attempt, _ ending: JoinBudgets.Ending) async {
        budgets.end(attempt, ending, at: .now)
        guard ending == .wrong || ending == .done && attempt.surroundings != nil else { return }
        // Before the response: the next attempt may go to another worker.
        await announcements.post(
            JoinOutcome(
                worker: announcements.worker,
                from: attempt.address,
                near: ending == .done ? attempt.surroundings : nil,
                ending: ending
            )
        )
    }

    /// Delays an address that keeps sending requests that are refused.
    private func tooMany(_ wait: Duration, _ address: String) async -> Problem {
        if refusals.take(address, at: .now) != nil { await LoopTimer.sleep(for: Self.pause) }
        return .tooManyAttempts("from this address", wait)
    }
}
