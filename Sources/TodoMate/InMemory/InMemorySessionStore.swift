import EventLoop

/// Accounts and their sessions, in this process alone.
@LoopActor
final class InMemorySessionStore: SessionStoreType, AccountStoreType {
    /// A use is noted once an hour.
    private static let useSeconds = 3600

    let database: InMemoryDatabase
    let relations: InMemoryRelationStore

    init(_ database: InMemoryDatabase, _ relations: InMemoryRelationStore) {
        (self.database, self.relations) = (database, relations)
    }

    func begin(_ draft: SessionDraft, of uid: String, since generation: Int?) async throws(TodoError) -> Int {
        try draft.check()
        let account = try account(of: uid, since: generation)
        guard draft.kind == .token || draft.factor == true || account.factor == nil else {
            throw .conflict("\(uid) has a second factor: sign in with its code", current: nil)
        }
        if draft.kind == .token { try database.refuseWhileLeaving(uid) }
        let all = current(of: uid)
        guard !all.contains(where: { $0.id == draft.id }) else {
            throw .exists("there is a session with this id: take another")
        }
        let sameKind = all.filter { $0.kind == draft.kind }
        let most = draft.kind == .token ? account.limits[.tokens] ?? Session.mostOfKind : Session.mostOfKind
        guard sameKind.count < most || draft.kind == .signIn else {
            throw .full("\(uid) has \(most) tokens already: end some")
        }
        let ended = sameKind.prefix(max(0, sameKind.count - most + 1)).map(\.id)
        database[uid].account.sessions = all.filter { !ended.contains($0.id) }
        store(draft, of: uid)
        announce(uid, ended, begun: draft.id, by: draft.by)
        note(draft.kind == .token ? .tokenMade : .signIn, draft, of: uid)
        return account.generation
    }

    func store(_ draft: SessionDraft, of uid: String) {
        let made = database.microseconds / 1_000_000
        database[uid].account.sessions.append(
            Session(
                id: draft.id,
                kind: draft.kind,
                made: made,
                expires: made + draft.seconds,
                from: draft.from,
                device: draft.device,
                name: draft.name,
                scope: draft.scope
            )
        )
    }

    func end(_ id: String, of uid: String) async throws(TodoError) {
        guard let session = database[uid].account.sessions.first(where: { $0.id == id }) else {
            throw Self.noSession(uid)
        }
        database[uid].account.sessions.removeAll { $0.id == id }
        announce(uid, [id])
        database.note(
            AccountEvent(
                at: database.microseconds / 1000,
                session.kind == .token ? .tokenEnded : .sessionEnded,
                session: id,
                from: session.from,
                device: session.device,
                name: session.name,
                scope: session.scope
            ),
            of: uid
        )
    }

    func endAll(of uid: String) async throws(TodoError) -> Int {
        _ = try account(of: uid)
        let count = endAll(uid)
        note(.sessionsEnded, of: uid, count: count)
        return count
    }

    func endOthers(than id: String, of uid: String) async throws(TodoError) -> Int {
        let all = try account(of: uid).sessions
        guard all.contains(where: { $0.id == id }) else { throw Self.noSession(uid) }
        let ended = all.map(\.id).filter { $0 != id }
        database[uid].account.sessions.removeAll { $0.id != id }
        guard !ended.isEmpty else { return 0 }
        announce(uid, ended)
        note(.sessionsEnded, of: uid, count: ended.count)
        return ended.count
    }

    /// Ends all sign-ins but one, and no token.
    ///
    /// - Returns: the ids of those that ended.
    func endSignIns(but id: String, of uid: String) throws(TodoError) -> [String] {
        let all = try account(of: uid).sessions
        guard all.contains(where: { $0.id == id }) else { throw Self.noSession(uid) }
        let ended = all.filter { $0.kind == .signIn && $0.id != id }.map(\.id)
        database[uid].account.sessions.removeAll { ended.contains($0.id) }
        if !ended.isEmpty { announce(uid, ended) }
        return ended
    }

    func noteUses(of ids: Set<String>, by uid: String) async throws(TodoError) {
        try TodoBounds.uid(uid)
        let now = database.microseconds / 1_000_000
        for (index, session) in database[uid].account.sessions.enumerated() where ids.contains(session.id) {
            guard session.used.map({ now - $0 >= Self.useSeconds }) ?? true else { continue }
            database[uid].account.sessions[index].used = now
        }
    }

    static func noSession(_ uid: String) -> TodoError { .notFound("\(uid) has no such session (any more)") }

    func note(_ kind: AccountEvent.Kind, _ draft: SessionDraft? = nil, of uid: String, count: Int? = nil) {
        database.note(
            AccountEvent(
                at: database.microseconds / 1000,
                kind,
                session: draft?.id,
                from: draft?.from,
                device: draft?.device,
                name: draft?.name,
                scope: draft?.scope,
                count: count
            ),
            of: uid
        )
    }

    func sessions(of uid: String) async throws(TodoError) -> [Session] {
        try TodoBounds.uid(uid)
        return current(of: uid)
    }

    func readLive(
        of uids: [String],
        _ each: @escaping @LoopActor (Int, Result<LiveSessions, TodoError>) -> Void
    ) async {
        for (index, uid) in uids.enumerated() { each(index, .success(liveNow(of: uid))) }
    }

    private func liveNow(of uid: String) -> LiveSessions {
        let account = database[uid].account
        guard account.passwordHash != nil else { return LiveSessions(generation: nil, ids: []) }
        let ids = account.suspension == nil ? Set(account.sessions.map(\.id)) : []
        return LiveSessions(
            generation: account.generation,
            ids: ids,
            writesMost: account.limits[.writes],
            isLeaving: account.leaving != nil
        )
    }

    /// Those that are not over, the one made first in front.
    private func current(of uid: String) -> [Session] {
        let now = database.microseconds / 1_000_000
        return database[uid].account.sessions.filter { $0.expires > now }
    }

    /// The account of a user who has one.
    func account(of uid: String) throws(TodoError) -> InMemoryDatabase.Account {
        try TodoBounds.uid(uid)
        let account = database[uid].account
        guard account.passwordHash != nil else { throw .notFound("\(uid) has no account") }
        return account
    }

    /// The account, if it is still the one whose password was checked.
    func account(of uid: String, since generation: Int?) throws(TodoError) -> InMemoryDatabase.Account {
        let account = try account(of: uid)
        guard generation == nil || generation == account.generation else {
            throw .conflict("the account of \(uid) has changed meanwhile: sign in again", current: nil)
        }
        try Self.checkNotSuspended(account, uid)
        return account
    }

    @discardableResult
    func endAll(_ uid: String) -> Int {
        let count = database[uid].account.sessions.count
        // Later than any that the name has had, also when the clock went back.
        let generation = max(database.microseconds, database[uid].account.generation + 1)
        database[uid].account.generation = generation
        database[uid].account.sessions = []
        announce(uid, [])
        return count
    }

    /// - Throws: a conflict where an operator has suspended the account.
    static func checkNotSuspended(_ account: InMemoryDatabase.Account, _ uid: String) throws(TodoError) {
        guard account.suspension == nil else { throw .conflict("the account of \(uid) is suspended", current: nil) }
    }

    /// Ends all sessions but one.
    func end(allBut kept: String?, of uid: String) {
        guard let kept else {
            endAll(uid)
            return
        }
        let ended = database[uid].account.sessions.map(\.id).filter { $0 != kept }
        database[uid].account.sessions.removeAll { $0.id != kept }
        announce(uid, ended)
    }

    /// Has listeners read anew which sessions are live.
    func announce(_ uid: String, _ ended: [String], begun: String? = nil, by maker: String? = nil) {
        let generation = database[uid].account.generation
        let news = SessionNews(generation: generation, ended: ended, begun: begun, by: maker)
        database.notify(uid) { ($0 as? any SessionChannelListener)?.channelPublished(news) }
    }
}
