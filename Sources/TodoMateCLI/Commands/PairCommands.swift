import CommandArguments
import EventLoop
import TodoMate
import TodoMateRedis

/// What the commands about two users have in common.
private struct PairWrite: Sendable {
    @Positional("user", as: .user, environment: "TODOMATE_USER", help: "The acting user. \(Positional<String>.usual)")
    private var user: String
    @Positional("other", as: .user, help: "The other user.") private var other: String
    @Flag(.json) private var asJSON: Bool
    private let places = StoreOptions()

    /// Writes for the one and the other, and prints what is between the two afterwards.
    func run(
        _ write:
            @LoopActor (_ relations: any RelationStoreType, _ user: String, _ other: String) async throws -> Relation
    ) async throws -> ExitCode {
        let relation = try await places.place().withStores { try await write($0.relations, user, other) }
        try StandardOutput.write((asJSON ? relation.json : relation.line) + "\n")
        return .ok
    }
}

extension CommandDescription {
    fileprivate init(pairCommand name: String, summary: String, discussion: String = "") {
        self.init(
            name: name,
            summary: summary,
            discussion: discussion,
            examples: [.init("todomate \(name) alice bob")]
        )
    }
}

extension Relation {
    /// The relation in one line of text.
    fileprivate var line: String {
        var parts: [String] = []
        switch following {
        case .none: break
        case .pending: parts.append("\(uid) has asked to follow \(with), who has not been notified yet")
        case .requested: parts.append("\(uid) asks to follow \(with)")
        case .following: parts.append("\(uid) follows \(with)")
        }
        switch follower {
        case .none, .pending: break
        case .requested: parts.append("\(with) asks to follow \(uid)")
        case .following: parts.append("\(with) follows \(uid)")
        }
        if blocked { parts.append("\(uid) has blocked \(with)") }
        return parts.isEmpty ? "nothing is between \(uid) and \(with)" : parts.joined(separator: "; ")
    }
}

/// `todomate follow`
struct FollowCommand: Command {
    static let about = CommandDescription(
        pairCommand: "follow",
        summary: "Follow a user's todos, or ask to.",
        discussion: "A user with a public audience is followed at once; others accept or refuse."
    )
    private let write = PairWrite()

    func run() async throws -> ExitCode {
        try await write.run { relations, user, other in
            let relation = try await relations.follow(other, by: user)
            guard relation.following != .none else {
                throw CommandError("\(other) cannot be followed", exitCode: .dataError)
            }
            return relation
        }
    }
}

/// `todomate unfollow`
struct UnfollowCommand: Command {
    static let about = CommandDescription(
        pairCommand: "unfollow",
        summary: "Stop following a user, or withdraw a request."
    )
    private let write = PairWrite()
    func run() async throws -> ExitCode { try await write.run { try await $0.unfollow($2, by: $1) } }
}

/// `todomate accept`
struct AcceptCommand: Command {
    static let about = CommandDescription(pairCommand: "accept", summary: "Accept a request to follow.")
    private let write = PairWrite()
    func run() async throws -> ExitCode { try await write.run { try await $0.accept($2, by: $1) } }
}

/// `todomate refuse`
struct RefuseCommand: Command {
    static let about = CommandDescription(
        pairCommand: "refuse",
        summary: "Refuse a request to follow, or remove a follower."
    )
    private let write = PairWrite()
    func run() async throws -> ExitCode { try await write.run { try await $0.dismiss($2, by: $1) } }
}

/// `todomate block`
struct BlockCommand: Command {
    static let about = CommandDescription(
        pairCommand: "block",
        summary: "Block a user, who then sees nothing; neither follows the other any more."
    )
    private let write = PairWrite()
    func run() async throws -> ExitCode { try await write.run { try await $0.block($2, by: $1) } }
}

/// `todomate unblock`
struct UnblockCommand: Command {
    static let about = CommandDescription(
        pairCommand: "unblock",
        summary: "Remove a block; this does not restore following."
    )
    private let write = PairWrite()
    func run() async throws -> ExitCode { try await write.run { try await $0.unblock($2, by: $1) } }
}
