import CommandArguments
import Foundation
import TodoMate
import TodoMateRedis

/// `todomate user role`
struct UserRoleCommand: Command {
    /// What may be said.
    enum Role: String, CaseIterable {
        case `operator`, none
    }

    static let about = CommandDescription(
        name: "user role",
        summary: "Give a user the operator's role, or take it away.",
        discussion:
            "Operators have a page with the accounts and workers of this installation, and suspend, limit and announce there. They "
            + "never see others' todos. It needs a sign-in: a token does none of it. Taken away, it ends with the next request.",
        examples: [.init("todomate user role alice operator"), .init("todomate user role alice none")]
    )

    @Positional(.account) private var user: String
    @Positional("role", as: .choice(of: Role.self), help: "operator, or none.") private var role: Role
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let isNew = try await redis.place().withRepository { repository in
            try await repository.operators.setRole(role == .operator ? .operator : nil, of: user)
        }
        if isNew { Logger.account.info("role changed", ["uid": user, "role": role.rawValue]) }
        let text = role == .operator ? "an operator" : "no operator"
        try StandardOutput.write("\(user) is \(text)\(isNew ? " now" : ", as before").\n")
        return .ok
    }
}
