import EventLoop
import TodoMate

/// The names of all accounts, for operators: read when one asks, and believed for a while, as that goes through all keys.
@LoopActor
final class AccountDirectory {
    private static let trust = Duration.seconds(30)
    /// How long a part of them is believed: each look waits for the node that does not answer.
    private static let trustOfPart = Duration.seconds(10)

    /// All accounts, as they were.
    struct Accounts: Sendable {
        fileprivate(set) var names: [String] = []
        fileprivate(set) var suspended: Set<String> = []
        fileprivate(set) var operators: Set<String> = []
        /// How many nodes of a cluster did not answer, whose accounts are missing.
        fileprivate(set) var missing = 0
    }

    /// Which accounts are asked for.
    enum Selection: String, CaseIterable {
        case all, suspended, operators
    }

    private typealias Answer = Result<Accounts, TodoError>

    private let store: any OperatorStoreType
    private var known: (accounts: Accounts, at: ContinuousClock.Instant)?
    private var waiting: [LoopContinuation<Answer>]?
    /// Raised by what this worker changes: what is read meanwhile may be from before.
    private var age = 0

    init(_ store: any OperatorStoreType) { self.store = store }

    /// Something has been decided about an account.
    func forget() {
        known = nil
        age += 1
    }

    /// All of them; those who ask at the same time share one reading.
    func accounts() async throws(TodoError) -> Accounts {
        if let known, ContinuousClock.now - known.at < (known.accounts.missing > 0 ? Self.trustOfPart : Self.trust) {
            return known.accounts
        }
        let isFirst = waiting == nil
        if isFirst { waiting = [] }
        if isFirst { Task { await read() } }
        return try await LoopActor.suspend { waiting?.append($0) }.get()
    }

    private func read() async {
        let (began, age) = (ContinuousClock.now, age)
        let gathering = Gathering()
        let answer: Answer
        do throws(TodoError) {
            let missing = MissingNodes()
            try await store.eachAccount(missing: missing) { gathering.add($0) }
            var accounts = gathering.accounts
            accounts.missing = missing.names.count
            // The wait for a silent node is no part of its age.
            if age == self.age { known = (accounts, accounts.missing > 0 ? .now : began) }
            answer = .success(accounts)
        } catch {
            answer = .failure(error)
        }
        let waiting = waiting ?? []
        self.waiting = nil
        for continuation in waiting { continuation.resume(returning: answer) }
    }

    @LoopActor
    private final class Gathering {
        private var names: Set<String> = []
        private var found = Accounts()

        var accounts: Accounts {
            var accounts = found
            accounts.names = names.sorted()
            return accounts
        }

        func add(_ marks: [AccountMark]) {
            for mark in marks {
                names.insert(mark.uid)
                if mark.isSuspended { found.suspended.insert(mark.uid) }
                if mark.role == .operator { found.operators.insert(mark.uid) }
            }
        }
    }
}

extension AccountDirectory.Accounts {
    /// Some names in order, those after one, and whether there are more.
    func page(
        of selection: AccountDirectory.Selection,
        beginning prefix: String,
        after last: String,
        limit: Int
    ) -> (names: [String], hasMore: Bool) {
        let start = max(prefix, last)
        // The first that is not before the start, by halves.
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle] < start { low = middle + 1 } else { high = middle }
        }
        var page: [String] = []
        for name in names[low...] where name != last || last.isEmpty {
            guard name.hasPrefix(prefix) else { break }
            let isMeant =
                switch selection {
                case .all: true
                case .suspended: suspended.contains(name)
                case .operators: operators.contains(name)
                }
            guard isMeant else { continue }
            if page.count == limit { return (page, true) }
            page.append(name)
        }
        return (page, false)
    }
}
