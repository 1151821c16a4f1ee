import EventLoop
import RedisClient
import TerminalUI
import TodoMate
import TodoMateRedis

/// A walk over all that users keep of one another.
@LoopActor
struct FollowingAudit {
    /// Two users with a relation, in the order of their names.
    struct Pair: Hashable {
        let one: String
        let other: String

        init(_ one: String, _ other: String) {
            self.one = min(one, other)
            self.other = max(one, other)
        }
    }

    /// How many followings and requests there are, counted on the follower's side.
    private(set) var count = 0
    /// Pairs whose sides looked different, or that are marked as not settled.
    private(set) var suspects: [Pair] = []
    /// Entries that cannot be read.
    private(set) var corrupt: [(key: String, other: String)] = []
    /// Whether accounts exist here: a request to a name without one is valid, and waits.
    private(set) var hasAccounts = false

    private let client: RedisClient
    private let messages: Terminal

    init(client: RedisClient, messages: Terminal) {
        self.client = client
        self.messages = messages
    }

    /// Looks at both sides of all pairs.
    mutating func run() async throws {
        hasAccounts = try await lookForAccounts()
        let keys = try await keys()
        var found: Set<Pair> = []
        var bar = ProgressBar(ProgressLine(label: "doctor", unit: "lists", total: keys.count), terminal: messages)
        defer { bar.clear() }
        for (index, (uid, part)) in keys.enumerated() {
            bar.update(index)
            // A key of a wrong type is reported by another check.
            let type = try await client.send(RedisCommand("TYPE", Self.key(uid, part))).string
            guard type == part.type else { continue }
            switch part {
            case .unsettled:
                let others = try await client.send(RedisCommand("HKEYS", Self.key(uid, part))).array ?? []
                for other in users(others.compactMap(\.string), in: Self.key(uid, part)) {
                    found.insert(Pair(uid, other))
                }
            case .following:
                try await pages(.hash, Self.key(uid, part)) { audit, others in
                    audit.count += others.count
                    found.formUnion(try await audit.wrong(others.map { Pair(uid, $0) }))
                }
            default:
                try await pages(.sortedSet, Self.key(uid, part)) { audit, others in
                    found.formUnion(try await audit.wrong(others.map { Pair(uid, $0) }))
                }
            }
        }
        suspects = found.sorted { ($0.one, $0.other) < ($1.one, $1.other) }
    }

    /// Those of these pairs whose sides do not agree, or are marked.
    mutating func stillWrong(_ pairs: [Pair]) async throws -> [Pair] {
        let different = Set(try await wrong(pairs))
        let marks = try await client.pipelined(
            pairs.flatMap { pair in
                [
                    RedisCommand("HEXISTS", Self.key(pair.one, .unsettled), pair.other),
                    RedisCommand("HEXISTS", Self.key(pair.other, .unsettled), pair.one),
                ]
            }
        )
        return pairs.enumerated().filter { index, pair in
            different.contains(pair) || marks[index * 2].integer == 1 || marks[index * 2 + 1].integer == 1
        }.map(\.element)
    }

    /// Whether there is any account.
    private func lookForAccounts() async throws -> Bool {
        var isFound = false
        try await scan(TodoKeys.every(.profile)) { keys in
            guard !isFound else { return }
            let answers = try await client.pipelined(keys.map { RedisCommand("HEXISTS", $0, "password") })
            isFound = answers.contains { $0.integer == 1 }
        }
        return isFound
    }

    /// Hands over all keys of a pattern, a part at a time; one may come twice.
    private func scan(_ pattern: String, _ body: @LoopActor ([String]) async throws -> Void) async throws {
        var scan = client.scan(pattern)
        while let keys = try await scan.next() { try await body(keys) }
    }

    /// The lists of all users.
    private func keys() async throws -> [(uid: String, part: TodoKeys.Part)] {
        var keys: Set<String> = []
        try await scan(TodoKeys.everyKey) { keys.formUnion($0) }
        return keys.sorted().compactMap { TodoKeys.parts(of: $0) }
            .filter { [.following, .followers, .requests, .unsettled].contains($0.part) }
    }

    private static func key(_ uid: String, _ part: TodoKeys.Part) -> String { TodoKeys.key(part, of: uid) }

    /// Those of these names that a user can have.
    private mutating func users(_ names: [String], in key: String) -> [String] {
        names.filter { name in
            let isUser = (try? TodoBounds.uid(name)) != nil
            if !isUser { note(name, in: key) }
            return isUser
        }
    }

    private mutating func note(_ other: String, in key: String) {
        guard !corrupt.contains(where: { $0.key == key && $0.other == other }) else { return }
        corrupt.append((key, other))
    }

    /// Those of these pairs whose sides do not fit together.
    private mutating func wrong(_ pairs: [Pair]) async throws -> [Pair] {
        let directions = pairs.flatMap { [($0.one, $0.other), ($0.other, $0.one)] }
        let replies = try await client.pipelined(
            directions.flatMap { follower, followed in
                [
                    RedisCommand("HGET", Self.key(follower, .following), followed),
                    RedisCommand("ZSCORE", Self.key(followed, .followers), follower),
                    RedisCommand("ZSCORE", Self.key(followed, .requests), follower),
                ]
            }
        )
        var wrong: [Pair] = []
        for (index, (follower, followed)) in directions.enumerated() {
            let (wish, accepted, asking) = (replies[index * 3], replies[index * 3 + 1], replies[index * 3 + 2])
            if let wish = wish.string, !wish.contains(Self.wish) {
                note(followed, in: Self.key(follower, .following))
            } else if !agree(wish.string, accepted.string, asking.string), wrong.last != pairs[index / 2],
                try await !isRequestToNobody(wish.string, accepted, asking, followed),
                try await !isAboutToChange(follower, followed)
            {
                wrong.append(pairs[index / 2])
            }
        }
        return wrong
    }

    /// How a following is stored: its state, when it was requested, and the position in the follower's order.
    private static let wish = /^(pending|requested|following) (\d+) \S+$/

    /// Whether what one side wishes for is what the other one grants.
    private func agree(_ wish: String?, _ accepted: String?, _ asking: String?) -> Bool {
        guard let wish else { return accepted == nil && asking == nil }
        guard let parts = wish.wholeMatch(of: Self.wish) else { return false }
        let state = accepted != nil ? "following" : asking != nil ? "requested" : "none"
        return parts.1 == state && Double(parts.2) == (accepted ?? asking).flatMap { Double($0) }
    }

    /// Whether one of the two is about to delete the account, or was: the workers see to the other's side.
    private func isAboutToChange(_ one: String, _ other: String) async throws -> Bool {
        let questions = [one, other].map { uid in
            RedisCommand("HMGET", Self.key(uid, .profile), "leaving", "returning", "purging")
        }
        return try await client.pipelined(questions).contains { $0.array?.contains { $0 != .null } == true }
    }

    /// Whether this is a request to a name without an account, whose side is not stored.
    private func isRequestToNobody(
        _ wish: String?,
        _ accepted: RedisValue,
        _ asking: RedisValue,
        _ followed: String
    ) async throws -> Bool {
        guard hasAccounts, wish?.hasPrefix("requested ") == true, accepted == .null, asking == .null else {
            return false
        }
        let question = FunctionCall.command(
            "todomate_nobody",
            of: followed,
            readsOnly: true,
            isInCluster: client.isCluster
        )
        // A library that does not know the function refuses it: then the pair is reported.
        return try await client.pipelined([question])[0].integer == 1
    }

    /// Hands over all members of a hash or a sorted set, a part at a time; one may come twice.
    private mutating func pages(
        _ kind: MemberPages<RedisError>.Kind,
        _ key: String,
        _ body: @LoopActor (inout FollowingAudit, [String]) async throws -> Void
    ) async throws {
        let pages = client.members(of: key, kind)
        while let page = try await pages.next() {
            let others = page.compactMap { String(validating: $0.name, as: UTF8.self) }
            try await body(&self, users(others, in: key))
        }
    }
}
