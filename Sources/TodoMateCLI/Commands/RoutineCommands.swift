import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate routine add`
struct RoutineAddCommand: Command {
    static let about = CommandDescription(
        name: "routine add",
        summary: "Add what is to be done again and again.",
        discussion:
            "The rule says on which days: words at the beginning or end of the text, such as \"every day\", \"every weekday\", \"every mon and "
            + "fri\", \"every 2 weeks\", \"매일\" and \"매주 금요일\", or --rule with a recurrence rule of RFC 5545: FREQ (DAILY, WEEKLY or "
            + "MONTHLY), INTERVAL, BYDAY, BYMONTHDAY, and UNTIL or COUNT. A month without the day is passed over; BYMONTHDAY=-1 is its last.",
        examples: [
            .init("todomate routine add alice \"Stretch every weekday at 7:00\""),
            .init("todomate routine add alice \"Pay rent\" --rule \"FREQ=MONTHLY;BYMONTHDAY=-1\" --from 2026-12-01"),
        ]
    )

    @Positional(.person) private var user: String
    @Positional("content", as: .content, help: "What to do, and if --rule does not say it, on which days.")
    private var content: String
    @Option(.rule) private var rule: RoutineRule?
    @Option("from", as: .day, valueName: "day", help: "The first day that may be one; by default today.")
    private var from: CalendarDate?
    @Option(.time) private var time: TimeChange?
    @Option(.visibility) private var visibility: Visibility?
    @Option(.goal) private var goal: String?
    @Option("id", as: .todoID, valueName: "id", help: "Your own id, at most 54 characters.") private var id: String?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let today = CalendarDate(Date(), in: .current)
        guard rule != nil || QuickLine(content, today: today).rule != nil else {
            throw CommandError(
                "\"\(content.sanitized())\" names no days that are read: say on which, as in \"Stretch every weekday\", or with --rule FREQ=DAILY",
                exitCode: .dataError
            )
        }
        let routine = try await places.place().withStores { stores in
            // Only a line that may name a goal asks for them.
            let goals = content.contains("#") && goal == nil ? try await stores.goals.goals(of: user) : []
            var patch = try patch(today, goals)
            if let goal, !goal.isEmpty { patch.goal = try await stores.goalID(named: goal, of: user) }
            return try await stores.routines.set([patch], of: user).first { [id = patch.id] in $0.id == id }
        }
        try StandardOutput.write(routine?.report(asJSON: asJSON, environment) ?? "")
        return .ok
    }

    /// - Parameter goals: those that the text may name.
    private func patch(_ today: CalendarDate, _ goals: [Goal]) throws -> RoutinePatch {
        let kinds = Set(
            QuickLine.Kind.allCases.filter {
                switch $0 {
                case .day, .rule, .until: true
                case .time: time == nil
                case .goal: goal == nil
                }
            }
        )
        // With --rule the text is taken as it is.
        let line = QuickLine(content, today: today, goals: goals, kinds: rule == nil ? kinds : [])
        let (rule, said) = (rule ?? line.rule, line.date ?? today)
        return RoutinePatch(
            id: id ?? RandomID.next(),
            content: line.content,
            rule: rule,
            from: from ?? rule?.start(saidOn: said) ?? said,
            time: time ?? line.time.map { .set($0) },
            goal: line.goal?.id,
            visibility: visibility.map { .set($0) }
        )
    }
}

/// `todomate routine list`
struct RoutineListCommand: Command {
    static let about = CommandDescription(
        name: "routine list",
        summary: "List what a user does again and again.",
        discussion: "Rules are said in the language of LANG (English and Korean); with --json as they are stored.",
        examples: [.init("todomate routine list alice")]
    )

    private let query = PersonQuery()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let routines = try await query.places.place().withStores { try await $0.routines.routines(of: query.user) }
        try StandardOutput.write(routines.map { $0.report(asJSON: query.asJSON, environment) }.joined())
        return .ok
    }
}

/// `todomate routine edit`
struct RoutineEditCommand: Command {
    static let about = CommandDescription(
        name: "routine edit",
        summary: "Change a routine, all of it or from a day on.",
        discussion:
            "With --from, the routine ends on the day before, and another one with another id begins on that day. Todos that were made of "
            + "the routine's days stay as they are; a single day is changed with 'edit', 'move' or 'done' and its id.",
        examples: [
            .init("todomate routine edit alice Stretch --time 6:30"),
            .init("todomate routine edit alice Stretch --rule \"FREQ=DAILY;INTERVAL=2\" --from tomorrow"),
        ]
    )

    @Positional(.person) private var user: String
    @Positional(.routine) private var routine: String
    @Option("content", as: .content, valueName: "text", help: "What to do instead.") private var content: String?
    @Option(.rule) private var rule: RoutineRule?
    @Option(.time) private var time: TimeChange?
    @Option(.visibility) private var visibility: Visibility?
    @Option(.goal) private var goal: String?
    @Option("from", as: .day, valueName: "day", help: "From this day on: \(RelativeDay.forms).")
    private var from: CalendarDate?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard content != nil || rule != nil || time != nil || visibility != nil || goal != nil else {
            throw CommandError.usage("give one of --content, --rule, --time, --visibility and --goal")
        }
        let changed = try await places.place().withStores { stores in
            let old = try await stores.routine(named: routine, of: user)
            let id = old.id
            var patch = RoutinePatch(
                id: from == nil ? id : RandomID.next(),
                content: content,
                rule: rule,
                time: time,
                visibility: visibility.map { .set($0) }
            )
            if let goal { patch.goal = try await stores.goalID(named: goal, of: user) }
            let all =
                if let from {
                    try await stores.routines.split(id, of: user, on: from, into: patch, seen: old.rule)
                } else {
                    try await stores.routines.set([patch], of: user)
                }
            return all.first { [id = patch.id] in $0.id == id }
        }
        try StandardOutput.write(changed?.report(asJSON: asJSON, environment) ?? "")
        return .ok
    }
}

/// `todomate routine skip`
struct RoutineSkipCommand: Command {
    static let about = CommandDescription(
        name: "routine skip",
        summary: "Leave out one day of a routine.",
        examples: [
            .init("todomate routine skip alice Stretch tomorrow"),
            .init("todomate routine skip alice Stretch tomorrow --back", "It is there again."),
        ]
    )

    @Positional(.person) private var user: String
    @Positional(.routine) private var routine: String
    @Positional("day", as: .day, help: "The day: \(RelativeDay.forms).") private var day: CalendarDate
    @Flag("back", help: "Have the day again, which needs that its todo is gone.") private var isBack: Bool
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let changed = try await places.place().withStores { stores in
            let id = try await stores.routine(named: routine, of: user).id
            return try await stores.routines.skip(day, of: id, of: user, isBack: isBack).first { $0.id == id }
        }
        try StandardOutput.write(changed?.report(asJSON: asJSON, environment) ?? "")
        return .ok
    }
}

/// `todomate routine end`
struct RoutineEndCommand: Command {
    static let about = CommandDescription(
        name: "routine end",
        summary: "End a routine; todos that were made of its days stay.",
        examples: [
            .init("todomate routine end alice Stretch", "From today on."),
            .init("todomate routine end alice Stretch --from 2027-01-01"),
        ]
    )

    @Positional(.person) private var user: String
    @Positional(.routine) private var routine: String
    @Option(
        "from",
        as: .day,
        valueName: "day",
        help: "The first day without it: \(RelativeDay.forms). By default today."
    )
    private var from: CalendarDate?
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        let day = from ?? CalendarDate(Date(), in: .current)
        try await places.place().withStores { stores in
            let old = try await stores.routine(named: routine, of: user)
            try await stores.routines.split(old.id, of: user, on: day, into: nil, seen: old.rule)
        }
        return .ok
    }
}

extension Routine {
    /// The routine in one line of text, fit for a terminal: id, rule in words, first day, time if any, and content.
    private func line(_ language: BoardLanguage) -> String {
        let said = language.said(rule, from: from, today: CalendarDate(Date(), in: .current))
        let first = rule.first(from: from)
        return "\(id.padded(toWidth: 22))  \(said.padded(toWidth: 24))  \(first)  " + (time.map { "\($0)  " } ?? "")
            + content.sanitized()
    }

    /// What a command prints about it, in the language of the environment; JSON has the rule as it is stored.
    func report(asJSON: Bool, _ environment: [String: String]) -> String {
        (asJSON ? json : line(BoardLanguage(environment: environment))) + "\n"
    }
}

extension Positional where Value == String {
    /// A routine.
    fileprivate static var routine: Self {
        Self("routine", as: .todoName, help: "The routine's id, or its text if no other one has that.")
    }
}

extension Option where Value == RoutineRule? {
    /// On which days something is to be done.
    fileprivate static var rule: Self {
        Self(
            "rule",
            short: "r",
            as: .rule,
            valueName: "rule",
            help: "On which days: FREQ=WEEKLY;BYDAY=MO,FR as in RFC 5545, or words such as \"every mon until dec 31\"."
        )
    }
}

extension ValueParser where Value == RoutineRule {
    /// A rule as RFC 5545 spells it, or in words.
    fileprivate static var rule: Self {
        Self { text in
            if let rule = RuleText.rule(text, today: CalendarDate(Date(), in: .current)) { return rule }
            guard text.contains("=") else {
                throw CommandError(
                    "\"\(text.sanitized())\" says no days: write \"mon wed fri\", \"every 2 weeks\" or FREQ=WEEKLY;BYDAY=MO,FR",
                    exitCode: .dataError
                )
            }
            do throws(TodoError) {
                return try RoutineRule(text)
            } catch {
                throw CommandError(describing: error)
            }
        }
    }
}

extension PersonalStores {
    /// The routine that a text names: by its id, or by its content.
    ///
    /// - Throws: ``TodoError/notFound(_:)``, ``TodoError/invalid(_:)`` where several have the content.
    @LoopActor
    fileprivate func routine(named text: String, of uid: String) async throws(TodoError) -> Routine {
        let all = try await routines.routines(of: uid)
        if let routine = all.first(where: { $0.id == text }) { return routine }
        let found = all.filter { $0.content.lowercased() == text.lowercased() }
        guard let routine = found.first else {
            throw .notFound("\(uid) has no routine '\(text)': 'todomate routine list' shows those that there are")
        }
        guard found.count == 1 else {
            throw .invalid(
                "several routines are called '\(text)': name one by its id, as 'todomate routine list' shows it"
            )
        }
        return routine
    }
}
