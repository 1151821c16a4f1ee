import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate feed`
struct FeedCommand: Command {
    static let about = CommandDescription(
        name: "feed",
        summary: "List what the people a user follows added or finished today, newest first.",
        discussion:
            "A line has the time, whose todo it is, what happened, the id for 'todomate react', and the content, behind the todo's own time if it has "
            + "one. On a terminal it says "
            + "how people are called, as far as the user may know. Whose node of a Redis Cluster is away is left out: it says of how many, with "
            + "--json in a last line such as {\"missing\":2}.",
        examples: [.init("todomate feed alice")]
    )

    @Option(
        "limit",
        as: .integer(in: 1...100),
        default: 50,
        valueName: "number",
        help: "The most lines."
    )
    private var limit: Int
    /// On a terminal, for name and uid.
    private static let ownerWidth = 24
    private let query = PersonQuery()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let terminal = Terminal(environment: environment)
        let isForPeople = terminal.isTerminal && !query.asJSON
        let (page, people) = try await query.places.place().withStores { stores in
            let page = try await FeedReader(relations: stores.relations, feeds: stores.feeds)
                .page(of: query.user, in: .current, limit: limit)
            let owners = isForPeople ? page.items.map { $0.todo.toModel().uid } : []
            return (page, try await stores.relations.people(owners, asKnownTo: query.user))
        }
        var lines = page.items.map { item in
            guard !query.asJSON else { return item.json + "\n" }
            let todo = item.todo.toModel()
            let time = Date(timeIntervalSince1970: Double(item.at) / 1_000_000)
                .formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
            let owner = people[todo.uid]?.label(within: Self.ownerWidth).padded(toWidth: Self.ownerWidth)
            return "\(time)  \(owner ?? todo.uid.padded(toWidth: 12))  \(item.type.rawValue.padded(toWidth: 8))  "
                + "\(todo.id.padded(toWidth: 22))  \(todo.timedContent)\n"
        }
        if query.asJSON, let missing = page.missing { lines.append(JSONObject(["missing": missing]).text + "\n") }
        // A person gets a message; a program gets no lines.
        let isSilent = !lines.isEmpty || query.asJSON || !terminal.isTerminal
        let nothing = terminal.styleSupport.apply(.dim, to: "nothing new today") + "\n"
        try StandardOutput.write(isSilent ? lines.joined() : nothing)
        if !query.asJSON { MissingPeople.report(page.missing) }
        return .ok
    }
}

/// Says beside what was read that not all could be.
private enum MissingPeople {
    static func report(_ missing: Int?) {
        guard let missing else { return }
        let whose = missing == 1 ? "1 person" : "\(missing) people"
        let line =
            "todomate: what \(whose) did is missing, as the Redis node that holds it does not answer: try again later\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}

/// `todomate badges`
struct BadgesCommand: Command {
    static let about = CommandDescription(
        name: "badges",
        summary: "Show a user's badges: today, feed, requests, more.",
        examples: [.init("todomate badges alice")]
    )

    private let query = PersonQuery()

    func run() async throws -> ExitCode {
        let badges = try await query.places.place().withStores { stores in
            try await FeedReader(relations: stores.relations, feeds: stores.feeds)
                .badges(of: query.user, in: .current)
        }
        let text = """
            today     \(badges.today)
            feed      \(badges.feed)
            requests  \(badges.requests)
            more      \(badges.more)
            """
        try StandardOutput.write((query.asJSON ? badges.json : text) + "\n")
        if !query.asJSON { MissingPeople.report(badges.missing) }
        return .ok
    }
}

/// `todomate react`
struct ReactCommand: Command {
    static let about = CommandDescription(
        name: "react",
        summary: "React to a todo with an emoji; a user has one reaction per todo.",
        examples: [
            .init("todomate react bob alice 0Xb2 🎉"), .init("todomate react bob alice \"buy milk\" 🎉"),
            .init("todomate react bob alice 0Xb2 --remove"),
        ]
    )

    @Positional("user", as: .user, help: "Who reacts.") private var user: String
    @Positional("owner", as: .user, help: "Whose todo it is.") private var owner: String
    @Positional(
        "todo",
        as: .todoName,
        help: "The todo's id, its first characters, or words that no other todo has of those that the user may see."
    )
    private var name: String
    @Positional(optional: "emoji", as: .emoji, help: "One emoji.") private var emoji: String?
    @Flag("remove", help: "Remove the reaction.") private var remove: Bool
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    func run() async throws -> ExitCode {
        guard remove == (emoji == nil) else { throw CommandError.usage("give an emoji, or --remove") }
        let todo = try await places.place().withStores { stores in
            // Of what the user may not see, neither ids are completed nor words found.
            @LoopActor @Sendable func seen() async throws(TodoError) -> [Todo] {
                try await stores.shared.view(of: user, on: owner).snapshot?.todos ?? []
            }
            let today = CalendarDate(Date(), in: .current)
            return try await TodoService(stores.todos).withTodo(named: name, of: owner, on: today, among: seen) {
                id throws(TodoError) in try await stores.feeds.react(emoji, to: id, of: owner, by: user).todo
            }
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
