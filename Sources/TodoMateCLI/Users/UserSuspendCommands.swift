import CommandArguments
import Foundation
import TodoMate
import TodoMateRedis

/// `todomate user suspend`
struct UserSuspendCommand: Command {
    static let about = CommandDescription(
        name: "user suspend",
        summary: "Keep a user from signing in, and put all sessions and tokens to rest, until 'todomate user resume'.",
        discussion:
            "Within a second no session or token opens anything, event streams included; they come back when the account is resumed, so "
            + "that programs go on. Whoever gives the right password is told that the account is suspended, and why. Links for "
            + "a new password and invitations of the user do not work meanwhile. What others see of the user stays, and nothing is "
            + "deleted, but a deletion that was begun goes on: 'todomate user stay' ends that. Saying it again with another reason changes the reason.",
        examples: [
            .init("todomate user suspend mallory"),
            .init("todomate user suspend mallory mallory2 mallory3", "All of them, or none where one has no account."),
            .init("todomate user suspend mallory --reason \"Advertising. Write to admin@todo.example.\""),
        ]
    )

    private let users = AccountUsers()
    @Option("reason", as: .textOrEmpty, default: "", valueName: "text", help: "Why, as the user is told: one line.")
    private var reason: String
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        try await redis.place().withRepository { repository in
            try await users.check(in: repository)
            for user in users.all {
                let isNew = try await repository.operators.suspend(user, for: reason, by: nil)
                if isNew { Logger.account.info("account suspended", ["uid": user]) }
                try StandardOutput.write(isNew ? "\(user) is suspended.\n" : "\(user) was suspended already.\n")
            }
        }
        return .ok
    }
}

/// `todomate user resume`
struct UserResumeCommand: Command {
    static let about = CommandDescription(
        name: "user resume",
        summary: "End the suspension of a user, whose sessions and tokens are good again.",
        discussion: "'todomate session end --all' before ends them for good.",
        examples: [.init("todomate user resume mallory")]
    )

    private let users = AccountUsers()
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        try await redis.place().withRepository { repository in
            try await users.check(in: repository)
            for user in users.all {
                let wasSuspended = try await repository.operators.resume(user, by: nil)
                if wasSuspended { Logger.account.info("account resumed", ["uid": user]) }
                try StandardOutput.write(wasSuspended ? "\(user) can sign in again.\n" : "\(user) was not suspended.\n")
            }
        }
        return .ok
    }
}
