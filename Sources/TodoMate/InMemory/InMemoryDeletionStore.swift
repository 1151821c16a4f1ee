import EventLoop

/// Accounts that are to be deleted, in this process alone: others hear of each decision in the same step.
@LoopActor
final class InMemoryDeletionStore: DeletionStoreType {
    private let database: InMemoryDatabase
    private let sessions: InMemorySessionStore
    private let relations: InMemoryRelationStore

    init(_ database: InMemoryDatabase, _ sessions: InMemorySessionStore, _ relations: InMemoryRelationStore) {
        (self.database, self.sessions, self.relations) = (database, sessions, relations)
    }

    private var now: Int { database.microseconds / 1_000_000 }

    func begin(
        of uid: String,
        after seconds: Int,
        since generation: Int?,
        keeping session: String?
    ) async throws(TodoError) -> Int {
        guard AccountDeletion.secondsRange.contains(seconds) else {
            throw .invalid("seconds must be a whole number from 0 to \(AccountDeletion.secondsRange.upperBound)")
        }
        // The owner alone has to be let in; an operator decides about suspended accounts as well.
        let account =
            generation == nil ? try sessions.account(of: uid) : try sessions.account(of: uid, since: generation)
        if let due = account.leaving?.due { return due }
        if let session, !account.sessions.contains(where: { $0.id == session }) {
            throw InMemorySessionStore.noSession(uid)
        }
        let due = now + seconds
        relations.set(audience: .private, of: uid)
        database[uid].account.leaving = (due, account.audience)
        relations.letGo(of: uid)
        sessions.end(allBut: session, of: uid)
        note(.deletionBegun, of: uid)
        return due
    }

    func withdraw(of uid: String) async throws(TodoError) {
        try TodoBounds.uid(uid)
        guard let audience = database[uid].account.leaving?.audience else {
            throw .notFound("the account of \(uid) is not to be deleted")
        }
        database[uid].account.leaving = nil
        relations.set(audience: audience, of: uid)
        relations.takeBack(uid)
        sessions.announce(uid, [])
        note(.deletionWithdrawn, of: uid)
    }

    func deletion(of uid: String) async throws(TodoError) -> AccountDeletion {
        try TodoBounds.uid(uid)
        let due = database[uid].account.leaving?.due
        return AccountDeletion(due: due, step: due == nil ? nil : .told)
    }

    func leaving(among uids: [String]) async throws(TodoError) -> (leaving: Set<String>, unknown: Set<String>) {
        (Set(uids.filter { database[$0].account.leaving != nil }), [])
    }

    func advance(_ uid: String) async throws(TodoError) -> Bool {
        try TodoBounds.uid(uid)
        guard let due = database[uid].account.leaving?.due, due <= now else { return false }
        if let name = database[uid].account.invitation { database.settle(name, for: uid) }
        try await sessions.removeAccount(uid)
        relations.partFromAll(uid)
        for (owner, user) in database.users {
            for (id, people) in user.reactions where people[uid] != nil {
                takeBack(people[uid], on: id, of: owner, by: uid)
            }
        }
        database.forget(uid)
        // The generation stays: no session of before may count for whoever has the name next.
        let generation = database[uid].account.generation
        database[uid] = InMemoryDatabase.User()
        database[uid].account.generation = generation
        return true
    }

    func due() async throws(TodoError) -> [String] {
        database.users.compactMap { uid, user in user.account.leaving.map { (uid, $0.due) } }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    }

    func takeLease() async throws(TodoError) -> Bool { true }

    func giveLeaseBack() async throws(TodoError) {}

    private func takeBack(_ emoji: String?, on id: String, of owner: String, by uid: String) {
        guard let emoji, let before = database[owner].todos[id] else { return }
        var todo = before
        todo.reactions[emoji, default: 0] -= 1
        todo.reactions = todo.reactions.filter { $0.value > 0 }
        database[owner].todos[id] = todo
        database[owner].reactions[id]?[uid] = nil
        // Whoever is gone did that, which is for nobody to know.
        database.commit(TodoChange(id: database.nextID(of: owner), todo, was: before), by: nil)
    }

    private func note(_ kind: AccountEvent.Kind, of uid: String) {
        database.note(AccountEvent(at: database.microseconds / 1000, kind), of: uid)
    }
}
