import TerminalUI
import TodoMate

/// A line that is being typed, and what it is for.
struct BoardPrompt: Equatable {
    /// What becomes of the text.
    enum Purpose: Equatable {
        /// A new todo with this id; nil for the day that is shown.
        case add(id: String, uid: String, date: CalendarDate?)
        case edit(Todo)
        case note(Todo)
        case move(Todo)
        case filter
    }

    let purpose: Purpose
    var editor: LineEditor
    /// Why the text was not taken.
    var problem: BoardNotice?

    init(_ purpose: Purpose, problem: BoardNotice? = nil, text: String? = nil) {
        self.purpose = purpose
        self.problem = problem
        editor =
            switch purpose {
            case .add: LineEditor(text ?? "", limit: TodoBounds.contentLength)
            case .edit(let todo): LineEditor(text ?? todo.content, limit: TodoBounds.contentLength)
            case .note(let todo): LineEditor(text ?? todo.detail, limit: TodoBounds.detailLength, isMultiline: true)
            case .move: LineEditor(text ?? "", limit: 40)
            case .filter: LineEditor(text ?? "", limit: TodoBounds.contentLength)
            }
    }

    /// Offers the words of a write that was refused once more; nil when it had none.
    init?(retrying write: BoardWrite, _ error: TodoError, _ makeID: () -> String) {
        let problem = BoardNotice.notSaved(error)
        // The next try is made on top of what others wrote meanwhile.
        let current = if case .conflict(_, let current?) = error { current } else { write.before }
        switch (write.change, current) {
        case (.add(let draft), _):
            // The same id once more, so that an add whose answer was lost is not added twice.
            let id = if case .exists = error { makeID() } else { write.id }
            self.init(.add(id: id, uid: write.uid, date: draft.date), problem: problem, text: draft.content)
        case (.patch(let patch, _), let current?):
            if let text = patch.content {
                if case .notFound = error {
                    let purpose = Purpose.add(id: makeID(), uid: write.uid, date: current.date)
                    self.init(purpose, problem: .goneWhileEditing, text: text)
                } else {
                    self.init(.edit(current), problem: problem, text: text)
                }
            } else if let text = patch.detail {
                self.init(.note(current), problem: problem, text: text)
            } else {
                return nil
            }
        default: return nil
        }
    }
}

extension BoardState {
    /// Obeys a key while a line is being typed.
    mutating func press(_ key: KeyPress, in prompt: BoardPrompt, _ content: BoardContent) -> [BoardEffect] {
        var prompt = prompt
        prompt.problem = nil
        switch key {
        case KeyPress(.enter): return enter(prompt, content)
        case KeyPress(.escape):
            if prompt.purpose == .filter { filter = "" }
            mode = .board
            return []
        default:
            _ = prompt.editor.press(key)
            if prompt.purpose == .filter { filter = prompt.editor.text }
            mode = .prompt(prompt)
            return []
        }
    }

    private mutating func enter(_ prompt: BoardPrompt, _ content: BoardContent) -> [BoardEffect] {
        let text = prompt.editor.text
        let isBlank = text.allSatisfy(\.isWhitespace)
        mode = .board
        switch prompt.purpose {
        case .filter: return []
        case .add(let id, let uid, let date):
            return isBlank ? [] : add(text.trimmed, id: id, uid: uid, on: date ?? day(content), content)
        case .edit(let todo):
            guard !isBlank else { return refuse(prompt, .empty) }
            guard text.trimmed != todo.content else { return [] }
            // A text that someone else has written meanwhile is not overwritten unseen.
            let isSame = content.todo(todo.id, of: todo.uid).map { $0.content == todo.content } ?? true
            return patch(todo, TodoPatch(content: text.trimmed), expecting: isSame ? nil : todo.written)
        case .note(let todo):
            guard text.trimmed != todo.detail else { return [] }
            let isSame = content.todo(todo.id, of: todo.uid).map { $0.detail == todo.detail } ?? true
            return patch(todo, TodoPatch(detail: text.trimmed), expecting: isSame ? nil : todo.written)
        case .move(let todo):
            guard !isBlank else { return [] }
            do {
                return move(todo, to: try parseDay(text.trimmed))
            } catch {
                return refuse(prompt, .noDay(text.trimmed))
            }
        }
    }

    private mutating func refuse(_ prompt: BoardPrompt, _ problem: BoardNotice) -> [BoardEffect] {
        var prompt = prompt
        prompt.problem = problem
        mode = .prompt(prompt)
        return []
    }

    private mutating func add(
        _ text: String,
        id: String,
        uid: String,
        on date: CalendarDate,
        _ content: BoardContent
    ) -> [BoardEffect] {
        // What was just added is to be seen.
        filter = ""
        select(id, at: todos(of: user, content).count, isAwaited: true)
        return write(.add(TodoDraft(id: id, date: date, content: text)), id: id, uid: uid, before: nil)
    }
}

extension String {
    /// Without spaces around it.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
        )
    }
}
