import CommandArguments
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate followers`
struct FollowersCommand: Command {
    private static let page = 1000
    private static let requests = Flag("requests", help: "Those who ask to follow, instead.")
    private static let blocked = Flag("blocked", help: "Those who are blocked, instead.")

    static let spec = CommandSpec(
        name: "followers",
        summary: "List who follows a user, the newest first.",
        positionals: [TodoArguments.person],
        options: [requests, blocked, TodoArguments.json] + RedisOptions.all,
        examples: [.init("todomate followers alice"), .init("todomate followers alice --requests --json")]
    )

    private let user: String
    private let list: FollowerList
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.person]
        let (requests, blocked) = (try arguments[Self.requests], try arguments[Self.blocked])
        guard !requests || !blocked else { throw CommandError.usage("give one of --requests and --blocked") }
        list = requests ? .requested : blocked ? .blocked : .following
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        try await redis.withRepository { repository in
            try await repository.relations.repair.settle(user)
            var next: String?
            repeat {
                let part = try await repository.relations.followers(of: user, in: list, limit: Self.page, after: next)
                let lines = part.followers.map { entry in
                    asJSON
                        ? "{\"uid\":\"\(entry.uid)\",\"state\":\"\(entry.state.rawValue)\",\"since\":\"\(entry.since)\"}\n"
                        : "\(entry.uid.padded(toWidth: 22))  \(entry.since)\n"
                }
                try StandardOutput.write(lines.joined())
                next = part.next
            } while next != nil
        }
        return .ok
    }
}

/// `todomate following`
struct FollowingCommand: Command {
    static let spec = CommandSpec(
        name: "following",
        summary: "List whom a user follows or asks to, in the user's order.",
        positionals: [TodoArguments.person],
        options: [TodoArguments.json] + RedisOptions.all,
        examples: [.init("todomate following alice")]
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
        let following = try await redis.withRepository { repository in
            try await repository.relations.repair.settle(user)
            return try await repository.relations.following(of: user)
        }
        let lines = following.map { followed in
            asJSON
                ? "{\"uid\":\"\(followed.uid)\",\"state\":\"\(followed.state.rawValue)\"}\n"
                : "\(followed.uid.padded(toWidth: 22))  \(followed.state.rawValue)\n"
        }
        try StandardOutput.write(lines.joined())
        return .ok
    }
}

/// `todomate profile`
struct ProfileCommand: Command {
    private static let audience = Option<Visibility?>(
        "audience",
        as: .choice(of: Visibility.self),
        valueName: "who",
        help: "Who may follow: anybody at once (public), those who are accepted (followers), nobody (private)."
    )
    private static let visibility = Option<Visibility?>(
        "visibility",
        as: .choice(of: Visibility.self),
        valueName: "who",
        help: "Who may see new todos, unless they say otherwise."
    )

    static let spec = CommandSpec(
        name: "profile",
        summary: "Show or change who may follow a user and see new todos.",
        positionals: [TodoArguments.person],
        options: [audience, visibility, TodoArguments.json] + RedisOptions.all,
        examples: [.init("todomate profile alice"), .init("todomate profile alice --audience public")]
    )

    private let user: String
    private let patch: AccountPatch
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[TodoArguments.person]
        patch = AccountPatch(audience: try arguments[Self.audience], visibility: try arguments[Self.visibility])
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let profile = try await redis.withRepository { repository in
            if patch != AccountPatch() { try await repository.relations.set(patch, of: user) }
            return try await repository.relations.profile(of: user)
        }
        let text =
            """
            audience    \(profile.audience.rawValue)
            new todos   \(profile.visibility.rawValue)
            following   \(profile.following)
            followers   \(profile.followers)
            requests    \(profile.requests)
            todos       \(profile.todos)
            space       \(profile.bytes / 1024) of \(profile.bytesMost / 1024) KiB
            """
        try StandardOutput.write((asJSON ? profile.json : text) + "\n")
        return .ok
    }
}
