import CommandArguments
import Foundation
import TerminalUI
import TodoMate

/// `todomate search`
struct SearchCommand: Command {
    static let about = CommandDescription(
        name: "search",
        summary: "Find a user's todos by their words.",
        discussion:
            "A todo is found that has all of the words, in its text or its note. On a terminal: day by day. Into a pipe or a file: "
            + "one JSON object per line, as with --json.",
        examples: [
            .init("todomate search alice milk", "Everything about milk, on all days."),
            .init("todomate search alice \"call bob\" --status todo", "What is still to do with these two words."),
        ]
    )

    @Positional(.person) private var user: String
    @Positional("words", as: .words, help: "The words, in any order; several are written in quotation marks.")
    private var words: TodoWords
    @Option(
        "status",
        short: "s",
        as: .choice(of: TodoStatus.self),
        valueName: "status",
        help: "Only todos of this status."
    )
    private var status: TodoStatus?
    @Option("month", short: "m", as: .month, valueName: "month", help: "Only todos of this month: 2026-11.")
    private var month: CalendarMonth?
    @Flag(.json) private var asJSON: Bool
    @Flag("plain", help: "Print one line per todo, even when piped.") private var plain: Bool
    private let redis = RedisOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard !asJSON || !plain else { throw CommandError.usage("give one of --json and --plain") }
        let all = try await redis.place().withService { [days = month?.days] in try await $0.todos(of: user, in: days) }
        let found = all.filter { (status == nil || $0.status == status) && words.match($0) }
        let terminal = Terminal(environment: environment)
        let text =
            if terminal.isTerminal, !asJSON, !plain {
                TodoTable(
                    todos: found,
                    today: CalendarDate(Date(), in: .current),
                    width: terminal.columns,
                    style: terminal.styleSupport
                ).text
            } else {
                found.map { $0.report(asJSON: !plain) }.joined()
            }
        try StandardOutput.write(text)
        return .ok
    }
}

extension ValueParser where Value == TodoWords {
    /// Words to look for.
    fileprivate static let words = Self { text in
        guard text.unicodeScalars.count <= TodoBounds.contentLength, let words = TodoWords(text) else {
            throw InvalidValue(expectation: "words of at most \(TodoBounds.contentLength) characters")
        }
        return words
    }
}
