import CommandArguments
import EventLoop
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate user leave`
struct UserLeaveCommand: Command {
    static let about = CommandDescription(
        name: "user leave",
        summary:
            "Have an account deleted after some time, as its owner can in the page; it is hidden from others at once.",
        discussion:
            "All sessions end. Until the time is over, the owner can sign in and keep the account, and 'todomate user stay' does so "
            + "too; then the workers delete all that the user has. 'todomate user remove --purge' does it now. A user who is leaving "
            + "already leaves no sooner.",
        examples: [.init("todomate user leave alice"), .init("todomate user leave alice --after 12h")]
    )

    @Option(
        "after",
        as: .deletionGrace,
        default: AccountDeletion.usualSeconds,
        valueName: "time",
        help: "When all is deleted, such as 7d or 12h; 0 for at once."
    )
    private var seconds: Int
    @Positional(.account) private var user: String
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let due = try await redis.place().withRepository { repository in
            let due = try await repository.deletions.begin(of: user, after: seconds, since: nil, keeping: nil)
            repository.relations.isForAccountsAlone = true
            // What is interrupted here the workers do within a minute or two.
            try await repository.deletions.advance(user)
            return due
        }
        Logger.account.info("deletion begun", ["uid": user, "due": due.asTime])
        try StandardOutput.write("\(user) is gone to others, and all that \(user) had is deleted on \(due.asTime).\n")
        return .ok
    }
}

/// `todomate user stay`
struct UserStayCommand: Command {
    static let about = CommandDescription(
        name: "user stay",
        summary: "Keep an account that is to be deleted, as it was before.",
        examples: [.init("todomate user stay alice")]
    )

    @Positional(.account) private var user: String
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        try await redis.place().withRepository { repository in
            try await repository.deletions.withdraw(of: user)
            repository.relations.isForAccountsAlone = true
            try await repository.deletions.advance(user)
        }
        Logger.account.info("deletion withdrawn", ["uid": user])
        try StandardOutput.write("\(user) keeps the account; others see \(user) as before.\n")
        return .ok
    }
}
