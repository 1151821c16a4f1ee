import CommandArguments
import Foundation
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate user reset`
struct UserResetCommand: Command {
    static let about = CommandDescription(
        name: "user reset",
        summary: "Print a link with which a user sets another password, once.",
        discussion:
            "For a user who has forgotten it: nobody else learns the new one. Until the link is used, the old password and all "
            + "sessions stay good; then all sessions end. The link ends with its time, with the next password, and when another "
            + "one is made. It is shown this once: Redis holds only a digest of its secret.",
        examples: [
            .init("todomate user reset alice --server https://todo.example"),
            .init("todomate user reset alice --hours 2"),
        ]
    )

    @Positional(.account) private var user: String
    @Option("hours", as: .integer(in: 1...720), default: 24, valueName: "number", help: "For how long.")
    private var hours: Int
    @Option(.server) private var server: String
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let code = LinkCode(of: user, for: .reset)
        try await redis.place().withRepository {
            try await $0.resets.offerReset(code.digest(for: .reset), of: user, seconds: hours * 3600)
        }
        Logger.account.info("link for a password made", ["uid": user, "hours": String(hours)])
        try StandardOutput.write(code.link(for: .reset, at: server) + "\n")
        return .ok
    }
}
