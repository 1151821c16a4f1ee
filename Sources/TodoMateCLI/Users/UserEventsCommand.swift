import CommandArguments
import Foundation
import TerminalUI
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate user events`
struct UserEventsCommand: Command {
    static let about = CommandDescription(
        name: "user events",
        summary: "List what happened to an account: the last hundred events, the latest in front.",
        discussion:
            "Signing in and wrong passwords, tokens, sessions that were ended, a new password and another audience, and what operators "
            + "decided. A line has the time, what happened, the network and the device that it came from, and what it was about.",
        examples: [
            .init("todomate user events alice"), .init("todomate user events alice --json | jq -r .kind"),
        ]
    )

    @Positional(.account) private var user: String
    @Flag(.json) private var asJSON: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let events = try await redis.place().withRepository { repository in
            try await repository.checkAccount(of: user)
            return try await repository.sessions.events(of: user)
        }
        try StandardOutput.write(events.map { asJSON ? $0.shown.text + "\n" : Self.line($0) }.joined())
        return .ok
    }

    private static func line(_ event: AccountEvent) -> String {
        let session = event.session.map { String($0.prefix(SessionEndCommand.shownID)) }
        let labels = [event.from, event.device, event.name, event.scope?.rawValue, event.audience?.rawValue, session]
        let decided = [event.count.map(String.init), event.role, event.reason, event.by.map { "by \($0)" }]
        let rest = (labels + decided).compactMap { $0?.sanitized() }.joined(separator: "  ")
        let time = Date(timeIntervalSince1970: Double(event.at) / 1000).formatted(.iso8601)
        return "\(time)  \(event.kind.sanitized().padded(toWidth: 16))  \(rest)\n"
    }
}
