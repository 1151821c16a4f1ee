import CommandArguments
import EventLoop
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate goal list`
struct GoalListCommand: Command {
    static let about = CommandDescription(
        name: "goal list",
        summary: "List what a user's todos are for.",
        examples: [.init("todomate goal list alice")]
    )

    private let query = PersonQuery()

    func run() async throws -> ExitCode {
        let goals = try await query.places.place().withStores { try await $0.goals.goals(of: query.user) }
        try StandardOutput.write(goals.map { (query.asJSON ? $0.json : $0.line) + "\n" }.joined())
        return .ok
    }
}

/// `todomate goal set`
struct GoalSetCommand: Command {
    static let about = CommandDescription(
        name: "goal set",
        summary: "Make a goal, or change one.",
        discussion:
            "A todo is added to a goal with 'add --goal', and then has the goal's visibility unless it gets one of its own. Another "
            + "visibility is for new todos; with --existing those that are there get it as well, each by a change of its own.",
        examples: [
            .init("todomate goal set alice Work --color teal --visibility private"),
            .init("todomate goal set alice Work --visibility followers --existing"),
            .init("todomate goal set alice Work --archived yes", "It is not offered for new todos any more."),
        ]
    )

    @Positional(.person) private var user: String
    @Positional("goal", as: .textOrEmpty, help: "The goal's name or id; one that is not there is made, with this name.")
    private var goal: String
    @Option("name", as: .textOrEmpty, valueName: "text", help: "Another name: at most 40 characters.")
    private var name: String?
    @Option("color", as: .choice(of: GoalColor.self), valueName: "color", help: "The colour that shows it.")
    private var color: GoalColor?
    @Option(
        "visibility",
        as: .choice(of: Visibility.self),
        valueName: "who",
        help: "Who may see new todos of it: public, followers or private."
    )
    private var visibility: Visibility?
    @Option("archived", as: .choice(of: YesOrNo.self), valueName: "answer", help: "Whether it is archived.")
    private var archived: YesOrNo?
    @Flag("existing", help: "Give the todos that have it its visibility, too.") private var isForExisting: Bool
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let goal = try await places.place().withStores { stores in
            let known = try await stores.goals.goals(of: user).named(self.goal)
            let patch = GoalPatch(
                id: known?.id ?? RandomID.next(),
                name: name ?? (known == nil ? self.goal : nil),
                color: color,
                visibility: visibility,
                isArchived: archived.map { $0 == .yes }
            )
            let goal = try await stores.goals.set(patch, of: user)
            if isForExisting { try await spread(goal, in: stores) }
            return goal
        }
        try StandardOutput.write((asJSON ? goal.json : goal.line) + "\n")
        return .ok
    }

    @LoopActor
    private func spread(_ goal: Goal, in stores: PersonalStores) async throws(TodoError) {
        let progress = try await GoalProgress(of: user, in: stores, environment)
        try progress.end(try await stores.goals.spread(goal.visibility, to: goal.id, of: user, progress.show))
    }
}

/// `todomate goal remove`
struct GoalRemoveCommand: Command {
    static let about = CommandDescription(
        name: "goal remove",
        summary: "Remove a goal; its todos stay.",
        discussion:
            "They are for nothing then, each by a change of its own, and whoever might see them still may. 'goal set --archived yes' "
            + "keeps it for those that have it. What is broken off goes on when the goal's id is removed again.",
        examples: [.init("todomate goal remove alice Work")]
    )

    @Positional(.person) private var user: String
    @Positional("goal", as: .textOrEmpty, help: "The goal's name or id.") private var goal: String
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        try await places.place().withStores { stores in
            let known = try await stores.goals.goals(of: user).named(goal)
            // A removal that was broken off goes on by the id, which no goal has any more.
            guard let id = known?.id ?? (goal.utf8.count >= 16 ? goal : nil) else {
                throw TodoError.invalid(
                    "\(user) has no goal '\(goal)': 'todomate goal list' shows those that there are"
                )
            }
            let progress = try await GoalProgress(of: user, in: stores, environment)
            try progress.end(try await stores.goals.remove(id, of: user, progress.show))
        }
        return .ok
    }
}

/// `todomate goal move`
struct GoalMoveCommand: Command {
    static let about = CommandDescription(
        name: "goal move",
        summary: "Put a goal before or after another one.",
        examples: [.init("todomate goal move alice Work --before Home")]
    )

    @Positional(.person) private var user: String
    @Positional("goal", as: .textOrEmpty, help: "The goal's name or id.") private var goal: String
    @Option("before", as: .textOrEmpty, valueName: "goal", help: "Right before this goal.") private var before: String?
    @Option("after", as: .textOrEmpty, valueName: "goal", help: "Right after this goal.") private var after: String?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        guard let other = before ?? after, before == nil || after == nil else {
            throw CommandError.usage("give one of --before and --after")
        }
        let goals = try await places.place().withStores { stores in
            let id = try await stores.goalID(named: goal, of: user)
            let place = try await stores.goalID(named: other, of: user)
            return try await stores.goals.move(id, of: user, to: before == nil ? .after(place) : .before(place))
        }
        try StandardOutput.write(goals.map { (asJSON ? $0.json : $0.line) + "\n" }.joined())
        return .ok
    }
}

/// Says on a terminal how far what becomes of a goal's todos has come; and at the end how many were changed.
@LoopActor
private struct GoalProgress {
    private let terminal: Terminal
    private let all: Int

    init(
        of user: String,
        in stores: PersonalStores,
        _ environment: [String: String]
    ) async throws(TodoError) {
        all = try await stores.relations.profile(of: user).counts.todos
        terminal = Terminal(descriptor: 2, environment: environment)
    }

    func show(_ part: GoalSpread) {
        guard terminal.isInteractive else { return }
        terminal.write("\r\u{1B}[Kgoal  \(min(part.seen, all)) of \(all) todos, \(part.changed) changed")
    }

    func end(_ done: GoalSpread) throws(TodoError) {
        if terminal.isInteractive { terminal.write("\r\u{1B}[K") }
        terminal.write("todomate: \(done.changed) \(done.changed == 1 ? "todo" : "todos") changed\n")
        if done.broken > 0 {
            throw .broken("\(done.broken) of its todos cannot be read and stay as they are: see 'todomate doctor'")
        }
    }
}

/// An answer to a question.
enum YesOrNo: String, CaseIterable, Sendable {
    case yes, no
}

extension Goal {
    /// The goal in one line of text, fit for a terminal.
    fileprivate var line: String {
        "\(id.padded(toWidth: 22))  \(color.rawValue.padded(toWidth: 6))  \(visibility.rawValue.padded(toWidth: 9))  \(name.sanitized())"
            + (isArchived ? "  (archived)" : "")
    }
}

extension [Goal] {
    /// The goal of this id, or else the one with this name.
    ///
    /// - Throws: ``TodoError/invalid(_:)`` where several have the name.
    func named(_ text: String) throws(TodoError) -> Goal? {
        if let goal = first(where: { $0.id == text }) { return goal }
        let found = filter { $0.name.lowercased() == text.lowercased() }
        guard found.count < 2 else {
            throw .invalid("several goals are called '\(text)': name one by its id, as 'todomate goal list' shows it")
        }
        return found.first
    }
}

extension PersonalStores {
    /// The id of a goal that a text names; empty for none.
    @LoopActor
    func goalID(named text: String, of uid: String) async throws(TodoError) -> String {
        guard !text.isEmpty else { return "" }
        guard let goal = try await goals.goals(of: uid).named(text) else {
            throw .invalid("\(uid) has no goal '\(text)': 'todomate goal set' makes one")
        }
        return goal.id
    }
}

extension Option where Value == String? {
    /// What a todo is for.
    static var goal: Self {
        Self(
            "goal",
            short: "g",
            as: .textOrEmpty,
            valueName: "goal",
            help: "The goal that it is for, by its name or id; empty for none."
        )
    }
}
