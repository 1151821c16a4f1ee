import EventLoop

/// The addresses that accounts have mail sent to, in this process alone.
@LoopActor
final class InMemoryMailStore: MailStoreType {
    private let database: InMemoryDatabase
    private let sessions: InMemorySessionStore

    init(_ database: InMemoryDatabase, _ sessions: InMemorySessionStore) {
        (self.database, self.sessions) = (database, sessions)
    }

    private var now: Int { database.microseconds / 1_000_000 }

    func mail(of uid: String) async throws(TodoError) -> AccountMail {
        try TodoBounds.uid(uid)
        let offer = current(of: uid)
        return AccountMail(address: database[uid].account.mail, pending: offer?.address, until: offer?.expires)
    }

    func offer(
        _ address: String,
        by id: String,
        to uid: String,
        seconds: Int,
        since generation: Int?
    ) async throws(TodoError) {
        try PasswordResetBounds.check(id, seconds)
        try MailAddressRule.check(address)
        try TodoBounds.uid(uid)
        try database.refuseWhileLeaving(uid)
        _ = try sessions.account(of: uid, since: generation)
        database[uid].account.mailOffer = (id, now + seconds, address)
    }

    func confirm(_ id: String, of uid: String) async throws(TodoError) -> (address: String, before: String?) {
        try PasswordResetBounds.check(id)
        try TodoBounds.uid(uid)
        let account = database[uid].account
        guard account.passwordHash != nil, let offer = current(of: uid), offer.id == id else {
            throw .notFound("this link is not valid (any more): ask for another")
        }
        try database.refuseWhileLeaving(uid)
        try InMemorySessionStore.checkNotSuspended(account, uid)
        database[uid].account.mail = offer.address
        database[uid].account.mailOffer = nil
        if account.mail != offer.address {
            database[uid].account.mailedReset = nil
            note(.mailChanged, offer.address, of: uid)
        }
        return (offer.address, account.mail)
    }

    func removeMail(of uid: String, since generation: Int?) async throws(TodoError) -> String? {
        let before = try sessions.account(of: uid, since: generation).mail
        (database[uid].account.mail, database[uid].account.mailOffer) = (nil, nil)
        database[uid].account.mailedReset = nil
        if let before { note(.mailRemoved, before, of: uid) }
        return before
    }

    func offerReset(_ id: String, of uid: String, seconds: Int) async throws(TodoError) -> String? {
        try PasswordResetBounds.check(id, seconds)
        try TodoBounds.uid(uid)
        let account = database[uid].account
        guard account.passwordHash != nil, account.suspension == nil, let address = account.mail else { return nil }
        database[uid].account.mailedReset = (id, now + seconds)
        return address
    }

    func take(_ budgets: [ExactBudget]) async throws(TodoError) -> Int? {
        let now = now
        database.mails = database.mails.compactMapValues { ends in
            let left = ends.filter { $0 > now }
            return left.isEmpty ? nil : left
        }
        let full = budgets.compactMap { budget in
            database.mails[budget].flatMap { $0.count < budget.kind.most ? nil : $0.min() }
        }
        if let end = full.first { return end - now }
        for budget in budgets { database.mails[budget, default: []].append(now + budget.kind.seconds) }
        return nil
    }

    func giveBack(_ budgets: [ExactBudget]) async throws(TodoError) {
        for budget in budgets { _ = database.mails[budget]?.popLast() }
    }

    private func current(of uid: String) -> (id: String, expires: Int, address: String)? {
        database[uid].account.mailOffer.flatMap { $0.expires > now ? $0 : nil }
    }

    private func note(_ kind: AccountEvent.Kind, _ address: String, of uid: String) {
        database.note(AccountEvent(at: database.microseconds / 1000, kind, name: address), of: uid)
    }
}
