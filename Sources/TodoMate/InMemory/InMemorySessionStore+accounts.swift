import EventLoop

// Accounts, their passwords, and from where they are used.
extension InMemorySessionStore {
    private static let mostAddresses = 20

    func signInFacts(of uid: String, from address: String) async throws(TodoError) -> SignInFacts {
        try TodoBounds.uid(uid)
        let account = database[uid].account
        return SignInFacts(passwordHash: account.passwordHash, isKnownAddress: account.addresses.contains(address))
    }

    func rememberAddress(_ address: String, of uid: String) async throws(TodoError) {
        _ = try account(of: uid)
        let others = database[uid].account.addresses.filter { $0 != address }
        database[uid].account.addresses = others.suffix(Self.mostAddresses - 1) + [address]
    }

    func enroll(_ uid: String, passwordHash hash: String, keepingData keepsData: Bool) async throws(TodoError) {
        try enroll(uid, passwordHash: hash, keepingData: keepsData, by: nil)
    }

    /// Makes an account, and answers who asked for its name before.
    func enroll(
        _ uid: String,
        passwordHash hash: String,
        keepingData keepsData: Bool,
        by use: InvitationUse?
    ) throws(TodoError) {
        try TodoBounds.uid(uid)
        let user = database[uid]
        guard user.account.passwordHash == nil else { throw .exists("\(uid) has an account") }
        guard !user.account.wasRemoved || keepsData || user.latest == .zero else {
            throw .exists("what the removed account \(uid) had is still here: keep it, or choose another name")
        }
        endAll(uid)
        database[uid].account.passwordHash = hash
        database[uid].account.wasRemoved = false
        database[uid].account.invitation = use?.name
        database[uid].account.welcomes = use?.welcomes == true
        database[uid].account.made = database.microseconds / 1_000_000
        // What the one before was allowed is for nobody else.
        if user.account.wasRemoved, !keepsData { database[uid].account.limits = AccountLimits() }
        relations.answerWishes(for: uid)
    }

    func setPasswordHash(_ hash: String, of uid: String) async throws(TodoError) -> Int {
        _ = try account(of: uid)
        database[uid].account.passwordHash = hash
        database[uid].account.endResets()
        let count = endAll(uid)
        note(.passwordChanged, of: uid)
        return count
    }

    func changePassword(
        to hash: String,
        of uid: String,
        since generation: Int,
        beginning draft: SessionDraft,
        by session: String?
    ) async throws(TodoError) -> Int {
        guard draft.kind == .signIn else { throw .invalid("kind must be sign-in") }
        try draft.check()
        try database.refuseWhileLeaving(uid)
        let account = try account(of: uid, since: generation)
        if let session {
            guard account.sessions.contains(where: { $0.id == session }) else {
                throw .notFound("\(uid) has no such session (any more)")
            }
        } else if draft.factor != true, account.factor != nil {
            throw .conflict("\(uid) has a second factor: sign in with its code", current: nil)
        }
        database[uid].account.passwordHash = hash
        database[uid].account.endResets()
        endAll(uid)
        store(draft, of: uid)
        note(.passwordChanged, draft, of: uid)
        return database[uid].account.generation
    }

    func removeAccount(_ uid: String) async throws(TodoError) {
        _ = try account(of: uid)
        database[uid].account.passwordHash = nil
        database[uid].account.addresses = []
        database[uid].account.events = []
        database[uid].account.invitations = []
        database[uid].account.identities = []
        database[uid].account.endResets()
        database[uid].account.factor = nil
        database[uid].account.pendingFactor = nil
        (database[uid].operations, database[uid].visits) = (InMemoryOperations(), InMemoryOperations())
        (database[uid].account.mail, database[uid].account.mailOffer) = (nil, nil)
        (database[uid].account.wasRemoved, database[uid].account.welcomes) = (true, false)
        (database[uid].account.role, database[uid].account.suspension) = (nil, nil)
        database[uid].account.leaving = nil
        endAll(uid)
    }
}
