/// How a session began.
package enum SessionKind: String, Sendable, Codable, CaseIterable {
    /// By name and password.
    case signIn = "sign-in"
    /// An operator made a token, with which a program acts as the user.
    case token
}

/// One sign-in or token of a user, as an account lists it.
package struct Session: Sendable, Equatable, Codable {
    /// How many sign-ins there may be, and how many tokens, unless an operator allows another number of those.
    package static let mostOfKind = 100

    /// What names it: 22 characters of base64url, 128 bits by chance. It opens nothing by itself.
    package let id: String
    /// How it came to be.
    package let kind: SessionKind
    /// When it was made, in seconds since 1970.
    package let made: Int
    /// When it ends by itself, in seconds since 1970.
    package let expires: Int
    /// The network that it was made from, such as `203.0.113.0/24`; nil when that is not known.
    package let from: String?
    /// What it was made with, such as `Firefox on Linux`; nil when that is not known.
    package let device: String?
    /// What its maker calls it; nil for none.
    package let name: String?
    /// When it was last used, in seconds since 1970 and within an hour or so; nil where that was not noted.
    package var used: Int?
    /// What a token may do; nil for a sign-in, and for a token of an older version, which may ``TokenScope/write``.
    package var scope: TokenScope?

    /// The scope as it is shown; nil for a sign-in.
    package var shownScope: String? { kind == .token ? (scope ?? .write).rawValue : nil }
}

/// A session that is to begin.
package struct SessionDraft: Sendable, Equatable, Codable {
    /// The id: 22 characters of base64url that cannot be guessed.
    package var id: String
    /// How it comes to be.
    package var kind: SessionKind
    /// How long it lasts.
    package var seconds: Int
    /// The network that it is made from.
    package var from: String?
    /// What it is made with.
    package var device: String?
    /// What its maker calls it.
    package var name: String?
    /// What a token may do; nil for a sign-in.
    package var scope: TokenScope?
    /// Whether the second factor of the account was shown for a sign-in; nil for no.
    package var factor: Bool?
    /// The session that makes a token, whose owner knows of it; nil for none.
    package var by: String?

    /// A session of these parts; each text is one line of at most 64 characters.
    package init(
        id: String,
        kind: SessionKind,
        seconds: Int,
        from: String? = nil,
        device: String? = nil,
        name: String? = nil,
        scope: TokenScope? = nil
    ) {
        self.id = id
        self.kind = kind
        self.seconds = seconds
        self.from = from
        self.device = device
        self.name = name
        self.scope = scope
    }

    /// The longest that a session may last.
    package static let longestSeconds = 8_640_000_000

    /// - Throws: ``TodoError/invalid(_:)`` where a part is out of its bounds.
    package func check() throws(TodoError) {
        guard (1...Self.longestSeconds).contains(seconds) else {
            throw .invalid("seconds must be a whole number of at least 1")
        }
        guard scope == nil || kind == .token else { throw .invalid("a scope is for tokens alone") }
        guard by.map(InvitationDraft.isID) ?? true else { throw .invalid("by must be 22 characters of base64url") }
        for (field, text) in [("from", from), ("device", device), ("name", name)] {
            if let text { try TodoBounds.label(text, named: field) }
        }
    }
}

/// What decides which tokens of a user count.
package struct LiveSessions: Sendable, Equatable {
    /// The account's generation; zero for an account of an older version, before its first session; nil for no account.
    package let generation: Int?
    /// The ids of its sessions.
    package let ids: Set<String>
    /// How many todos the user may write in a minute, where an operator limits that.
    package let writesMost: Int?
    /// Whether the account is to be deleted: its sessions may keep it, and nothing else.
    package let isLeaving: Bool

    /// Sessions of these ids.
    package init(generation: Int?, ids: Set<String>, writesMost: Int? = nil, isLeaving: Bool = false) {
        self.generation = generation
        self.ids = ids
        self.writesMost = writesMost
        self.isLeaving = isLeaving
    }

    /// Whether a session is live.
    package func has(_ id: String, of generation: Int) -> Bool { generation == self.generation && ids.contains(id) }
}
