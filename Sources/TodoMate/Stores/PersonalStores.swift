package import EventLoop

/// The stores that views and a person's own commands need: those that a server offers over HTTP, too.
@LoopActor
package struct PersonalStores {
    /// Todos, their changes and their channels.
    package let todos: any TodoRepositoryType
    /// Relations and settings.
    package let relations: any RelationStoreType
    /// What one may see of others' todos.
    package let shared: any SharedTodoStoreType
    /// Feeds, reactions and badges.
    package let feeds: any FeedStoreType
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
    /// Accounts that are to be deleted; nil where a server leaves them out by itself.
    package let deletions: (any DeletionStoreType)?

    package init(
        todos: any TodoRepositoryType,
        relations: any RelationStoreType,
        shared: any SharedTodoStoreType,
        feeds: any FeedStoreType,
        histories: any HistoryStoreType,
        goals: any GoalStoreType,
        searches: any SearchStoreType,
        routines: any RoutineStoreType,
        notes: any NoteStoreType,
        deletions: (any DeletionStoreType)? = nil
    ) {
        (self.todos, self.relations, self.shared, self.feeds) = (todos, relations, shared, feeds)
        (self.histories, self.goals, self.searches, self.routines) = (histories, goals, searches, routines)
        (self.notes, self.deletions) = (notes, deletions)
    }
}

extension Stores {
    /// Those that a person's own commands need.
    package var personal: PersonalStores {
        PersonalStores(
            todos: todos,
            relations: relations,
            shared: shared,
            feeds: feeds,
            histories: histories,
            goals: goals,
            searches: searches,
            routines: routines,
            notes: notes,
            deletions: deletions
        )
    }
}
