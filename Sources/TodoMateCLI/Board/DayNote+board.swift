import TerminalUI
import TodoMate

extension BoardState {
    /// Opens the note of the day shown: to be written, or where the list is somebody else's, to be read.
    mutating func openNote(_ content: BoardContent) {
        let (uid, day) = (content.users[user].uid, day(content))
        let note = content.note(of: user, on: day)
        guard content.users[user].isReadOnly else {
            if let note, content.isOnlyShown(note) {
                notice = .onlyShown(note.detail)
                return
            }
            mode = .prompt(BoardPrompt(.dayNote(uid: uid, date: day, before: note)))
            return
        }
        if note == nil {
            notice = .noNote(uid, day)
        } else {
            mode = .page(.todo(id: DayNote.id(of: day), uid: uid), scroll: 0)
        }
    }

    /// Writes a note that began as `before`; what somebody else has made of it meanwhile is not overwritten unseen.
    mutating func write(
        _ prompt: BoardPrompt,
        of uid: String,
        on day: CalendarDate,
        before: Todo?,
        _ content: BoardContent
    ) -> [BoardEffect] {
        let (id, text) = (DayNote.id(of: day), prompt.editor.text.trimmed)
        // The board may show another month by now, as after midnight: what is not known here is the server's to compare.
        let shown = CalendarMonth(containing: self.day(content))
        let isKnown = day == content.today || CalendarMonth(containing: day) == shown
        let now = isKnown ? content.todo(id, of: uid) : before
        guard text != before?.detail ?? "" else { return [] }
        guard now?.detail == before?.detail else {
            return refuse(
                prompt.over(now, of: uid, on: day),
                .notSaved(now == nil ? .notFound("") : .conflict("", current: now))
            )
        }
        guard let before = now else {
            return write(.add(DayNote.draft(text, on: day)), id: id, uid: uid, before: nil)
        }
        if text.isEmpty { return write(.remove, id: id, uid: uid, before: before) }
        return write(.patch(TodoPatch(detail: text), expecting: before.written), id: id, uid: uid, before: before)
    }
}

extension BoardPrompt {
    /// The same text, to be written over what the note is now.
    fileprivate func over(_ now: Todo?, of uid: String, on day: CalendarDate) -> BoardPrompt {
        var prompt = BoardPrompt(.dayNote(uid: uid, date: day, before: now))
        prompt.editor = editor
        return prompt
    }

    /// Offers a note that was refused once more.
    static func dayNote(retrying write: BoardWrite, _ text: String, on day: CalendarDate, _ error: TodoError)
        -> BoardPrompt
    {
        let (before, problem): (Todo?, TodoError) =
            switch error {
            case .conflict(_, let current): (current, error)
            // Somebody has begun it elsewhere; what they wrote is not known here yet.
            case .exists: (nil, .conflict("", current: nil))
            case .notFound: (nil, error)
            default: (write.before, error)
            }
        return BoardPrompt(.dayNote(uid: write.uid, date: day, before: before), problem: .notSaved(problem), text: text)
    }
}

extension TodayColumn {
    /// How many lines of a note show at most, below its heading.
    private static let noteLines = 3
    /// How many lines a note takes at most.
    static let noteHeight = noteLines + 2

    /// The note of the day: below a heading, its first lines.
    func noteRows(width: Int, height: Int) -> [ScreenLine] {
        guard let note, height > 2 else { return [] }
        let words = language.words
        let heading = "\(words.dayNoteLabel) · \(words.visibility(note.visibility))"
        var lines = note.detail.split(separator: "\n").flatMap { $0.sanitized().folded(toWidth: width - 3) }
        let most = min(Self.noteLines, height - 2)
        if lines.count > most {
            lines = Array(lines.prefix(most))
            lines[most - 1] = lines[most - 1].truncated(toWidth: width - 5) + " …"
        }
        return [ScreenLine(), ScreenLine(" " + heading.truncated(toWidth: width - 1), .dim)]
            + lines.map { ScreenLine("   " + $0) }
    }
}
