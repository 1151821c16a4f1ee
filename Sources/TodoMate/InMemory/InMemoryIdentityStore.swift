import EventLoop

/// Identities at OpenID providers, in this process alone.
@LoopActor
final class InMemoryIdentityStore: IdentityStoreType {
    private let database: InMemoryDatabase
    private let sessions: InMemorySessionStore
    private let invitations: InMemoryInvitationStore

    init(_ database: InMemoryDatabase, _ sessions: InMemorySessionStore, _ invitations: InMemoryInvitationStore) {
        (self.database, self.sessions, self.invitations) = (database, sessions, invitations)
    }

    func owner(of id: String) async throws(TodoError) -> String? {
        try IdentityDraft(id: id, provider: "any").check()
        return database.users.first { has(id, $0.key) }?.key
    }

    func link(_ identity: IdentityDraft, to uid: String) async throws(TodoError) {
        try await check(identity, for: uid)
        _ = try sessions.account(of: uid)
        try database.refuseWhileLeaving(uid)
        guard !has(identity.id, uid) else { return }
        guard database[uid].account.identities.count < LinkedIdentity.most else {
            throw .full("\(uid) has \(LinkedIdentity.most) identities already: take one away")
        }
        store(identity, of: uid)
    }

    func unlink(_ id: String, of uid: String) async throws(TodoError) {
        try TodoBounds.uid(uid)
        try IdentityDraft(id: id, provider: "any").check()
        guard let index = database[uid].account.identities.firstIndex(where: { $0.id == id }) else {
            throw .notFound("\(uid) has no such identity (any more)")
        }
        guard
            database[uid].account.identities.count > 1
                || database[uid].account.passwordHash != SignInFacts.noPassword
        else { throw .conflict("nobody could sign in as \(uid) any more: set a password first", current: nil) }
        let identity = database[uid].account.identities.remove(at: index)
        note(.identityUnlinked, identity.provider, of: uid)
    }

    func identities(of uid: String) async throws(TodoError) -> [LinkedIdentity] {
        try TodoBounds.uid(uid)
        return database[uid].account.identities.sorted { ($0.linked, $0.id) < ($1.linked, $1.id) }
    }

    func enroll(_ uid: String, passwordHash hash: String, by identity: IdentityDraft) async throws(TodoError) -> Int {
        try await check(identity, for: uid)
        if database[uid].account.passwordHash != nil, has(identity.id, uid) { return database[uid].account.generation }
        guard let generation = try await invitations.enroll(uid, passwordHash: hash, by: nil) else {
            throw .exists("\(uid) has an account")
        }
        database[uid].account.identities = []
        store(identity, of: uid)
        return generation
    }

    private func check(_ identity: IdentityDraft, for uid: String) async throws(TodoError) {
        try identity.check()
        try TodoBounds.uid(uid)
        let owner = try await owner(of: identity.id)
        guard owner == nil || owner == uid else { throw .identityIsTaken }
    }

    private func has(_ id: String, _ uid: String) -> Bool {
        database[uid].account.identities.contains { $0.id == id }
    }

    private func store(_ identity: IdentityDraft, of uid: String) {
        let now = database.microseconds / 1_000_000
        let label = identity.label.flatMap { $0.isEmpty ? nil : $0 }
        let linked = LinkedIdentity(id: identity.id, provider: identity.provider, label: label, linked: now)
        database[uid].account.identities.append(linked)
        note(.identityLinked, identity.provider, of: uid)
    }

    private func note(_ kind: AccountEvent.Kind, _ provider: String, of uid: String) {
        database.note(AccountEvent(at: database.microseconds / 1000, kind, name: provider), of: uid)
    }
}
