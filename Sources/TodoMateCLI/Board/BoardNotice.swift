import TodoMate

/// What the board has to say about a key or a write, in no language yet.
enum BoardNotice: Equatable {
    case deleted(String)
    /// The reactions to it do not come back with it.
    case deletedForGood(String)
    /// A day of what is done again and again.
    case skipped(String)
    case moved(String, CalendarDate, TimeOfDay?)
    /// So many were moved to today at once.
    case movedAll(Int)
    case undone(String)
    /// What was done to so many at once.
    case undoneAll(Int)
    /// A new todo that is not on the day that shows.
    case added(String, CalendarDate, TimeOfDay?)
    /// It is done again and again from now on.
    case routineAdded(String)
    /// From this day on it has no more days.
    case routineEnded(String, CalendarDate)
    /// From this day on it is another one.
    case routineChanged(String, CalendarDate)
    /// Somebody else has changed or ended it.
    case routineChangedElsewhere(String)
    /// A change of it is on its way, and another one has to wait.
    case routineSaving(String)
    /// The todo with these words is of no routine.
    case noRoutine(String)
    /// By its rule it has that day no more, so it cannot go on from it by that rule.
    case notItsDay(String, CalendarDate)
    /// More lines than may be added at once.
    case tooManyLines(Int)
    /// A line of so many characters.
    case tooLong(Int)
    case nothingToUndo
    /// What was done to the todo with these words is not undone, as somebody else has changed it since.
    case notUndone(String, TodoError)
    /// The todo with these words is what it was.
    case broughtBack(String)
    case notBroughtBack(TodoError)
    case nothingSelected
    /// Nothing is unfinished from days before.
    case nothingEarlier
    /// This user has written nothing about a day that others may see.
    case noNote(String, CalendarDate)
    /// This user's list is read-only.
    case readOnly(String)
    case notSaved(TodoError)
    /// The todo with these words was only published, and cannot be changed.
    case onlyShown(String)
    case goneWhileEditing
    /// A todo needs words.
    case empty
    /// The todo's time, or its lack of one, puts it elsewhere.
    case orderedByTime(String)
    /// What it is for puts it elsewhere.
    case orderedByGoal(String)
    /// Todos stand by what they are for from now on, or do not.
    case byGoal(Bool)
    /// The text is no day and no time.
    case noDay(String)
    /// No goal is called so.
    case noGoal(String)
    /// It was changed here and elsewhere at once, and stands as it was done here; and so many more.
    case overwritten(String, besides: Int)
    /// What was refused is given up.
    case discarded(String)
    /// What is on its way cannot be given up.
    case stillSent(String)
    /// Nothing is kept without a network, for this reason.
    case notKept(String)
    /// The board closes as soon as the last change is saved.
    case savingBeforeQuit

    /// Whether something went wrong.
    var isTrouble: Bool {
        switch self {
        case .notSaved, .notKept, .notUndone, .notBroughtBack, .routineChangedElsewhere, .notItsDay, .orderedByTime,
            .orderedByGoal, .tooManyLines, .tooLong, .goneWhileEditing, .empty, .noDay, .noGoal:
            true
        default: false
        }
    }
}
