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
        discussion: "On a terminal it says how they are called, as far as the user may know.",
        examples: [.init("todomate followers alice"), .init("todomate followers alice --requests --json")]
    )

    @Flag("requests", help: "List those who ask to follow, instead.") private var requests: Bool
    @Flag("blocked", help: "List those who are blocked, instead.") private var blocked: Bool
    private let query = PersonQuery()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard !requests || !blocked else { throw CommandError.usage("give one of --requests and --blocked") }
        let list: FollowerList = requests ? .requested : blocked ? .blocked : .following
        let (user, asJSON) = (query.user, query.asJSON)
        let isForPeople = Terminal(environment: environment).isTerminal && !asJSON
        try await query.places.place().withStores { stores in
            try await stores.relations.settleBriefly(user)
            var next: String?
            repeat {
                let part = try await stores.relations.followers(of: user, in: list, limit: Self.page, after: next)
                let shown = isForPeople ? part.followers.map(\.uid) : []
                let people = try await stores.relations.people(shown, asKnownTo: user)
                let lines = part.followers.map { entry in
                    asJSON
                        ? JSONObject(["uid": entry.uid, "state": entry.state.rawValue, "since": entry.since]).text
                            + "\n"
                        : "\(entry.uid.padded(toWidth: 22))  \(entry.since)\(people.called(entry.uid))\n"
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
        discussion: "On a terminal it says how they are called, as far as the user may know.",
        examples: [.init("todomate following alice")]
    )

    private let query = PersonQuery()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        let isForPeople = Terminal(environment: environment).isTerminal && !query.asJSON
        let (following, people) = try await query.places.place().withStores { stores in
            try await stores.relations.settleBriefly(query.user)
            let following = try await stores.relations.following(of: query.user)
            let shown = isForPeople ? following.map(\.uid) : []
            return (following, try await stores.relations.people(shown, asKnownTo: query.user))
        }
        let lines = following.map { followed in
            query.asJSON
                ? JSONObject(["uid": followed.uid, "state": followed.state.rawValue]).text + "\n"
                : "\(followed.uid.padded(toWidth: 22))  \(followed.state.rawValue)\(people.called(followed.uid))\n"
        }
        try StandardOutput.write(lines.joined())
        return .ok
    }
}

extension [String: PublicPerson] {
    /// What stands behind a line about somebody: how they are called, where that is known.
    fileprivate func called(_ uid: String) -> String {
        guard let called = self[uid]?.called, !called.isEmpty else { return "" }
        return "  " + called
    }
}
