import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// A user and the Redis that keeps the account.
private struct Account: Sendable {
    let user: String
    let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[UserArguments.account]
        redis = try RedisOptions(arguments)
    }

    /// The hash of a password that is asked for.
    func passwordHash() async throws -> String {
        let password = try PasswordPrompt.ask(for: user)
        guard let hash = await PasswordHasher().hash(password) else {
            throw CommandError(
                "not enough memory to hash the password: free 64 MiB and try again",
                exitCode: .software
            )
        }
        return hash
    }

    /// Whether there is an account; asked before a password is.
    func exists() async throws -> Bool {
        try await redis.withRepository { try await $0.accounts.passwordHash(of: user) != nil }
    }
}

/// `todomate user add`
struct UserAddCommand: Command {
    private static let keepTodos = Flag(
        "keep-todos",
        help: "Give the account what a removed one of this name has left: todos, settings, and who follows whom."
    )

    static let spec = CommandSpec(
        name: "user add",
        summary: "Make an account, so that a user can sign in.",
        discussion: PasswordPrompt.explanation
            + " What a removed account of this name has left is given to nobody: delete it with 'todomate user remove --purge', "
            + "or say --keep-todos when the account is for the same person again.",
        positionals: [UserArguments.account],
        options: [keepTodos] + RedisOptions.all,
        examples: [.init("todomate user add alice")]
    )
    private let account: Account
    private let keepsTodos: Bool

    init(_ arguments: ParsedArguments) throws {
        account = try Account(arguments)
        keepsTodos = try arguments[Self.keepTodos]
    }

    func run() async throws -> ExitCode {
        guard try await !account.exists() else {
            throw CommandError(
                "\(account.user) has an account: change its password with 'todomate user passwd \(account.user)'",
                exitCode: .dataError
            )
        }
        let hash = try await account.passwordHash()
        try await account.redis.withRepository {
            try await $0.sessions.enroll(account.user, passwordHash: hash, keepingData: keepsTodos)
            Logger.account.info("account added", ["uid": account.user])
            try StandardOutput.write("\(account.user) can sign in now.\n")
            do throws(TodoError) {
                try await $0.relations.repair.settleWishes(for: account.user)
            } catch {
                throw CommandError(
                    "whether others asked to follow \(account.user) before could not be looked at (\(error)): "
                        + "'todomate doctor --repair' does it",
                    exitCode: .unavailable
                )
            }
        }
        return .ok
    }
}

/// `todomate user passwd`
struct UserPasswordCommand: Command {
    static let spec = CommandSpec(
        name: "user passwd",
        summary: "Change a user's password, and end all sessions of the user.",
        discussion: PasswordPrompt.explanation
            + " Sign-ins and tokens of before end within a second, event streams included.",
        positionals: [UserArguments.account],
        options: RedisOptions.all,
        examples: [.init("todomate user passwd alice")]
    )
    private let account: Account
    init(_ arguments: ParsedArguments) throws { account = try Account(arguments) }

    func run() async throws -> ExitCode {
        guard try await account.exists() else {
            throw CommandError(
                "\(account.user) has no account: make one with 'todomate user add \(account.user)'",
                exitCode: .dataError
            )
        }
        let hash = try await account.passwordHash()
        let ended = try await account.redis.withRepository {
            try await $0.sessions.setPasswordHash(hash, of: account.user)
        }
        Logger.account.info("password changed", ["uid": account.user, "sessions": String(ended)])
        try StandardOutput.write(
            "\(account.user) has a new password; \(ended) session\(ended == 1 ? "" : "s") of before ended.\n"
        )
        return .ok
    }
}

/// `todomate user remove`
struct UserRemoveCommand: Command {
    private static let purge = Flag(
        "purge",
        help: "Delete all that the user has as well: todos, reactions, settings, and who follows whom, on both sides."
    )

    static let spec = CommandSpec(
        name: "user remove",
        summary: "Take an account away and end its sessions; the user's todos stay, unless --purge is given.",
        discussion:
            "With --purge nothing is left of the user but blocks that others have set, and nothing brings it back. What is "
            + "interrupted goes on when it is called again; 'todomate doctor' finds it.",
        positionals: [UserArguments.account],
        options: [purge] + RedisOptions.all,
        examples: [.init("todomate user remove alice"), .init("todomate user remove --purge alice")]
    )
    private let account: Account
    private let isPurge: Bool
    private let talk: Terminal

    init(_ arguments: ParsedArguments) throws {
        account = try Account(arguments)
        isPurge = try arguments[Self.purge]
        talk = Terminal(descriptor: STDERR_FILENO, environment: arguments.environment)
    }

    func run() async throws -> ExitCode {
        guard isPurge else {
            try await account.redis.withRepository { try await $0.sessions.removeAccount(account.user) }
            Logger.account.info("account removed", ["uid": account.user])
            try StandardOutput.write(
                "\(account.user) cannot sign in any more, and all sessions ended; the todos stay.\n"
            )
            return .ok
        }
        try await purge()
        Logger.account.info("user purged", ["uid": account.user])
        try StandardOutput.write(
            "\(account.user) cannot sign in any more, and all that \(account.user) had is deleted.\n"
        )
        return .ok
    }

    @LoopActor
    private func purge() async throws {
        try await account.redis.withRepository { repository in
            var bar = PurgeProgress(talk)
            defer { bar.clear() }
            _ = try await repository.purge.run(account.user) { bar.show($0) }
        }
    }
}

/// `todomate user list`
struct UserListCommand: Command {
    static let spec = CommandSpec(
        name: "user list",
        summary: "List the users who can sign in.",
        options: [TodoArguments.json] + RedisOptions.all,
        examples: [.init("todomate user list"), .init("todomate user list --json | jq -r .uid")]
    )
    private let asJSON: Bool
    private let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        asJSON = try arguments[TodoArguments.json]
        redis = try RedisOptions(arguments)
    }

    func run() async throws -> ExitCode {
        let users = try await redis.withRepository { try await $0.accounts.users() }
        try StandardOutput.write(users.map { asJSON ? "{\"uid\":\"\($0)\"}\n" : $0 + "\n" }.joined())
        return .ok
    }
}
