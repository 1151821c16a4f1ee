import EventLoop
import TerminalUI
import TodoMate

extension Todo {
    /// The todo in one line of text, fit for a terminal: id, day, status, time if any, content and reactions.
    var line: String {
        "\(id.padded(toWidth: 22))  \(date)  \(kind.padded(toWidth: 10))  \(timedContent)"
            + reactionCounts
    }

    /// Its status; a note of a day has none.
    fileprivate var kind: String { isNote ? "note" : status.rawValue }

    /// The content, behind its time where it has one: `09:30  Call mum`; of a note what it says.
    var timedContent: String { (time.map { "\($0)  " } ?? "") + name }

    /// How many reacted with what, to stand behind the content: `  🎉 2  👍 1`; empty without reactions.
    var reactionCounts: String {
        reactions.sorted { $0.key < $1.key }.map { "  \($0.key) \($0.value)" }.joined()
    }

    /// What a command prints about a todo that it wrote.
    func report(asJSON: Bool) -> String { (asJSON ? TodoDTO(self).json : line) + "\n" }
}

extension [Todo] {
    /// Each day's note behind its todos.
    var withNotesLast: [Todo] {
        enumerated()
            .sorted { left, right in
                (left.element.date.ordinal, left.element.isNote ? 1 : 0, left.offset)
                    < (right.element.date.ordinal, right.element.isNote ? 1 : 0, right.offset)
            }
            .map(\.element)
    }
}

extension TodoChange {
    /// The change in one line of text, fit for a terminal: user, kind, day, status, time if any, and content; of a todo that is hidden
    /// now its id alone.
    var line: String {
        let start = "\(uid)  \(kind.rawValue.padded(toWidth: 8))  "
        guard !todo.content.isEmpty else { return start + todo.id }
        return start + "\(todo.date)  \(todo.kind.padded(toWidth: 10))  \(todo.timedContent)"
    }
}
