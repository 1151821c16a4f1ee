import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate reactions`
struct ReactionsCommand: Command {
    static let about = CommandDescription(
        name: "reactions",
        summary: "List who reacted to a todo.",
        discussion:
            "That is for the todo's owner to know: who reacted with what, and how they are called as far as the owner may know. Those who "
            + "are about to delete their accounts, or whom the owner has blocked, are left out, although the todo counts them.",
        examples: [
            .init("todomate reactions alice 0Xb2"),
            .init("todomate reactions alice \"buy milk\" --json", "A line of JSON for each."),
        ]
    )

    @Positional(.user) private var user: String
    @Positional(
        "todo",
        as: .todoName,
        help: "The todo's id, its first characters, or words that no other todo has which anybody reacted to."
    )
    private var name: String
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let today = CalendarDate(Date(), in: .current)
        let reactors = try await places.place().withStores { stores in
            let reader = ReactionReader(stores)
            return try await TodoService(stores.todos).withTodo(
                named: name,
                of: user,
                on: today,
                among: { () throws(TodoError) in try await stores.todos.snapshot(of: user, in: nil).todos },
                where: { !$0.reactions.isEmpty }
            ) { id throws(TodoError) in try await reader.reactors(to: id, of: user) }
        }
        let lines = reactors.map { (asJSON ? $0.json : "\($0.emoji)  \($0.person.label)") + "\n" }
        let terminal = Terminal(environment: environment)
        // A person gets a message; a program gets no lines.
        let isSilent = !lines.isEmpty || asJSON || !terminal.isTerminal
        let nothing =
            terminal.styleSupport.apply(.dim, to: BoardLanguage(environment: environment).words.nobodyReacted) + "\n"
        try StandardOutput.write(isSilent ? lines.joined() : nothing)
        return .ok
    }
}
