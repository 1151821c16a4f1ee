public import EventLoop

/// All stores of one repository, for a gateway: `RedisTodoRepository.stores` or ``InMemoryTodoRepository/stores``.
@LoopActor
public struct Stores {
    /// Todos, their changes and their channels.
    package let todos: any TodoRepositoryType
    /// Relations and settings.
    package let relations: any RelationStoreType
    /// What one may see of others' todos.
    package let shared: any SharedTodoStoreType
    /// Feeds, reactions and badges.
    package let feeds: any FeedStoreType
    /// What signing in has to know.
    package let accounts: any AccountStoreType
    /// Accounts and their sessions.
    package let sessions: any SessionStoreType
    /// Invitations, and the accounts that come of them.
    package let invitations: any InvitationStoreType
    /// Links for a new password.
    package let resets: any PasswordResetStoreType
    /// The addresses that accounts have mail sent to.
    package let mails: any MailStoreType
    /// Identities at OpenID providers.
    package let identities: any IdentityStoreType
    /// What operators decide about accounts.
    package let operators: any OperatorStoreType
    /// What is announced to all.
    package let announcements: any AnnouncementStoreType
    /// Second factors.
    package let factors: any FactorStoreType
    /// Accounts that are to be deleted.
    package let deletions: any DeletionStoreType
    /// What people take along.
    package let archives: any ArchiveStoreType
    /// What became of todos.
    package let histories: any HistoryStoreType
    /// What todos are for.
    package let goals: any GoalStoreType
    /// Finds todos.
    package let searches: any SearchStoreType
    /// What people do again and again.
    package let routines: any RoutineStoreType
    /// What people write about days.
    package let notes: any NoteStoreType

    package init(
        todos: any TodoRepositoryType,
        relations: any RelationStoreType,
        shared: any SharedTodoStoreType,
        feeds: any FeedStoreType,
        accounts: any AccountStoreType,
        sessions: any SessionStoreType,
        invitations: any InvitationStoreType,
        resets: any PasswordResetStoreType,
        mails: any MailStoreType,
        identities: any IdentityStoreType,
        operators: any OperatorStoreType,
        announcements: any AnnouncementStoreType,
        factors: any FactorStoreType,
        deletions: any DeletionStoreType,
        archives: any ArchiveStoreType,
        histories: any HistoryStoreType,
        goals: any GoalStoreType,
        searches: any SearchStoreType,
        routines: any RoutineStoreType,
        notes: any NoteStoreType
    ) {
        (self.todos, self.relations, self.shared) = (todos, relations, shared)
        (self.feeds, self.accounts, self.sessions) = (feeds, accounts, sessions)
        (self.invitations, self.resets, self.mails) = (invitations, resets, mails)
        self.identities = identities
        self.operators = operators
        self.announcements = announcements
        self.factors = factors
        self.deletions = deletions
        self.archives = archives
        self.histories = histories
        self.goals = goals
        self.searches = searches
        self.routines = routines
        self.notes = notes
    }
}
