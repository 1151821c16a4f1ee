import EventLoop

/// What operators decide about accounts, in this process alone.
@LoopActor
final class InMemoryOperatorStore: OperatorStoreType {
    private let database: InMemoryDatabase
    private let sessions: InMemorySessionStore

    init(_ database: InMemoryDatabase, _ sessions: InMemorySessionStore) {
        (self.database, self.sessions) = (database, sessions)
    }

    func eachAccount(missing: MissingNodes?, _ body: @LoopActor ([AccountMark]) async throws(TodoError) -> Void)
        async throws(TodoError)
    {
        let accounts = database.users.filter { $0.value.account.passwordHash != nil }
        try await body(
            accounts.map { uid, user in
                let account = user.account
                return AccountMark(uid: uid, isSuspended: account.suspension != nil, role: account.role)
            }
        )
    }

    func summaries(of uids: [String], missing: MissingNodes?) async throws(TodoError) -> [AccountSummary] {
        for uid in uids { try TodoBounds.uid(uid) }
        return uids.compactMap(summary)
    }

    private func summary(of uid: String) -> AccountSummary? {
        let user = database[uid]
        let account = user.account
        guard account.passwordHash != nil else { return nil }
        let now = database.microseconds / 1_000_000
        let current = account.sessions.filter { $0.expires > now }
        var summary = AccountSummary(uid: uid, bytesMost: account.limits[.bytes] ?? TodoBounds.bytesMost)
        summary.name = account.preferences.name
        summary.todos = user.todos.count
        summary.bytes = user.todos.values.reduce(0) { $0 + $1.weight }
        summary.signIns = current.count { $0.kind == .signIn }
        summary.tokens = current.count { $0.kind == .token }
        summary.made = account.made
        summary.used = account.sessions.map { max($0.made, $0.used ?? 0) }.max()
        (summary.suspension, summary.role, summary.limits) = (account.suspension, account.role, account.limits)
        (summary.leaving, summary.hasFactor) = (account.leaving?.due, account.factor != nil)
        return summary
    }

    func suspend(_ uid: String, for reason: String, by: String?) async throws(TodoError) -> Bool {
        let reason = try Suspension.checked(reason)
        if let by { try TodoBounds.uid(by) }
        let account = try sessions.account(of: uid)
        guard by != uid else { throw .conflict("nobody suspends themselves: ask another operator", current: nil) }
        if by != nil { try Self.refuseOperator(account, uid) }
        if let stored = account.suspension, stored.reason ?? "" == reason { return false }
        let at = account.suspension?.at ?? database.microseconds / 1_000_000
        let said = reason.isEmpty ? nil : reason
        database[uid].account.suspension = Suspension(at: at, reason: said)
        sessions.announce(uid, account.sessions.map(\.id))
        note(.suspended, of: uid, by: by, reason: said)
        return true
    }

    func resume(_ uid: String, by: String?) async throws(TodoError) -> Bool {
        if let by { try TodoBounds.uid(by) }
        guard try sessions.account(of: uid).suspension != nil else { return false }
        database[uid].account.suspension = nil
        sessions.announce(uid, [])
        note(.resumed, of: uid, by: by)
        return true
    }

    func suspension(
        of uid: String,
        knowing session: (id: String, generation: Int)?
    ) async throws(TodoError) -> Suspension? {
        try TodoBounds.uid(uid)
        let account = database[uid].account
        if let session {
            let isTheirs = account.sessions.contains { $0.id == session.id }
            guard isTheirs, account.generation == session.generation else { return nil }
        }
        return account.passwordHash == nil ? nil : account.suspension
    }

    func setRole(_ role: AccountRole?, of uid: String) async throws(TodoError) -> Bool {
        guard try sessions.account(of: uid).role != role else { return false }
        database[uid].account.role = role
        note(.roleChanged, of: uid, role: role?.rawValue ?? "none")
        return true
    }

    func role(of uid: String) async throws(TodoError) -> AccountRole? {
        try TodoBounds.uid(uid)
        let account = database[uid].account
        return account.passwordHash == nil || account.suspension != nil ? nil : account.role
    }

    private static func refuseOperator(_ account: InMemoryDatabase.Account, _ uid: String) throws(TodoError) {
        guard account.role == .operator else { return }
        throw .conflict("\(uid) is an operator: take the role away first", current: nil)
    }

    func limit(
        _ uid: String,
        _ changes: [AccountLimits.Kind: AccountLimits.Change],
        by: String?
    ) async throws(TodoError) -> Bool {
        try AccountLimits.check(changes)
        if let by { try TodoBounds.uid(by) }
        let account = try sessions.account(of: uid)
        if let by, by != uid { try Self.refuseOperator(account, uid) }
        let before = account.limits
        var after = before
        for (kind, change) in changes {
            after[kind] = if case .most(let most) = change { most } else { nil }
        }
        guard after != before else { return false }
        database[uid].account.limits = after
        sessions.announce(uid, [])
        note(.limitsChanged, of: uid, by: by)
        return true
    }

    private func note(
        _ kind: AccountEvent.Kind,
        of uid: String,
        by: String? = nil,
        reason: String? = nil,
        role: String? = nil
    ) {
        let at = database.microseconds / 1000
        database.note(AccountEvent(at: at, kind, by: by, reason: reason, role: role), of: uid)
    }
}
