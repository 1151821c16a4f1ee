import CommandArguments
import EventLoop
import Foundation
import TodoMate
import TodoMateRedis

/// `todomate search`
struct SearchCommand: Command {
    static let about = CommandDescription(
        name: "search",
        summary: "Find a user's todos by their words.",
        discussion:
            "A todo is found that has all of the words, in its text or its note, and is as the options say; of a routine, "
            + "the next day that nobody did anything with yet, with a revision of 0. On a terminal: day by day, in the language of LANG. "
            + "Into a pipe or a file: one JSON object per line, as with --json.",
        examples: [
            .init("todomate search alice milk", "Everything about milk, on all days."),
            .init("todomate search alice \"call bob\" --status todo", "What is still to do with these two words."),
            .init("todomate search alice \"\" --goal Work --from mon --to fri", "All that is for work in some days."),
            .init("todomate search alice milk --shared", "Also what those that alice follows show her of theirs."),
        ]
    )

    @Positional(.person) private var user: String
    @Positional(
        "words",
        as: .words,
        help: "The words, in any order; several are written in quotation marks, and \"\" stands for any."
    )
    private var words: TodoWords?
    @Option(
        "status",
        short: "s",
        as: .choice(of: TodoStatus.self),
        valueName: "status",
        help: "Only todos of this status."
    )
    private var status: TodoStatus?
    @Option(.goalToFind) private var goal: String?
    @Option("month", short: "m", as: .month, valueName: "month", help: "Only todos of this month: 2026-11.")
    private var month: CalendarMonth?
    @Option("from", as: .day, valueName: "day", help: "Only todos of this day or later: \(RelativeDay.forms).")
    private var from: CalendarDate?
    @Option("to", as: .day, valueName: "day", help: "Only todos of this day or earlier.") private var to: CalendarDate?
    @Flag("shared", help: "Also what the user may see of those they follow.") private var isShared: Bool
    private let listing = TodoListing()
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        try listing.check()
        guard month == nil || from == nil && to == nil else {
            throw CommandError.usage("give one of --month, and --from or --to")
        }
        if let from, let to, from > to { throw CommandError.usage("--from must not be later than --to") }
        var search = TodoSearch(words: words, status: status, from: from, to: to)
        if let days = month?.days { (search.from, search.to) = (days.lowerBound, days.upperBound) }
        guard search != TodoSearch() || goal != nil else {
            throw CommandError.usage("say what to look for: words, --status, --goal, --from, --to or --month")
        }
        let found = try await places.place().withStores { [search] in try await find(search, in: $0) }
        try listing.write(found.sorted(by: Todo.isInListOrder))
        return .ok
    }

    /// The user's own todos, and those of others.
    @LoopActor
    private func find(_ search: TodoSearch, in stores: PersonalStores) async throws(TodoError) -> [Todo] {
        var search = search
        // Others' goals are for them alone to know.
        if let goal { search.goal = try await stores.goalID(named: goal, of: user) }
        var found = try await stores.searches.all(search, of: user, for: user)
        let known = Set(found.map(\.id))
        let today = CalendarDate(Date(), in: .current)
        found += try await stores.relations.nextRoutineDays(search, of: user, today: today)
            .filter { !known.contains($0.id) }
        guard isShared, goal == nil else { return found }
        for other in try await stores.relations.following(of: user) where other.state == .following {
            found += try await stores.searches.all(search, of: other.uid, for: user)
        }
        return found
    }
}

extension Option where Value == String? {
    /// What the todos that are looked for are for.
    fileprivate static var goalToFind: Self {
        Self(
            "goal",
            short: "g",
            as: .textOrEmpty,
            valueName: "goal",
            help: "Only todos of this goal, by its name or id; empty for those without one."
        )
    }
}

extension ValueParser where Value == TodoWords? {
    /// Words to look for; nil for none.
    fileprivate static var words: Self {
        var parser = Self { text in
            guard text.unicodeScalars.count <= TodoBounds.contentLength else {
                throw InvalidValue(expectation: "words of at most \(TodoBounds.contentLength) characters")
            }
            return TodoWords(text)
        }
        parser.allowsEmpty = true
        return parser
    }
}
