import EventLoop

// What happened to accounts.
extension InMemorySessionStore {
    private static let refusedMilliseconds = 60_000
    private static let mostRefused = 50

    func noteRefusal(from network: String, of uid: String) async throws(TodoError) {
        try TodoBounds.uid(uid)
        let account = database[uid].account
        guard account.passwordHash != nil else { return }
        let now = database.microseconds / 1000
        let last = account.events.last { $0.kind == AccountEvent.Kind.refused.rawValue }
        if let last, now - last.at < Self.refusedMilliseconds { return }
        database.noteRefusal(AccountEvent(at: now, .refused, from: network), of: uid, most: Self.mostRefused)
    }

    func events(of uid: String) async throws(TodoError) -> [AccountEvent] {
        try TodoBounds.uid(uid)
        return database[uid].account.events.reversed()
    }
}
