public import TodoMate

extension RedisTodoRepository {
    /// All stores, for a gateway.
    public var stores: Stores {
        Stores(
            todos: self,
            relations: relations,
            shared: shared,
            feeds: feeds,
            accounts: accounts,
            sessions: sessions,
            invitations: invitations,
            resets: resets,
            mails: mails,
            identities: identities,
            operators: operators,
            announcements: announcements,
            factors: factors,
            deletions: deletions,
            archives: archives,
            histories: histories,
            goals: goals,
            searches: searches,
            routines: routines,
            notes: notes
        )
    }
}
