import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate feed`
struct FeedCommand: Command {
    private static let limit = Option(
        "limit",
        as: .integer(in: 1...100),
        default: 50,
        valueName: "number",
        help: "At most so many lines."
    )

    static let spec = CommandSpec(
        name: "feed",
        summary: "List what those whom a user follows added or finished today, newest first.",
        discussion:
            "A line has the time, whose todo it is, what happened, the id that 'todomate react' wants, and the content.",
        positionals: [TodoArguments.person],
        options: [limit, TodoArguments.json] + RedisOptions.all,
        examples: [.init("todomate feed alice")]
    )

    private let user: String
    private let limit: Int
    private let asJSON: Bool
    private let terminal: Terminal
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.person]
        limit = try arguments[Self.limit]
        asJSON = try arguments[TodoArguments.json]
        terminal = Terminal(environment: arguments.environment)
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let items = try await redis.withRepository { repository in
            try await FeedReader(relations: repository.relations, feeds: repository.feeds)
                .page(of: user, in: .current, limit: limit).items
        }
        let lines = items.map { item in
            guard !asJSON else { return item.json + "\n" }
            let todo = item.todo.toModel()
            let time = Date(timeIntervalSince1970: Double(item.at) / 1_000_000)
                .formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
            return "\(time)  \(todo.uid.padded(toWidth: 12))  \(item.type.rawValue.padded(toWidth: 8))  "
                + "\(todo.id.padded(toWidth: 22))  \(todo.content.sanitized())\n"
        }
        // A person is told of nothing; a program reads no lines.
        let isSilent = !lines.isEmpty || asJSON || !terminal.isTerminal
        let nothing = terminal.styleSupport.apply(.dim, to: "nothing new today") + "\n"
        try StandardOutput.write(isSilent ? lines.joined() : nothing)
        return .ok
    }
}

/// `todomate badges`
struct BadgesCommand: Command {
    static let spec = CommandSpec(
        name: "badges",
        summary: "Show the numbers at a user's tabs: today, feed, requests, more.",
        positionals: [TodoArguments.person],
        options: [TodoArguments.json] + RedisOptions.all,
        examples: [.init("todomate badges alice")]
    )

    private let user: String
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.person]
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let badges = try await redis.withRepository { repository in
            try await repository.relations.repair.settle(user)
            return try await FeedReader(relations: repository.relations, feeds: repository.feeds)
                .badges(of: user, in: .current)
        }
        let text = """
            today     \(badges.today)
            feed      \(badges.feed)
            requests  \(badges.requests)
            more      \(badges.more)
            """
        try StandardOutput.write((asJSON ? badges.json : text) + "\n")
        return .ok
    }
}

/// `todomate react`
struct ReactCommand: Command {
    private static let user = Positional("user", as: .user, help: "Who reacts.")
    private static let owner = Positional("owner", as: .user, help: "Whose todo it is.")
    private static let emoji = Positional(optional: "emoji", as: .emoji, help: "One emoji.")
    private static let remove = Flag("remove", help: "Take the reaction back.")

    static let spec = CommandSpec(
        name: "react",
        summary: "React to a todo with an emoji; a person has one reaction a todo.",
        positionals: [user, owner, TodoArguments.id, emoji],
        options: [remove, TodoArguments.json] + RedisOptions.all,
        examples: [.init("todomate react bob alice 0Xb2 🎉"), .init("todomate react bob alice 0Xb2 --remove")]
    )

    private let user: String
    private let owner: String
    private let id: String
    private let emoji: String?
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[Self.user]
        owner = try arguments[Self.owner]
        id = try arguments[TodoArguments.id]
        emoji = try arguments[Self.emoji]
        guard try arguments[Self.remove] == (emoji == nil) else {
            throw CommandError.usage("give an emoji, or --remove")
        }
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let todo = try await redis.withRepository { repository in
            // Of what the user may not see, not even the ids are completed.
            @LoopActor @Sendable func seen() async throws(TodoError) -> [Todo] {
                try await repository.shared.view(of: user, on: owner).snapshot?.todos ?? []
            }
            let service = DIContainer(repository: repository).todoService
            return try await service.withTodo(id, of: owner, among: seen) { id throws(TodoError) in
                try await repository.feeds.react(emoji, to: id, of: owner, by: user).todo
            }
        }
        try StandardOutput.write(todo.report(asJSON: asJSON))
        return .ok
    }
}
