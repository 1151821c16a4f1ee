/// The note of a day: what a user writes about it, one text a day.
///
/// It is a todo whose id says so, `note-of-2026-11-20`, on the day that the id names; what it says is its ``Todo/detail``. So it is logged,
/// published, listed, shared, searched and exported as all todos are, and whoever knows nothing of notes shows it as a todo. Its content
/// and status are fixed: it is never open and never finished. A new one is private unless its writer says otherwise, whatever new
/// todos are: a diary that others have read cannot be made unread.
public enum DayNote {
    /// The content of every note: what those show who know nothing of notes.
    public static let content = "📔"
    /// What their ids begin with.
    private static let prefix = "note-of-"

    /// What the note of a day is called.
    public static func id(of day: CalendarDate) -> String { prefix + day.description }

    /// Whether an id is kept for notes.
    package static func isID(_ id: String) -> Bool { id.utf8.starts(with: prefix.utf8) }

    /// Whether a text would leave nothing of a note: writing it takes the note away.
    package static func isBlank(_ detail: String) -> Bool {
        detail.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// What writes the note of a day.
    package static func draft(_ detail: String, on day: CalendarDate, visibility: Visibility? = nil) -> TodoDraft {
        TodoDraft(
            id: id(of: day),
            date: day,
            content: content,
            detail: detail,
            status: .incomplete,
            visibility: visibility ?? .private
        )
    }

    /// Checks what is added under an id that is kept for notes, and completes it.
    static func checked(_ draft: TodoDraft) throws(TodoError) -> TodoDraft {
        guard let id = draft.id, isID(id) else { return draft }
        guard id == self.id(of: draft.date) else {
            throw .invalid("ids that begin with \(prefix) are of notes, each on the day that its id names")
        }
        guard draft.content == content, draft.status == .incomplete, draft.time == nil, draft.goal == nil else {
            throw .invalid(
                "a note has the content \(content), the status incomplete, no time and no goal: its text is its detail"
            )
        }
        guard !isBlank(draft.detail) else { throw .invalid("a note must say something: give detail") }
        var draft = draft
        draft.visibility = draft.visibility ?? .private
        return draft
    }

    /// Checks that of a note only what it says and who may see it becomes something else.
    static func check(_ todo: Todo, was before: Todo) throws(TodoError) {
        guard isID(todo.id) else { return }
        var rest = todo
        (rest.detail, rest.visibility) = (before.detail, before.visibility)
        guard rest == before else {
            throw .invalid("\(todo.id) is the note of a day: only its detail and its visibility can be changed")
        }
        guard todo.detail == before.detail || !isBlank(todo.detail) else {
            throw .invalid("a note must say something: remove it instead")
        }
    }
}

extension Todo {
    /// Whether it is the note of its day.
    public var isNote: Bool { DayNote.isID(id) && id == DayNote.id(of: date) }
}
