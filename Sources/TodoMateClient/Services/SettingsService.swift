public import EventLoop
public import TodoMate

/// What a person has decided about themselves, their goals and routines: ``TodoClient/settings``.
///
/// With a file, what was read last is shown without a network; changes need the server, and throw
/// ``/TodoMate/TodoError/unavailable(_:)`` without it.
@LoopActor
public struct SettingsService {
    let uid: String
    let relations: any RelationStoreType
    let goals: any GoalStoreType
    let routines: any RoutineStoreType

    /// All of it. Changes come to observers of the person's todos, as account changes.
    public func read() async throws(TodoError) -> AccountSettings { try await relations.profile(of: uid).settings }

    /// Changes what is not nil.
    ///
    /// - Parameters:
    ///   - audience: who may follow.
    ///   - visibility: what new todos are, unless they say otherwise.
    ///   - name: how the person is called; empty for no name of their own.
    ///   - face: an emoji in place of initials; empty for none.
    ///   - feedSeen: the time up to which the feed was seen, in microseconds since 1970; it only rises.
    @discardableResult
    public func change(
        audience: Visibility? = nil,
        visibility: Visibility? = nil,
        name: String? = nil,
        face: String? = nil,
        feedSeen: Int? = nil
    ) async throws(TodoError) -> AccountSettings {
        let preferences = ["name": name, "face": face].compactMapValues { $0 }
        let patch = AccountPatch(
            audience: audience,
            visibility: visibility,
            feedSeen: feedSeen,
            preferences: preferences
        )
        return try await relations.set(patch, of: uid)
    }

    /// Makes a goal, or changes one; todos that have it keep their visibility.
    ///
    /// - Throws: ``/TodoMate/TodoError/full(_:)`` where there are ``/TodoMate/Goal/most``.
    @discardableResult
    public func set(_ goal: GoalPatch) async throws(TodoError) -> Goal { try await goals.set(goal, of: uid) }

    /// Removes a goal, and takes it from the todos that have it, whose visibility stays.
    public func removeGoal(_ id: String) async throws(TodoError) {
        var place: String?
        repeat { place = try await goals.remove(id, of: uid, from: place).next } while place != nil
    }

    /// Makes routines, changes them or takes them away, all at once; todos of theirs that are there stay as they are.
    ///
    /// - Returns: all routines, in list order.
    /// - Throws: ``/TodoMate/TodoError/full(_:)`` where there are ``/TodoMate/Routine/most``.
    @discardableResult
    public func set(_ routines: [RoutinePatch]) async throws(TodoError) -> [Routine] {
        try await self.routines.set(routines, of: uid)
    }

    /// Leaves out one day of a routine, or has it again. With a file, this waits for the network like a todo does.
    @discardableResult
    public func skip(_ day: CalendarDate, of routine: String, isBack: Bool = false) async throws(TodoError) -> [Routine]
    {
        try await routines.skip(day, of: routine, of: uid, isBack: isBack)
    }

    /// Ends a routine on the day before one, and has another begin on that day; nil for none.
    ///
    /// - Parameters:
    ///   - routine: the id of the one that ends.
    ///   - day: the first day that is not its any more.
    ///   - other: the one that begins, without what stays as it was; nil for none.
    ///   - seen: the rule that was shown, so that two devices do not split it into two; nil to do it whatever that is.
    /// - Throws: ``/TodoMate/TodoError/conflict(_:current:)`` where the rule is another one, or ended before.
    @discardableResult
    public func split(_ routine: String, on day: CalendarDate, into other: RoutinePatch?, seen: RoutineRule? = nil)
        async throws(TodoError) -> [Routine]
    {
        try await routines.split(routine, of: uid, on: day, into: other, seen: seen)
    }
}
