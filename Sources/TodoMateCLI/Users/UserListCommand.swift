import CommandArguments
import EventLoop
import Foundation
import TerminalUI
import TodoMate
import TodoMateGateway
import TodoMateRedis

/// `todomate user list`
struct UserListCommand: Command {
    static let about = CommandDescription(
        name: "user list",
        summary: "List the users who can sign in, with what they have, may have, and when they were last here.",
        discussion:
            "A line has the name, what the user is called, the number of todos, what they weigh and may weigh, the sign-ins and "
            + "tokens that are not over, the day of the last use, the day on which the account was made, and what is special about "
            + "it. Last use is known to within an hour; older versions did not note when an account was made. Many accounts are "
            + "read a page at a time.",
        examples: [
            .init("todomate user list"), .init("todomate user list --sort bytes --limit 10", "Who has most."),
            .init("todomate user list --suspended"), .init("todomate user list --json | jq -r .uid"),
        ]
    )

    /// How many accounts are read at a time.
    private static let page = 200

    @Option(
        "sort",
        as: .choice(of: UserOrder.self),
        default: .name,
        valueName: "order",
        help: "By name, bytes or used."
    )
    private var order: UserOrder
    @Option("prefix", as: .text, default: "", valueName: "text", help: "Only names that begin so.")
    private var prefix: String
    @Option("limit", as: .integer(in: 1 ... .max), valueName: "number", help: "No more than so many.")
    private var limit: Int?
    @Flag("suspended", help: "Only those who are suspended.") private var onlySuspended: Bool
    @Flag("operators", help: "Only those with the operator's role.") private var onlyOperators: Bool
    @Flag(.json) private var asJSON: Bool
    private let redis = RedisOptions()
    @Environment private var environment: [String: String]

    func run() async throws -> ExitCode {
        try await redis.place().withRepository { try await list($0.operators) }
        return .ok
    }

    @LoopActor
    private func list(_ operators: RedisOperatorStore) async throws {
        let messages = Terminal(descriptor: STDERR_FILENO, environment: environment)
        let missing = MissingNodes()
        let names = try await names(operators, messages, missing)
        let width = UserTable.nameWidth(names)
        var bar = ProgressBar(ProgressLine(label: "accounts", unit: "read", total: names.count), terminal: messages)
        defer { bar.clear() }
        var (rest, kept, done) = (names[...], [AccountSummary](), 0)
        var isFirst = true
        while !rest.isEmpty, order != .name || limit.map({ done < $0 }) ?? true {
            bar.update(names.count - rest.count)
            var page = try await operators.summaries(of: Array(rest.prefix(Self.page)), missing: missing)
            rest = rest.dropFirst(Self.page)
            guard order == .name else {
                kept = order.sorted(kept + page)
                // Those who cannot be among the first any more need not be kept.
                if let limit { kept = Array(kept.prefix(limit)) }
                continue
            }
            if let limit { page = Array(page.prefix(limit - done)) }
            done += page.count
            bar.clear()
            try write(page, width, isFirst: isFirst)
            isFirst = false
        }
        bar.clear()
        if order != .name { try write(kept, width, isFirst: true) }
        guard missing.names.isEmpty else {
            let nodes = missing.names.joined(separator: ", ")
            throw CommandError(
                "the accounts at \(nodes) are missing here, as it does not answer: see 'todomate doctor'",
                exitCode: .unavailable
            )
        }
    }

    /// The names of those who are asked for, in order; all that is kept of all accounts.
    @LoopActor
    private func names(
        _ operators: RedisOperatorStore,
        _ messages: Terminal,
        _ missing: MissingNodes
    ) async throws -> [String] {
        var names: Set<String> = []
        var progress = SearchProgress(messages)
        defer { progress.clear() }
        try await operators.eachAccount(missing: missing) { marks in
            for mark in marks where mark.uid.hasPrefix(prefix) {
                guard !onlySuspended || mark.isSuspended, !onlyOperators || mark.role == .operator else { continue }
                names.insert(mark.uid)
            }
            progress.show(names.count)
        }
        return names.sorted()
    }

    private func write(_ page: [AccountSummary], _ width: Int, isFirst: Bool) throws {
        guard !asJSON else { return try print(page.map { $0.shown.text + "\n" }.joined()) }
        let head = isFirst && !page.isEmpty ? [UserTable.head(width)] : []
        try print((head + page.map { UserTable.line($0, width) }).map { $0 + "\n" }.joined())
    }

    private func print(_ text: String) throws { _ = try StandardOutput.write(text) }
}

/// In which order accounts are listed.
enum UserOrder: String, CaseIterable {
    case name, bytes, used

    /// Those with most, or who were here last, in front.
    func sorted(_ summaries: [AccountSummary]) -> [AccountSummary] {
        summaries.sorted { left, right in
            switch self {
            case .name: left.uid < right.uid
            case .bytes: (right.bytes, left.uid) < (left.bytes, right.uid)
            case .used: (right.used ?? 0, left.uid) < (left.used ?? 0, right.uid)
            }
        }
    }
}
