import CommandArguments
import Foundation
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate user factor`
struct UserFactorCommand: Command {
    static let about = CommandDescription(
        name: "user factor",
        summary: "Show whether a user has a second factor, or turn it off.",
        discussion:
            "With a second factor, signing in takes a code from an app on the user's phone besides the password. Turn it off for "
            + "somebody who has lost the phone and the recovery codes, once you are sure who asks: from then on the password alone "
            + "signs in. The user sees it among what happened to the account.",
        examples: [.init("todomate user factor alice"), .init("todomate user factor alice --off")]
    )

    @Positional(.account) private var user: String
    @Flag("off", help: "Turn it off.") private var isOff: Bool
    @Flag(.json) private var asJSON: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let (before, wasTurnedOff) = try await redis.place().withRepository { repository in
            try await repository.checkAccount(of: user)
            let state = try await repository.factors.factor(of: user)
            return (state, isOff ? try await repository.factors.turnOff(of: user) : false)
        }
        if wasTurnedOff { Logger.account.info("second factor turned off", ["uid": user]) }
        try StandardOutput.write(asJSON ? json(isOff ? StoredFactor() : before) : words(before, wasTurnedOff))
        return .ok
    }

    private func json(_ state: StoredFactor) -> String {
        let fields = JSONObject([
            "uid": user, "isOn": state.secret != nil, "since": state.since.map(Self.time), "recoveryCodes": state.left,
        ])
        return fields.text + "\n"
    }

    private func words(_ state: StoredFactor, _ wasTurnedOff: Bool) -> String {
        if wasTurnedOff { return "\(user) has no second factor any more: the password alone signs in.\n" }
        guard !isOff, let since = state.since, let left = state.left else { return "\(user) has no second factor.\n" }
        return
            "\(user) has a second factor since \(Self.time(since)), and \(left) recovery code\(left == 1 ? "" : "s") left.\n"
    }

    private static func time(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
