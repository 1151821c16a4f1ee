import CommandArguments
import Foundation
import TerminalUI
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate invite`
struct InviteCommand: Command {
    static let about = CommandDescription(
        name: "invite",
        summary: "Print a link with which somebody makes an account, invited by a user.",
        discussion:
            "Whoever opens the link chooses a name and a password. It is shown this once: Redis holds only a digest of its secret, "
            + "and no server sees what stands behind the #. Workers take it unless they run with --registration closed. "
            + "'todomate invite list' shows who came by it, and 'todomate invite end' takes it back.",
        examples: [
            .init("todomate invite alice --server https://todo.example"),
            .init("todomate invite alice --welcome --label \"for bob\""),
            .init("todomate invite alice --uses 10 --days 30 --label \"the club\""),
        ]
    )

    @Positional(.account) private var user: String
    @Option(
        "uses",
        as: .integer(in: InvitationDraft.usesRange),
        default: 1,
        valueName: "number",
        help: "How many accounts may be made by it."
    )
    private var uses: Int
    @Option("days", as: .integer(in: 1...365), default: 7, valueName: "number", help: "For how long.")
    private var days: Int
    @Flag("welcome", help: "Let whoever comes follow the user without asking: with one use, where the user wants that.")
    private var welcomes: Bool
    @Option("label", as: .text, valueName: "text", help: "What it is for, as 'todomate invite list' shows it.")
    private var label: String?
    @Option(.server) private var server: String
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let code = LinkCode(of: user, for: .join)
        guard !welcomes || uses == 1 else { throw CommandError.usage("--welcome is for an invitation of one use") }
        var draft = InvitationDraft(id: code.digest(for: .join), uses: uses, seconds: days * 86_400, label: label)
        draft.welcome = welcomes ? true : nil
        let made = try await redis.place().withRepository { try await $0.invitations.invite(draft, by: user) }
        Logger.account.info("invitation made", ["uid": user, "invitation": made.shortID, "uses": String(made.uses)])
        try StandardOutput.write(code.link(for: .join, at: server) + "\n")
        return .ok
    }
}

/// `todomate invite list`
struct InviteListCommand: Command {
    static let about = CommandDescription(
        name: "invite list",
        summary: "List a user's invitations that are not over.",
        discussion:
            "A line has the first characters of the id, for 'todomate invite end', when it was made and when it ends, how many of "
            + "its uses are left, 'welcome' where whoever comes may follow at once, its label, and who came by it.",
        examples: [.init("todomate invite list alice"), .init("todomate invite list alice --json | jq -r .id")]
    )

    @Positional(.account) private var user: String
    @Flag(.json) private var asJSON: Bool
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        let all = try await redis.place().withRepository { try await $0.invitations.invitations(of: user) }
        try StandardOutput.write(all.map { asJSON ? $0.json + "\n" : Self.line($0) }.joined())
        return .ok
    }

    private static func line(_ invitation: Invitation) -> String {
        let came = invitation.came.map { $0.uid.isEmpty ? "(gone)" : $0.uid }.joined(separator: ", ")
        let welcomes = invitation.welcome == true ? "welcome" : nil
        let rest = [welcomes, invitation.label?.sanitized(), came.isEmpty ? nil : "came: \(came)"].compactMap(\.self)
        return "\(invitation.shortID)  \(Time.text(invitation.made))  until \(Time.text(invitation.expires))  "
            + "\(invitation.left) of \(invitation.uses) left  \(rest.joined(separator: "  "))\n"
    }
}

/// `todomate invite end`
struct InviteEndCommand: Command {
    private static let shortestID = 4

    static let about = CommandDescription(
        name: "invite end",
        summary: "Take an invitation back.",
        discussion: "Accounts that were made by it stay.",
        examples: [.init("todomate invite end alice Zm9vYmFy")]
    )

    @Positional(.account) private var user: String
    @Positional("id", as: .text, help: "Which invitation: its id, or the first characters of it.")
    private var prefix: String
    private let redis = RedisOptions()

    func run() async throws -> ExitCode {
        guard prefix.count >= Self.shortestID else {
            throw CommandError.usage("give at least \(Self.shortestID) characters of the id")
        }
        let ended = try await redis.place().withRepository { repository in
            let found = try await repository.invitations.invitations(of: user).filter { $0.id.hasPrefix(prefix) }
            guard let invitation = found.first else {
                throw CommandError(
                    "\(user) has no invitation \(prefix): 'todomate invite list \(user)' shows them",
                    exitCode: .dataError
                )
            }
            guard found.count == 1 else {
                throw CommandError(
                    "\(found.count) invitations begin with \(prefix): give more of the id",
                    exitCode: .dataError
                )
            }
            try await repository.invitations.endInvitation(InvitationName(inviter: user, id: invitation.id))
            return invitation
        }
        Logger.account.info("invitation taken back", ["uid": user, "invitation": ended.shortID])
        try StandardOutput.write("\(user): the invitation \(ended.shortID) is taken back.\n")
        return .ok
    }
}

extension Invitation {
    /// The invitation as one JSON object.
    fileprivate var json: String {
        JSONObject([
            "id": id, "made": Time.text(made), "expires": Time.text(expires), "uses": uses, "left": left,
            "welcome": welcome == true, "label": label,
            "came": came.map { JSONObject(["uid": $0.uid, "at": Time.text($0.at)]) },
        ]).text
    }
}
