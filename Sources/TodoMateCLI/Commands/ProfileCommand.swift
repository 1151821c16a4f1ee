import CommandArguments
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate profile`
struct ProfileCommand: Command {
    static let about = CommandDescription(
        name: "profile",
        summary:
            "Show or change who may follow a user and see new todos, how the user is called, and how days are shown.",
        discussion: "An empty value takes a name, face, language, time zone or first day of the week away.",
        examples: [
            .init("todomate profile alice"), .init("todomate profile alice --audience public"),
            .init("todomate profile alice --name 'Alice Kim' --face 🦊"),
        ]
    )

    @Option(
        "audience",
        as: .choice(of: Visibility.self),
        valueName: "who",
        help: "Who may follow: anyone at once (public), those who are accepted (followers), no one (private)."
    )
    private var audience: Visibility?
    @Option(
        "visibility",
        as: .choice(of: Visibility.self),
        valueName: "who",
        help: "Who may see new todos by default."
    )
    private var visibility: Visibility?
    @Option("name", as: .textOrEmpty, help: "How the user is called in lists and the feed: at most 40 characters.")
    private var name: String?
    @Option("face", as: .textOrEmpty, valueName: "emoji", help: "The emoji in place of the first letter.")
    private var face: String?
    @Option("language", as: .textOrEmpty, valueName: "code", help: "The language of the page: en or ko.")
    private var language: String?
    @Option("time-zone", as: .textOrEmpty, valueName: "zone", help: "Where the user's days begin, such as Asia/Seoul.")
    private var timeZone: String?
    @Option(
        "week-start",
        as: .textOrEmpty,
        valueName: "day",
        help: "The first day of the week: monday, saturday or sunday."
    )
    private var weekStart: String?
    private let query = PersonQuery()

    func run() async throws -> ExitCode {
        var patch = AccountPatch(audience: audience, visibility: visibility)
        let values = [name, face, language, timeZone, weekStart]
        for case (let field, let value?) in zip(Preferences.fields, values) { patch.preferences[field] = value }
        if let timeZone, !timeZone.isEmpty, TimeZone(identifier: timeZone) == nil {
            throw CommandError("there is no time zone '\(timeZone)': give one such as Asia/Seoul", exitCode: .usage)
        }
        let change = patch
        let profile = try await query.places.place().withStores { stores in
            if !change.isEmpty { try await stores.relations.set(change, of: query.user) }
            return try await stores.relations.profile(of: query.user)
        }
        try StandardOutput.write((query.asJSON ? profile.json : Self.table(profile)) + "\n")
        return .ok
    }

    private static func table(_ profile: AccountProfile) -> String {
        let (settings, counts) = (profile.settings, profile.counts)
        let chosen = Preferences.fields.compactMap { field in
            settings.preferences[field].map { (label(of: field), $0) }
        }
        let rest = [
            ("audience", settings.audience.rawValue), ("new todos", settings.visibility.rawValue),
            ("following", String(counts.following)), ("followers", String(counts.followers)),
            ("requests", String(counts.requests)), ("todos", String(counts.todos)),
            ("space", "\(counts.bytes / 1024) of \(counts.bytesMost / 1024) KiB"),
        ]
        return (chosen + rest).map { "\($0.padded(toWidth: 10))  \($1)" }.joined(separator: "\n")
    }

    private static func label(of field: String) -> String {
        switch field {
        case "timeZone": "time zone"
        case "weekStart": "week"
        default: field
        }
    }
}
