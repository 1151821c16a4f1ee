import EventLoop
import TerminalUI
import TodoMate

extension Todo {
    /// The todo in one line of text, fit for a terminal: id, day, status, time if any, content and reactions.
    var line: String {
        "\(id.padded(toWidth: 22))  \(date)  \(status.rawValue.padded(toWidth: 10))  \(timedContent)"
            + reactionCounts
    }

    /// The content, behind its time where it has one: `09:30  Call mum`; of a note what it says.
    var timedContent: String { (time.map { "\($0)  " } ?? "") + name }

    /// How many reacted with what, to stand behind the content: `  🎉 2  👍 1`; empty without reactions.
    var reactionCounts: String {
        reactions.sorted { $0.key < $1.key }.map { "  \($0.key) \($0.value)" }.joined()
    }

    /// What a command prints about a todo that it wrote.
    func report(asJSON: Bool) -> String { (asJSON ? TodoDTO(self).json : line) + "\n" }
}

extension TodoChange {
    /// The change in one line of text, fit for a terminal: user, kind, day, status, time if any, and content; of a todo that is hidden
    /// now its id alone.
    var line: String {
        let start = "\(uid)  \(kind.rawValue.padded(toWidth: 8))  "
        guard !todo.content.isEmpty else { return start + todo.id }
        return start + "\(todo.date)  \(todo.status.rawValue.padded(toWidth: 10))  \(todo.timedContent)"
    }
}
