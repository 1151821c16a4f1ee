import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate session list`
struct SessionListCommand: Command {
    static let about = CommandDescription(
        name: "session list",
        summary: "List a user's sign-ins, and the tokens of programs.",
        discussion:
            "A line has the first characters of the id, for 'todomate session end', its kind, when it was made and when "
            + "it ends by itself, the network that it was made from, the device, a token's name and scope, and when it was last used, within an "
            + "hour or so.",
        examples: [.init("todomate session list alice"), .init("todomate session list alice --json | jq -r .id")]
    )

    @Positional(.account) private var user: String
    @Flag(.json) private var asJSON: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let sessions = try await redis.place().withRepository { try await $0.sessions.sessions(of: user) }
        try StandardOutput.write(sessions.map { asJSON ? $0.json + "\n" : Self.line($0) }.joined())
        return .ok
    }

    private static func line(_ session: Session) -> String {
        let labels = [session.from, session.device, session.name].map { $0?.sanitized() }
        let more = [session.shownScope, session.used.map { "used \($0.asTime)" }]
        let rest = (labels + more).compactMap { $0 }.joined(separator: "  ")
        return "\(session.id.prefix(SessionEndCommand.shownID))  \(session.kind.rawValue.padded(toWidth: 7))  "
            + "\(session.made.asTime)  until \(session.expires.asTime)  \(rest)\n"
    }
}

extension Session {
    /// The session as one JSON object, without what is unknown.
    fileprivate var json: String {
        JSONObject([
            "id": id, "kind": kind.rawValue, "made": made.asTime, "expires": expires.asTime,
            "from": from, "device": device, "name": name, "scope": shownScope, "used": used?.asTime,
        ]).text
    }
}

extension Int {
    /// Seconds since 1970 as a time: `2026-11-20T09:30:00Z`.
    fileprivate var asTime: String { Date(timeIntervalSince1970: Double(self)).formatted(.iso8601) }
}

/// `todomate session end`
struct SessionEndCommand: Command {
    /// The characters of an id that identify a session.
    static let shownID = 8
    private static let shortestID = 4

    static let about = CommandDescription(
        name: "session end",
        summary: "End one session of a user, or all of them.",
        discussion:
            "It ends within a second in every worker, including event streams. Anyone who knows the password can sign in again: "
            + "'todomate user passwd' gives the account another one and ends all sessions as well.",
        examples: [.init("todomate session end alice Zm9vYmFy"), .init("todomate session end alice --all")]
    )

    @Positional(.account) private var user: String
    @Positional(optional: "id", as: .text, help: "Which session: its id, or the first characters of it.")
    private var prefix: String?
    @Flag("all", help: "All sessions of the user, including tokens.") private var all: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        guard (prefix == nil) == all else {
            throw CommandError.usage("give the id of one session, or --all: 'todomate session list \(user)' shows them")
        }
        guard prefix.map({ $0.count >= Self.shortestID }) ?? true else {
            throw CommandError.usage("give at least \(Self.shortestID) characters of the id")
        }
        let list = try await redis.place().withRepository { repository in
            guard let prefix else {
                let count = try await repository.sessions.endAll(of: user)
                Logger.account.info("sessions ended", ["uid": user, "sessions": String(count)])
                return "\(user): \(count) session\(count == 1 ? "" : "s") ended.\n"
            }
            let found = try await repository.sessions.sessions(of: user).filter { $0.id.hasPrefix(prefix) }
            guard let session = found.first else {
                throw CommandError(
                    "\(user) has no session \(prefix): 'todomate session list \(user)' shows them",
                    exitCode: .dataError
                )
            }
            guard found.count == 1 else {
                throw CommandError(
                    "\(found.count) sessions begin with \(prefix): give more of the id",
                    exitCode: .dataError
                )
            }
            try await repository.sessions.end(session.id, of: user)
            let shown = session.id.prefix(Self.shownID)
            Logger.account.info("session ended", ["uid": user, "session": String(shown)])
            return "\(user): the session \(shown) ended.\n"
        }
        try StandardOutput.write(list)
        return .ok
    }
}
