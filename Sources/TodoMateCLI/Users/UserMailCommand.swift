import CommandArguments
import TodoMate
import TodoMateRedis

/// `todomate user mail`
struct UserMailCommand: Command {
    static let about = CommandDescription(
        name: "user mail",
        summary: "Show where a user has mail sent to, or take that address away.",
        discussion:
            "Links for a new password go to that address. Take it away from an account that somebody else had got hold of, before "
            + "'todomate user reset': its owner sets another one under My account.",
        examples: [.init("todomate user mail alice"), .init("todomate user mail alice --remove")]
    )

    @Positional(.account) private var user: String
    @Flag("remove", help: "Take it away, and end all links that were sent there.") private var isRemoval: Bool
    @Flag(.json) private var asJSON: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let before = try await redis.place().withRepository { repository in
            try await repository.checkAccount(of: user)
            let mail = try await repository.mails.mail(of: user)
            if isRemoval { _ = try await repository.mails.removeMail(of: user, since: nil) }
            return mail
        }
        if isRemoval, before.address != nil || before.pending != nil {
            Logger.account.info("mail address removed", ["uid": user])
        }
        try StandardOutput.write(asJSON ? json(isRemoval ? AccountMail() : before) : words(before))
        return .ok
    }

    private func json(_ mail: AccountMail) -> String {
        JSONObject(["uid": user, "address": mail.address, "pending": mail.pending]).text + "\n"
    }

    private func words(_ before: AccountMail) -> String {
        if isRemoval { return "\(user) has mail sent nowhere any more.\n" }
        let waiting = before.pending.map { ", and \($0) waits to be confirmed" } ?? ""
        return "\(user) has mail sent \(before.address.map { "to \($0)" } ?? "nowhere")\(waiting).\n"
    }
}
