import TodoMate

/// What the board has to say about a key or a write, in no language yet.
enum BoardNotice: Equatable {
    case deleted(String)
    case moved(String, CalendarDate)
    case undone(String)
    case nothingToUndo
    case nothingSelected
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
        case .notSaved, .goneWhileEditing, .empty, .noDay: true
        default: false
        }
    }
}
