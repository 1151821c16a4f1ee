import EventLoop

/// Invitations and links for a new password, in this process alone.
@LoopActor
final class InMemoryInvitationStore: InvitationStoreType, PasswordResetStoreType {
    private static let mostKept = 100
    /// An account is made this many seconds after a use was taken for it, and no later.
    private static let enrollSeconds = 60
    private static let abandonedSeconds = 120

    private let database: InMemoryDatabase
    private let sessions: InMemorySessionStore

    init(_ database: InMemoryDatabase, _ sessions: InMemorySessionStore) {
        (self.database, self.sessions) = (database, sessions)
    }

    private var now: Int { database.microseconds / 1_000_000 }

    // MARK: Invitations

    func invite(_ draft: InvitationDraft, by uid: String) async throws(TodoError) -> Invitation {
        try draft.check()
        _ = try sessions.account(of: uid)
        try database.refuseWhileLeaving(uid)
        var all = current(of: uid)
        guard !database[uid].account.invitations.contains(where: { $0.id == draft.id }) else {
            throw .exists("there is an invitation with this id: take another")
        }
        let open = all.count { $0.left > 0 }
        guard open < draft.most ?? InvitationDraft.mostOpen else {
            throw .full("\(uid) has \(open) open invitations already: take some back")
        }
        if all.count >= Self.mostKept, let first = all.firstIndex(where: { $0.left == 0 }) { all.remove(at: first) }
        let label = draft.label.flatMap { $0.isEmpty ? nil : $0 }
        let invitation = Invitation(
            id: draft.id,
            made: now,
            expires: now + draft.seconds,
            uses: draft.uses,
            welcome: draft.welcome == true ? true : nil,
            label: label
        )
        database[uid].account.invitations = all + [invitation]
        return invitation
    }

    func invitations(of uid: String) async throws(TodoError) -> [Invitation] {
        try TodoBounds.uid(uid)
        return current(of: uid)
    }

    func invitation(_ name: InvitationName) async throws(TodoError) -> Invitation { try found(name).invitation }

    func endInvitation(_ name: InvitationName) async throws(TodoError) {
        try TodoBounds.uid(name.inviter)
        try Self.check(name.id)
        let all = database[name.inviter].account.invitations
        guard all.contains(where: { $0.id == name.id }) else { throw Self.none(name.inviter) }
        database[name.inviter].account.invitations.removeAll { $0.id == name.id }
    }

    func take(_ name: InvitationName, for uid: String) async throws(TodoError) -> Int {
        try TodoBounds.uid(uid)
        var (index, invitation) = try found(name)
        var arrival = Invitation.Arrival(uid: uid, at: now)
        if let place = invitation.came.firstIndex(where: { $0.uid == uid }) {
            if invitation.came[place].joined == true { return 0 }
            arrival.answered = invitation.came[place].answered
            invitation.came[place] = arrival
        } else {
            guard invitation.left > 0 else {
                throw .full("this invitation of \(name.inviter) is used up: ask for another")
            }
            invitation.came.append(arrival)
        }
        database[name.inviter].account.invitations[index] = invitation
        return arrival.at
    }

    func settle(_ name: InvitationName, for uid: String) async throws(TodoError) {
        try TodoBounds.uid(uid)
        try TodoBounds.uid(name.inviter)
        try Self.check(name.id)
        database.settle(name, for: uid)
    }

    func giveBack(
        _ name: InvitationName,
        of uid: String,
        taken: Int,
        ifAbandoned mustBeOld: Bool
    ) async throws(TodoError) -> Bool {
        let arrival = Invitation.Arrival(uid: uid, at: taken)
        let all = database[name.inviter].account.invitations
        guard let index = all.firstIndex(where: { $0.id == name.id }), all[index].came.contains(arrival),
            !mustBeOld || taken + Self.abandonedSeconds < now
        else { return false }
        database[name.inviter].account.invitations[index].came.removeAll { $0 == arrival }
        return true
    }

    // MARK: Accounts

    func enroll(
        _ uid: String,
        passwordHash hash: String,
        by use: InvitationUse?
    ) async throws(TodoError) -> Int? {
        try TodoBounds.uid(uid)
        let user = database[uid]
        guard user.account.passwordHash == nil else {
            if let use, user.account.invitation == use.name { return nil }
            throw .exists("\(uid) has an account")
        }
        guard user.latest == .zero else { throw .exists("there is something under the name \(uid): choose another") }
        let isTaken = database.users.contains { other, user in
            NameLikeness.areAlike(uid, other) && user.account.passwordHash != nil
        }
        guard !isTaken else { throw .exists("a name that looks like \(uid) is taken: choose another") }
        if let use, now > use.taken + Self.enrollSeconds {
            throw .conflict("the use of the invitation was taken too long ago: take it again", current: nil)
        }
        try sessions.enroll(uid, passwordHash: hash, keepingData: false, by: use)
        return database[uid].account.generation
    }

    func came(_ uid: String, by name: InvitationName) async throws(TodoError) -> Bool {
        database[uid].account.invitation == name
    }

    // MARK: Passwords

    func offerReset(_ id: String, of uid: String, seconds: Int) async throws(TodoError) {
        try PasswordResetBounds.check(id, seconds)
        _ = try sessions.account(of: uid)
        database[uid].account.reset = (id, now + seconds)
    }

    func isReset(_ id: String, of uid: String) async throws(TodoError) -> Bool {
        try Self.check(id)
        try TodoBounds.uid(uid)
        let account = database[uid].account
        let isGood = [account.reset, account.mailedReset].contains {
            $0.map { $0.id == id && $0.expires > now } ?? false
        }
        guard account.passwordHash != nil, isGood else { return false }
        try InMemorySessionStore.checkNotSuspended(account, uid)
        return true
    }

    func resetPassword(_ id: String, of uid: String, hash: String) async throws(TodoError) -> Int {
        guard try await isReset(id, of: uid) else {
            throw .notFound("this link is not valid (any more): ask for another")
        }
        _ = try await sessions.setPasswordHash(hash, of: uid)
        return database[uid].account.generation
    }

    // MARK: Parts

    private func current(of uid: String) -> [Invitation] {
        database[uid].account.invitations.filter { $0.expires > now }
    }

    private func found(_ name: InvitationName) throws(TodoError) -> (index: Int, invitation: Invitation) {
        try TodoBounds.uid(name.inviter)
        try Self.check(name.id)
        let account = database[name.inviter].account
        guard let index = account.invitationInForce(name.id, at: now) else { throw Self.none(name.inviter) }
        return (index, account.invitations[index])
    }

    private static func check(_ id: String) throws(TodoError) {
        guard InvitationDraft.isID(id) else { throw .invalid("id must be 22 characters of base64url") }
    }

    private static func none(_ uid: String) -> TodoError {
        .notFound("there is no such invitation of \(uid) (any more)")
    }
}
