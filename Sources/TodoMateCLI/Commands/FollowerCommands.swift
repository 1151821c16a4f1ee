import CommandArguments
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate followers`
struct FollowersCommand: Command {
    private static let page = 1000

    static let about = CommandDescription(
        name: "followers",
        summary: "List a user's followers, newest first.",
        examples: [.init("todomate followers alice"), .init("todomate followers alice --requests --json")]
    )

    @Flag("requests", help: "List those who ask to follow, instead.") private var requests: Bool
    @Flag("blocked", help: "List those who are blocked, instead.") private var blocked: Bool
    private let query = PersonQuery()

    func run() async throws -> ExitCode {
        guard !requests || !blocked else { throw CommandError.usage("give one of --requests and --blocked") }
        let list: FollowerList = requests ? .requested : blocked ? .blocked : .following
        let (user, asJSON) = (query.user, query.asJSON)
        try await query.redis.place().withRepository { repository in
            try await repository.relations.repair.settle(user)
            var next: String?
            repeat {
                let part = try await repository.relations.followers(of: user, in: list, limit: Self.page, after: next)
                let lines = part.followers.map { entry in
                    asJSON
                        ? JSONObject(["uid": entry.uid, "state": entry.state.rawValue, "since": entry.since]).text
                            + "\n"
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
    static let about = CommandDescription(
        name: "following",
        summary: "List those a user follows or asks to follow, in the user's order.",
        examples: [.init("todomate following alice")]
    )

    private let query = PersonQuery()

    func run() async throws -> ExitCode {
        let following = try await query.redis.place().withRepository { repository in
            try await repository.relations.repair.settle(query.user)
            return try await repository.relations.following(of: query.user)
        }
        let lines = following.map { followed in
            query.asJSON
                ? JSONObject(["uid": followed.uid, "state": followed.state.rawValue]).text + "\n"
                : "\(followed.uid.padded(toWidth: 22))  \(followed.state.rawValue)\n"
        }
        try StandardOutput.write(lines.joined())
        return .ok
    }
}
