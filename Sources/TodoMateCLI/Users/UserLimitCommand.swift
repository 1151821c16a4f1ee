import CommandArguments
import Foundation
import TerminalUI
import TodoMate
import TodoMateRedis

/// `todomate user limit`
struct UserLimitCommand: Command {
    static let about = CommandDescription(
        name: "user limit",
        summary: "Show or change how much users may have and write, in place of what the server allows each.",
        discussion:
            "What a user has beyond a smaller limit stays, and no more is taken. Bytes and the numbers of todos and tokens are "
            + "limited in Redis, whoever writes; writes a minute by the workers, half a minute's at once; with --write-rate 0 "
            + "each worker counts by itself. With --invitations a user may invite others in the page even where the workers "
            + "let nobody do so, and 0 keeps the user from it; 'todomate invite' is not limited. The word default takes one "
            + "limit away, --default all.",
        examples: [
            .init("todomate user limit alice"),
            .init("todomate user limit alice --bytes 200MB --todos 20000 --tokens 10 --writes 600/min"),
            .init("todomate user limit alice --invitations 5"),
            .init(
                "todomate user list --json | jq -r .uid | xargs todomate user limit --bytes 64MB",
                "The same for all."
            ),
            .init("todomate user limit alice --default"),
        ]
    )

    private let users = AccountUsers()
    @Option("bytes", as: .limit(.bytes), valueName: "size", help: "What the todos may weigh, such as 200MB.")
    private var bytes: AccountLimits.Change?
    @Option("todos", as: .limit(.todos), valueName: "number", help: "How many todos there may be.")
    private var todos: AccountLimits.Change?
    @Option("tokens", as: .limit(.tokens), valueName: "number", help: "How many tokens for programs.")
    private var tokens: AccountLimits.Change?
    @Option(
        "writes",
        as: .limit(.writes),
        valueName: "rate",
        help: "How many writes of todos, such as 600/min or 10/s."
    )
    private var writes: AccountLimits.Change?
    @Option(
        "invitations",
        as: .limit(.invitations),
        valueName: "number",
        help: "How many open invitations made in the page; 0 for none."
    )
    private var invitations: AccountLimits.Change?
    @Flag("default", help: "What the server allows each, for all that is not given.") private var isDefault: Bool
    private let redis = RedisOptions()

    private var changes: [AccountLimits.Kind: AccountLimits.Change] {
        var changes: [AccountLimits.Kind: AccountLimits.Change] = [:]
        if isDefault { for kind in AccountLimits.Kind.allCases { changes[kind] = .serverDefault } }
        let given: [(AccountLimits.Kind, AccountLimits.Change?)] =
            [
                (.bytes, bytes), (.todos, todos), (.tokens, tokens), (.writes, writes), (.invitations, invitations),
            ]
        for case (let kind, let change?) in given { changes[kind] = change }
        return changes
    }

    func run() async throws -> ExitCode {
        let changes = changes
        let users = users.all
        let summaries = try await redis.place().withRepository { repository in
            try await self.users.check(in: repository)
            for user in users where !changes.isEmpty {
                guard try await repository.operators.limit(user, changes, by: nil) else { continue }
                Logger.account.info("limits changed", ["uid": user])
            }
            return try await repository.operators.summaries(of: users)
        }
        guard summaries.count == users.count else { throw CommandError.noAccount(users[0]) }
        let tables = summaries.map { (users.count > 1 ? "\($0.uid)\n" : "") + Self.table($0) }
        try StandardOutput.write(tables.joined(separator: "\n"))
        return .ok
    }

    private static func table(_ summary: AccountSummary) -> String {
        let limits = summary.limits
        let lines = [
            "bytes".padded(toWidth: 13) + "\(ByteCount.text(summary.bytes)) of \(ByteCount.text(summary.bytesMost))"
                + (limits[.bytes] == nil ? ", as the server allows" : ""),
            line("todos", "\(summary.todos)", limits[.todos]), line("tokens", "\(summary.tokens)", limits[.tokens]),
            "writes".padded(toWidth: 13) + (limits[.writes].map { "\($0) a minute" } ?? "as the server allows"),
            "invitations".padded(toWidth: 13)
                + (limits[.invitations].map { "\($0) open at a time" } ?? "as the server allows"),
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func line(_ name: String, _ count: String, _ most: Int?) -> String {
        let start = name.padded(toWidth: 13) + count
        return start + (most.map { " of \($0)" } ?? ", as the server allows")
    }
}

extension ValueParser where Value == AccountLimits.Change {
    /// A limit of a kind, or the word default.
    fileprivate static func limit(_ kind: AccountLimits.Kind) -> Self {
        Self(describe: { "\($0)" }) { text in
            if text == "default" { return .serverDefault }
            guard let most = number(text, kind), kind.range.contains(most) else {
                throw InvalidValue(expectation: expectation(kind))
            }
            return .most(most)
        }
    }

    private static func number(_ text: String, _ kind: AccountLimits.Kind) -> Int? {
        switch kind {
        case .bytes: return ByteCount.bytes(text)
        case .todos, .tokens, .invitations: return Int(text)
        case .writes:
            if text.hasSuffix("/s") {
                guard let number = Int(text.dropLast(2)), number <= kind.range.upperBound else { return nil }
                return number * 60
            }
            return Int(text.hasSuffix("/min") ? String(text.dropLast(4)) : text)
        }
    }

    private static func expectation(_ kind: AccountLimits.Kind) -> String {
        let range = kind.range
        return switch kind {
        case .bytes: "a size up to 1GiB, such as 200MB, or default"
        case .todos, .tokens, .invitations: "a whole number from \(range.lowerBound) to \(range.upperBound), or default"
        case .writes: "from 1 to \(range.upperBound) a minute, such as 600/min or 10/s, or default"
        }
    }
}
