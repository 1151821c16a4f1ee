import TerminalUI
import TodoMate
import TodoMateGateway

/// Accounts as lines of a table, whose columns are the same on every page of it.
enum UserTable {
    private static let longestName = 24
    private static let nameColumn = 16

    /// How wide the first column is.
    static func nameWidth(_ names: [String]) -> Int {
        min(max(4, names.map(\.displayWidth).max() ?? 0), longestName)
    }

    /// What stands above the columns.
    static func head(_ width: Int) -> String {
        columns("NAME", "CALLED", "TODOS", "SIZE", "SIGN-INS", "TOKENS", "LAST USE", "MADE", "", width)
    }

    /// An account.
    static func line(_ summary: AccountSummary, _ width: Int) -> String {
        columns(
            summary.uid,
            (summary.name ?? "").sanitized(),
            summary.limits[.todos].map { "\(summary.todos) of \($0)" } ?? String(summary.todos),
            "\(ByteCount.text(summary.bytes)) of \(ByteCount.text(summary.bytesMost))",
            String(summary.signIns),
            summary.limits[.tokens].map { "\(summary.tokens) of \($0)" } ?? String(summary.tokens),
            summary.used.map(day) ?? "never",
            summary.made.map(day) ?? "?",
            state(summary),
            width
        )
    }

    /// What is special about it.
    private static func state(_ summary: AccountSummary) -> String {
        var words: [String] = []
        if summary.role == .operator { words.append("operator") }
        if let writes = summary.limits[.writes] { words.append("\(writes) writes/min") }
        if let most = summary.limits[.invitations] { words.append("\(most) invitations") }
        if let suspension = summary.suspension {
            words.append("suspended" + (suspension.reason.map { ": " + $0.sanitized() } ?? ""))
        }
        if let due = summary.leaving { words.append("to be deleted on \(day(due))") }
        if summary.hasFactor { words.append("second factor") }
        return words.joined(separator: ", ")
    }

    private static func day(_ seconds: Int) -> String { String(Time.text(seconds).prefix(10)) }

    private static func columns(
        _ name: String,
        _ called: String,
        _ todos: String,
        _ size: String,
        _ signIns: String,
        _ tokens: String,
        _ used: String,
        _ made: String,
        _ state: String,
        _ width: Int
    ) -> String {
        let parts = [
            // A name that is cut would name nobody.
            name.padded(toWidth: width), called.fitted(toWidth: nameColumn),
            todos.padded(toWidth: 6, alignment: .trailing),
            size.padded(toWidth: 20, alignment: .trailing), signIns.padded(toWidth: 8, alignment: .trailing),
            tokens.padded(toWidth: 6, alignment: .trailing), used.padded(toWidth: 10), made.padded(toWidth: 10), state,
        ]
        var line = parts.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
