import CommandArguments
import EventLoop
import TodoMate
import TodoMateRedis

/// What the commands about two users have in common.
private struct PairWrite: Sendable {
    static let user = Positional("user", as: .user, environment: "TODOMATE_USER", help: "Who does it.")
    static let other = Positional("other", as: .user, help: "To whom.")

    let user: String
    let other: String
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[Self.user]
        other = try arguments[Self.other]
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    /// Writes, and prints what is between the two afterwards.
    func run(_ write: @LoopActor (RedisRelationStore) async throws -> Relation) async throws -> ExitCode {
        let relation = try await redis.withRepository { try await write($0.relations) }
        try StandardOutput.write((asJSON ? relation.json : relation.line) + "\n")
        return .ok
    }
}

extension CommandSpec {
    fileprivate init(pairCommand name: String, summary: String, discussion: String = "") {
        self.init(
            name: name,
            summary: summary,
            discussion: discussion,
            positionals: [PairWrite.user, PairWrite.other],
            options: [TodoArguments.json] + RedisOptions.all,
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
        case .pending: parts.append("\(uid) has asked to follow \(with), who has not heard yet")
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
    static let spec = CommandSpec(
        pairCommand: "follow",
        summary: "Follow somebody's todos, or ask to.",
        discussion: "Somebody with a public audience is followed at once; others accept or refuse."
    )
    private let write: PairWrite
    init(_ arguments: ParsedArguments) throws { write = try PairWrite(arguments) }

    func run() async throws -> ExitCode {
        try await write.run { relations in
            let relation = try await relations.follow(write.other, by: write.user)
            guard relation.following != .none else {
                throw CommandError("\(write.other) cannot be followed", exitCode: .dataError)
            }
            return relation
        }
    }
}

/// `todomate unfollow`
struct UnfollowCommand: Command {
    static let spec = CommandSpec(pairCommand: "unfollow", summary: "Stop following somebody, or take a request back.")
    private let write: PairWrite
    init(_ arguments: ParsedArguments) throws { write = try PairWrite(arguments) }
    func run() async throws -> ExitCode { try await write.run { try await $0.unfollow(write.other, by: write.user) } }
}

/// `todomate accept`
struct AcceptCommand: Command {
    static let spec = CommandSpec(pairCommand: "accept", summary: "Let somebody follow who asks to.")
    private let write: PairWrite
    init(_ arguments: ParsedArguments) throws { write = try PairWrite(arguments) }
    func run() async throws -> ExitCode { try await write.run { try await $0.accept(write.other, by: write.user) } }
}

/// `todomate refuse`
struct RefuseCommand: Command {
    static let spec = CommandSpec(
        pairCommand: "refuse",
        summary: "Refuse somebody who asks to follow, or remove a follower."
    )
    private let write: PairWrite
    init(_ arguments: ParsedArguments) throws { write = try PairWrite(arguments) }
    func run() async throws -> ExitCode { try await write.run { try await $0.dismiss(write.other, by: write.user) } }
}

/// `todomate block`
struct BlockCommand: Command {
    static let spec = CommandSpec(
        pairCommand: "block",
        summary: "Show somebody nothing any more; neither follows the other from then on."
    )
    private let write: PairWrite
    init(_ arguments: ParsedArguments) throws { write = try PairWrite(arguments) }
    func run() async throws -> ExitCode { try await write.run { try await $0.block(write.other, by: write.user) } }
}

/// `todomate unblock`
struct UnblockCommand: Command {
    static let spec = CommandSpec(
        pairCommand: "unblock",
        summary: "Take a block back; nobody follows anybody for that."
    )
    private let write: PairWrite
    init(_ arguments: ParsedArguments) throws { write = try PairWrite(arguments) }
    func run() async throws -> ExitCode { try await write.run { try await $0.unblock(write.other, by: write.user) } }
}
