import EventLoop
import Foundation

// What people have decided, and how others know them.
extension InMemoryRelationStore {
    func set(_ patch: AccountPatch, of uid: String) async throws(TodoError) -> AccountSettings {
        try await database.once("settings \(patch.json)", of: uid) { () throws(TodoError) in
            try put(patch, of: uid)
        }
    }

    private func put(_ patch: AccountPatch, of uid: String) throws(TodoError) -> AccountSettings {
        try TodoBounds.uid(uid)
        if let seen = patch.feedSeen {
            guard seen >= 0, Double(seen) < TodoBounds.largestPosition else {
                throw .invalid("feedSeen must be a time in whole microseconds since 1970")
            }
        }
        try database.refuseWhileLeaving(uid)
        let before = settings(of: uid)
        var after = before
        if let audience = patch.audience { after.audience = audience }
        if let visibility = patch.visibility { after.visibility = visibility }
        for (field, value) in patch.preferences { try after.preferences.set(field, to: value) }
        let id = database.nextID(of: uid)
        if let seen = patch.feedSeen { after.feedSeen = max(after.feedSeen, min(seen, id.microseconds)) }
        guard after != before else { return before }
        database[uid].account.audience = after.audience
        database[uid].account.visibility = after.visibility
        database[uid].account.feedSeen = after.feedSeen
        database[uid].account.preferences = after.preferences
        let audienceBefore = before.audience == after.audience ? nil : before.audience
        database.commit(TodoChange(id: id, .settings(after, audienceBefore: audienceBefore)))
        if audienceBefore != nil, database[uid].account.passwordHash != nil {
            let at = database.microseconds / 1000
            database.note(AccountEvent(at: at, .audienceChanged, audience: after.audience), of: uid)
        }
        return after
    }

    func profile(of uid: String) async throws(TodoError) -> AccountProfile {
        try TodoBounds.uid(uid)
        let (user, settings) = (database[uid], settings(of: uid))
        let counts = AccountProfile.Counts(
            following: user.following.count,
            followers: user.others[.following, default: [:]].count,
            requests: user.others[.requested, default: [:]].count,
            todos: user.todos.count,
            bytes: user.todos.values.reduce(0) { $0 + TodoDTO($1).json.utf8.count },
            bytesMost: user.account.limits[.bytes] ?? .max
        )
        return AccountProfile(settings: settings, counts: counts, role: user.account.role)
    }

    func person(_ uid: String, asKnownTo viewer: String) async throws(TodoError) -> PublicPerson {
        try TodoBounds.uid(uid)
        try TodoBounds.uid(viewer)
        let user = database[uid]
        let isOpen =
            user.account.audience == .public || user.has(viewer, in: .following) || user.following[viewer] != nil
        let isThere = user.account.leaving == nil
        guard viewer == uid || isThere && isOpen && !user.has(viewer, in: .blocked) else {
            return PublicPerson(uid: uid)
        }
        let preferences = user.account.preferences
        return PublicPerson(uid: uid, name: preferences.name, face: preferences.face)
    }

    /// Changes a user's audience alone, whether or not anything may be written.
    func set(audience: Visibility, of uid: String) {
        let before = database[uid].account.audience
        let id = database.nextID(of: uid)
        database[uid].account.audience = audience
        let audienceBefore = before == audience ? nil : before
        database.commit(TodoChange(id: id, .settings(settings(of: uid), audienceBefore: audienceBefore)))
    }

    private func settings(of uid: String) -> AccountSettings {
        let account = database[uid].account
        return AccountSettings(
            uid: uid,
            audience: account.audience,
            visibility: account.visibility,
            feedSeen: account.feedSeen,
            preferences: account.preferences,
            goals: account.goals.values.sorted { $0.id < $1.id },
            routines: account.routines.values.sorted { $0.id < $1.id }
        )
    }

    /// Logs and publishes the settings as they are stored.
    func commitSettings(of uid: String, _ id: ChangeID) {
        database.commit(TodoChange(id: id, .settings(settings(of: uid), audienceBefore: nil)))
    }
}
