import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// What the commands about one account have in common.
private struct Account: Sendable {
    @Positional(.account) var user: String
    let redis = RedisOptions()

    /// The hash of a password that is prompted for.
    func passwordHash() async throws -> String {
        let password = try PasswordPrompt.read(for: user)
        guard let hash = await PasswordHasher().hash(password) else {
            throw CommandError(
                "not enough memory to hash the password: free 64 MiB and try again",
                exitCode: .software
            )
        }
        return hash
    }

    /// Whether there is an account; checked before the password is prompted for.
    func exists(in redis: RedisPlace) async throws -> Bool {
        try await redis.withRepository { try await $0.accounts.passwordHash(of: user) != nil }
    }
}

/// `todomate user add`
struct UserAddCommand: Command {
    static let about = CommandDescription(
        name: "user add",
        summary: "Create an account, so that a user can sign in.",
        discussion: PasswordPrompt.explanation
            + " What a removed account of this name has left belongs to no one: delete it with 'todomate user remove --purge', "
            + "or say --keep-todos when the account is for the same person again.",
        examples: [.init("todomate user add alice")]
    )

    @Flag(
        "keep-todos",
        help: "Give the account what a removed one of this name has left: todos, settings and relations."
    )
    private var keepsTodos: Bool
    private let account = Account()

    func run() async throws -> ExitCode {
        let redis = try account.redis.place()
        guard try await !account.exists(in: redis) else {
            throw CommandError(
                "\(account.user) has an account: change its password with 'todomate user passwd \(account.user)'",
                exitCode: .dataError
            )
        }
        let hash = try await account.passwordHash()
        try await redis.withRepository {
            try await $0.sessions.enroll(account.user, passwordHash: hash, keepingData: keepsTodos)
            Logger.account.info("account added", ["uid": account.user])
            try StandardOutput.write("\(account.user) can sign in now.\n")
            let alike = try await $0.looks.accounts(like: account.user)
            if !alike.isEmpty {
                let names = alike.joined(separator: ", ")
                let line = "todomate: \(account.user) is easily mistaken for \(names)\n"
                FileHandle.standardError.write(Data(line.utf8))
            }
            do throws(TodoError) {
                try await $0.relations.repair.settleWishes(for: account.user)
            } catch {
                throw CommandError(
                    "whether others asked to follow \(account.user) before could not be checked (\(error)): "
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
    static let about = CommandDescription(
        name: "user passwd",
        summary: "Change a user's password, and end all sessions of the user.",
        discussion: PasswordPrompt.explanation
            + " Sign-ins and tokens of before end within a second, event streams included.",
        examples: [.init("todomate user passwd alice")]
    )

    private let account = Account()

    func run() async throws -> ExitCode {
        let redis = try account.redis.place()
        guard try await account.exists(in: redis) else { throw CommandError.noAccount(account.user) }
        let hash = try await account.passwordHash()
        let ended = try await redis.withRepository {
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
    static let about = CommandDescription(
        name: "user remove",
        summary: "Remove an account and end its sessions; the user's todos stay, unless --purge is given.",
        discussion:
            "With --purge nothing is left of the user but blocks that others have set, and it cannot be undone. What is "
            + "interrupted continues when it is called again; 'todomate doctor' finds it.",
        examples: [.init("todomate user remove alice"), .init("todomate user remove --purge alice")]
    )

    @Flag(
        "purge",
        help: "Also delete all data of the user: todos, reactions, settings, and relations on both sides."
    )
    private var isPurge: Bool
    private let account = Account()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        guard isPurge else {
            try await account.redis.place().withRepository { try await $0.sessions.removeAccount(account.user) }
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
        try await account.redis.place().withRepository { repository in
            var bar = PurgeProgress(Terminal(descriptor: STDERR_FILENO, environment: environment))
            defer { bar.clear() }
            _ = try await repository.purge.run(account.user) { bar.show($0) }
        }
    }
}
