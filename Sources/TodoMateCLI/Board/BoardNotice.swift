import TodoMate

/// What the board has to say about a key or a write, in no language yet.
enum BoardNotice: Equatable {
    case deleted(String)
    case moved(String, CalendarDate)
    /// So many were moved to today at once.
    case movedAll(Int)
    case undone(String)
    /// What was done to so many at once.
    case undoneAll(Int)
    case nothingToUndo
    /// The todo with these words is what it was.
    case broughtBack(String)
    case notBroughtBack(TodoError)
    case nothingSelected
    /// Nothing is unfinished from days before.
    case nothingEarlier
    /// This user's list is read-only.
    case readOnly(String)
    case notSaved(TodoError)
    case goneWhileEditing
    /// A todo needs words.
    case empty
    /// The text is no day.
    case noDay(String)
    /// The board closes as soon as the last change is saved.
    case savingBeforeQuit

    /// Whether something went wrong.
    var isTrouble: Bool {
        switch self {
        case .notSaved, .notBroughtBack, .goneWhileEditing, .empty, .noDay: true
        default: false
        }
    }
}
