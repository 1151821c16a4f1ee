import EventLoop
import Foundation
import TodoMate
import TodoMateGateway
import TodoMateRedis

extension CommandSpec {
    /// What the `user` commands have in common.
    fileprivate init(userCommand name: String, summary: String, discussion: String = "") {
        self.init(
            name: "user \(name)",
            summary: summary,
            discussion: discussion,
            positionals: [Account.name],
            options: RedisOptions.all,
            examples: [.init("todomate user \(name) alice")]
        )
    }
}

/// A user and the Redis that keeps the account.
private struct Account: Sendable {
    static let name = Positional("user", as: .user, help: "Whose account it is.")

    let user: String
    let redis: RedisOptions

    init(_ arguments: ParsedArguments) throws {
        user = try arguments[Self.name]
        redis = try RedisOptions(arguments)
    }

    /// Asks for a password and makes it the account's.
    ///
    /// - Parameter mustExist: whether the account has to be there before, or must not be.
    func setPassword(mustExist: Bool) async throws {
        try await redis.withAccounts { accounts in
            let exists = try await accounts.passwordHash(of: user) != nil
            guard exists == mustExist else {
                throw CommandError(
                    exists
                        ? "\(user) has an account: change its password with 'todomate user passwd \(user)'"
                        : "\(user) has no account: make one with 'todomate user add \(user)'",
                    exitCode: .dataError
                )
            }
            let password = try PasswordPrompt.ask(for: user)
            guard let hash = await PasswordHasher().hash(password) else {
                throw CommandError(
                    "not enough memory to hash the password: free 64 MiB and try again",
                    exitCode: .software
                )
            }
            try await accounts.setPasswordHash(hash, of: user)
        }
    }
}

/// `todomate user add`
struct UserAddCommand: Command {
    static let spec = CommandSpec(
        userCommand: "add",
        summary: "Make an account, so that a user can sign in.",
        discussion: PasswordPrompt.explanation
    )
    private let account: Account
    init(_ arguments: ParsedArguments) throws { account = try Account(arguments) }

    func run() async throws -> ExitCode {
        try await account.setPassword(mustExist: false)
        try StandardOutput.write("\(account.user) can sign in now.\n")
        return .ok
    }
}

/// `todomate user passwd`
struct UserPasswordCommand: Command {
    static let spec = CommandSpec(
        userCommand: "passwd",
        summary: "Change a user's password.",
        discussion: PasswordPrompt.explanation
    )
    private let account: Account
    init(_ arguments: ParsedArguments) throws { account = try Account(arguments) }

    func run() async throws -> ExitCode {
        try await account.setPassword(mustExist: true)
        try StandardOutput.write("\(account.user) has a new password; sessions that are open go on until they end.\n")
        return .ok
    }
}

/// `todomate user remove`
struct UserRemoveCommand: Command {
    static let spec = CommandSpec(userCommand: "remove", summary: "Take an account away; the user's todos stay.")
    private let account: Account
    init(_ arguments: ParsedArguments) throws { account = try Account(arguments) }

    func run() async throws -> ExitCode {
        let wasThere = try await account.redis.withAccounts { try await $0.removePassword(of: account.user) }
        guard wasThere else { throw CommandError("\(account.user) has no account", exitCode: .dataError) }
        try StandardOutput.write(
            "\(account.user) cannot sign in any more; sessions that are open go on until they end.\n"
        )
        return .ok
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
        let users = try await redis.withAccounts { try await $0.users() }
        try StandardOutput.write(users.map { asJSON ? "{\"uid\":\"\($0)\"}\n" : $0 + "\n" }.joined())
        return .ok
    }
}
