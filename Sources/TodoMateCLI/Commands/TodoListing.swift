import CommandArguments
import Foundation
import TerminalUI
import TodoMate

/// How `list` and `search` print todos: as a table on a terminal, else as JSON Lines, or as was asked for.
struct TodoListing: Sendable {
    @Flag(.json) private var asJSON: Bool
    @Flag("plain", help: "Print one line per todo, even when piped.") private var plain: Bool
    @Environment private var environment: [String: String]

    /// - Throws: `CommandError` when two ways are asked for.
    func check() throws {
        guard !asJSON || !plain else { throw CommandError.usage("give one of --json and --plain") }
    }

    func write(_ todos: [Todo]) throws {
        let terminal = Terminal(environment: environment)
        let text =
            if terminal.isTerminal, !asJSON, !plain {
                TodoTable(
                    todos: todos,
                    today: CalendarDate(Date(), in: .current),
                    width: terminal.columns,
                    style: terminal.styleSupport
                ).text
            } else {
                (plain ? todos.withNotesLast : todos).map { $0.report(asJSON: !plain) }.joined()
            }
        try StandardOutput.write(text)
    }
}
