extension InMemoryTodoRepository {
    /// All stores, for a gateway.
    public var stores: Stores {
        Stores(
            todos: self,
            relations: relations,
            shared: shared,
            feeds: feeds,
            accounts: sessions,
            sessions: sessions,
            invitations: invitations,
            resets: invitations,
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
