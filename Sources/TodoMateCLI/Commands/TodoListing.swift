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

    /// Whether todos are printed as a table.
    var isForReading: Bool { Terminal(environment: environment).isTerminal && !asJSON && !plain }

    /// - Parameter goals: what a table groups them by.
    func write(_ todos: [Todo], by goals: [Goal] = []) throws {
        let terminal = Terminal(environment: environment)
        let text =
            if isForReading {
                TodoTable(
                    todos: todos,
                    goals: goals,
                    today: CalendarDate(Date(), in: .current),
                    width: terminal.columns,
                    style: terminal.styleSupport,
                    language: BoardLanguage(environment: environment)
                ).text
            } else {
                (plain ? todos.withNotesLast : todos).map { $0.report(asJSON: !plain) }.joined()
            }
        try StandardOutput.write(text)
    }
}
