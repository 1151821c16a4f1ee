package import EventLoop

/// Writes notes of days. They are read as the todos that they are: by ``DayNote/id(of:)``, in lists, or by a search for notes alone.
@LoopActor
package protocol NoteStoreType: AnyObject, Sendable {
    /// Writes the note of a day, changes who may see it, or takes it away.
    ///
    /// - Parameters:
    ///   - detail: what it is to say; without any text the note is taken away. Nil leaves what it says.
    ///   - visibility: who may see it; nil for those who may now, and for nobody else if it is new.
    ///   - day: the day.
    ///   - uid: whose note.
    ///   - revision: the revision that the note must still have, 0 where there must be none; nil for any.
    /// - Returns: the write; its change is a removal where the note was taken away.
    /// - Throws: ``TodoError/invalid(_:)``, ``TodoError/notFound(_:)`` where there is none to change or to take away,
    ///   ``TodoError/conflict(_:current:)``, ``TodoError/full(_:)``.
    @discardableResult
    func set(
        _ detail: String?,
        visibility: Visibility?,
        on day: CalendarDate,
        of uid: String,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite
}
