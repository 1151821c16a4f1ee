package import EventLoop

/// How much a user has, and how much they may have.
///
///     {"todos":{"used":206,"most":20000},"bytes":{"used":81200,"most":33554432},"tokens":{"used":2,"most":100},
///      "goals":{"used":3,"most":100},"following":{"used":2,"most":5000},"streams":{"used":1,"most":1000},
///      "writes":{"most":1200},"own":["todos"]}
///
/// What is not limited, or not known to who asks, is left out; `own` names what an operator allows this user in place of what the
/// server allows each.
package struct AccountAllowance: Sendable, Equatable {
    /// What is counted, in the order in which it is shown.
    package enum Kind: String, Sendable, CaseIterable {
        /// How many todos.
        case todos
        /// What they weigh, each with some for its index.
        case bytes
        /// How many tokens for programs.
        case tokens
        /// How many goals.
        case goals
        /// How many users are followed or asked.
        case following
        /// How many event streams one worker has open.
        case streams
        /// How many writes of todos in a minute.
        case writes
    }

    /// One of them.
    package struct Part: Sendable, Equatable {
        /// How much there is; nil where nobody counts it.
        package var used: Int?
        /// How much there may be.
        package var most: Int
        /// Whether an operator has said so of this user.
        package var isOwn: Bool

        package init(used: Int? = nil, most: Int, isOwn: Bool = false) {
            (self.used, self.most, self.isOwn) = (used, most, isOwn)
        }
    }

    private var parts: [Kind: Part] = [:]

    /// - Parameters:
    ///   - profile: what is counted of everybody.
    ///   - goals: how many goals there are.
    ///   - summary: what is counted of accounts; nil for who has none.
    package init(_ profile: AccountProfile, goals: Int, _ summary: AccountSummary?) {
        let (counts, limits) = (profile.counts, summary?.limits ?? AccountLimits())
        let todos = min(limits[.todos] ?? TodoBounds.todosMost, TodoBounds.todosMost)
        parts[.todos] = Part(used: counts.todos, most: todos, isOwn: limits[.todos] != nil)
        // Nothing is weighed where todos are stored in this process alone.
        if counts.bytesMost < .max {
            let isOwn = counts.bytesMost != TodoBounds.bytesMost
            parts[.bytes] = Part(used: counts.bytes, most: counts.bytesMost, isOwn: isOwn)
        }
        if let summary {
            let most = limits[.tokens] ?? Session.mostOfKind
            parts[.tokens] = Part(used: summary.tokens, most: most, isOwn: limits[.tokens] != nil)
        }
        parts[.goals] = Part(used: goals, most: Goal.most)
        parts[.following] = Part(used: counts.following, most: Relation.mostFollowed)
        if let writes = limits[.writes] { parts[.writes] = Part(most: writes, isOwn: true) }
    }

    /// One of them; nil where it is not limited, or not known.
    package subscript(kind: Kind) -> Part? {
        get { parts[kind] }
        set { parts[kind] = newValue }
    }

    /// As JSON, in exactly the spelling above.
    package var json: String {
        let own = Kind.allCases.filter { parts[$0]?.isOwn == true }.map(\.rawValue)
        return JSONObject([
            "todos": shown(.todos), "bytes": shown(.bytes), "tokens": shown(.tokens), "goals": shown(.goals),
            "following": shown(.following), "streams": shown(.streams), "writes": shown(.writes),
            "own": own.isEmpty ? nil : own,
        ]).text
    }

    private func shown(_ kind: Kind) -> JSONObject? {
        parts[kind].map { JSONObject(["used": $0.used, "most": $0.most]) }
    }
}

extension AccountAllowance {
    /// Reads what the stores know: all but how many streams are open, and what workers allow each.
    @LoopActor
    package init(of uid: String, in stores: Stores) async throws(TodoError) {
        let profile = try await stores.relations.profile(of: uid)
        let goals = try await stores.goals.goals(of: uid)
        self.init(profile, goals: goals.count, try await stores.operators.summaries(of: [uid]).first)
    }
}

extension AccountAllowance: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Shown: Decodable {
        let used: Int?
        let most: Int
    }

    /// Reads the JSON; what it names besides is left out.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Name.self)
        let own = try fields.decodeIfPresent(Set<String>.self, forKey: Name(stringValue: "own")) ?? []
        for kind in Kind.allCases {
            guard let shown = try fields.decodeIfPresent(Shown.self, forKey: Name(stringValue: kind.rawValue)) else {
                continue
            }
            parts[kind] = Part(used: shown.used, most: shown.most, isOwn: own.contains(kind.rawValue))
        }
    }
}
