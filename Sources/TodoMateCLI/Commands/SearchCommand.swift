import CommandArguments
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
    private let listing = TodoListing()
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        try listing.check()
        let all = try await redis.place().withService { [days = month?.days] in try await $0.todos(of: user, in: days) }
        try listing.write(all.filter { (status == nil || $0.status == status) && words.match($0) })
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
