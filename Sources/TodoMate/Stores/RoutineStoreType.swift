package import EventLoop

/// Stores users' routines. They are part of the settings: a change of one is a change of the account, with all routines.
///
/// The todo of a routine's day is made by an update of it: ``TodoRepositoryType/update(_:of:with:expecting:)``.
@LoopActor
package protocol RoutineStoreType: AnyObject, Sendable {
    /// All routines of a user, in list order.
    func routines(of uid: String) async throws(TodoError) -> [Routine]

    /// Makes routines, changes them or takes them away, all at once; todos of theirs that are there stay as they are.
    ///
    /// - Returns: all routines, in list order.
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/full(_:)`` where there are ``Routine/most``; ``TodoError/notFound(_:)`` and
    ///   ``TodoError/conflict(_:current:)`` where a patch says which rule was seen, or which other routine remembers the days.
    @discardableResult
    func set(_ patches: [RoutinePatch], of uid: String) async throws(TodoError) -> [Routine]

    /// Leaves out one day of a routine, or has it again, which needs that its todo is gone.
    ///
    /// - Returns: all routines, in list order.
    /// - Throws: ``TodoError/notFound(_:)`` for a routine that is not there, ``TodoError/invalid(_:)`` for a day that is none of its, or
    ///   was long ago, ``TodoError/exists(_:)``, ``TodoError/full(_:)``.
    @discardableResult
    func skip(_ day: CalendarDate, of routine: String, of uid: String, isBack: Bool) async throws(TodoError)
        -> [Routine]

    /// Ends a routine on the day before one, and has another begin on that day. What is not said of that one is as it was; without a
    /// day before, the old one is taken away. Days that were made or skipped stay so.
    ///
    /// - Parameters:
    ///   - other: the one that begins; nil for none.
    ///   - seen: the rule that the caller has seen; nil to do it whatever that is.
    /// - Returns: all routines, in list order.
    /// - Throws: ``TodoError/notFound(_:)``, ``TodoError/invalid(_:)``, ``TodoError/exists(_:)``, ``TodoError/full(_:)``,
    ///   ``TodoError/conflict(_:current:)`` where the rule is another one, or ended before that day already and another is to begin.
    @discardableResult
    func split(
        _ routine: String,
        of uid: String,
        on day: CalendarDate,
        into other: RoutinePatch?,
        seen: RoutineRule?
    ) async throws(TodoError) -> [Routine]
}

extension RoutineStoreType {
    /// Splits a routine whatever has become of its rule, unless it ended before.
    @discardableResult
    package func split(
        _ routine: String,
        of uid: String,
        on day: CalendarDate,
        into other: RoutinePatch?
    ) async throws(TodoError) -> [Routine] {
        try await split(routine, of: uid, on: day, into: other, seen: nil)
    }

    /// Leaves out one day of a routine.
    @discardableResult
    package func skip(_ day: CalendarDate, of routine: String, of uid: String) async throws(TodoError) -> [Routine] {
        try await skip(day, of: routine, of: uid, isBack: false)
    }
}
