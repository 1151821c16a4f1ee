import CommandArguments
import EventLoop
import TodoMate
import TodoMateRedis

/// `todomate recover`
struct RecoverCommand: Command {
    static let about = CommandDescription(
        name: "recover",
        summary: "Make a todo what it was, also one that was removed.",
        discussion:
            "Content, detail, status, day, time, goal and visibility come back, but for a goal that is gone; reactions to a todo that was "
            + "removed are gone for good. What somebody else changes at the same moment is not overwritten.",
        examples: [
            .init("todomate recover alice \"buy milk\"", "One that was removed, as it last was."),
            .init(
                "todomate recover alice 0Xb2 --to 57",
                "As it was after the change 57 of alice's, as 'history' lists it."
            ),
        ]
    )

    @Positional(.user) private var user: String
    @Positional(
        "todo",
        as: .todoName,
        help:
            "The todo's id, its first characters, or words that no other todo has, those that were removed among them."
    )
    private var name: String
    @Option(
        "to",
        as: .change,
        valueName: "change",
        help: "What it was after this change: 57, or 57-1763677123456789. Without it: what it was when it was removed."
    )
    private var change: WantedChange?
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        let todo = try await places.place().withStores { stores in
            let history = try await stores.past(named: name, of: user)
            var past = try state(in: history)
            // A goal that was removed meanwhile does not come back with it.
            let goals = try await stores.goals.goals(of: user)
            if !goals.contains(where: { $0.id == past.goal }) { past.goal = nil }
            return try await TodoService(stores.todos).bringBack(past, from: history.todo)
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }

    private func state(in history: TodoHistory) throws -> Todo {
        guard let change else {
            guard history.todo == nil, let last = history.entries.first else {
                throw CommandError.usage(
                    "the todo is there: say with --to what it is to be; 'todomate history' lists its changes"
                )
            }
            return last.todo
        }
        guard let entry = history.entries.first(where: { change.matches($0.id) }) else {
            throw TodoError.notFound(
                "the log has no change \(change) of this todo: 'todomate history' lists those that it has"
            )
        }
        return entry.todo
    }
}

/// A change that is named by its id, or by its version alone.
struct WantedChange: Sendable, CustomStringConvertible {
    let description: String

    init?(_ text: String) {
        let isVersion = !text.isEmpty && text.utf8.count <= 16 && text.utf8.allSatisfy { (48...57).contains($0) }
        guard isVersion || ChangeID(text) != nil else { return nil }
        description = text
    }

    func matches(_ id: ChangeID) -> Bool { id.description == description || String(id.version) == description }
}

extension ValueParser where Value == WantedChange {
    /// A change.
    fileprivate static let change = Self { text in
        guard let change = WantedChange(text) else {
            throw InvalidValue(
                expectation: "a change as 'todomate history' lists it, such as 57-1763677123456789 or 57"
            )
        }
        return change
    }
}
