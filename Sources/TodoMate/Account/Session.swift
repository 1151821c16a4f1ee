/// How somebody came to a session.
public enum SessionKind: String, Sendable, Codable, CaseIterable {
    /// By name and password.
    case signIn = "sign-in"
    /// An operator made a token, with which a program acts as the user.
    case token
}

/// One sign-in or token of a user, as an account lists it.
public struct Session: Sendable, Equatable, Codable {
    /// What names it: 22 characters of base64url, 128 bits by chance. It opens nothing by itself.
    public let id: String
    /// How it came to be.
    public let kind: SessionKind
    /// When it was made, in seconds since 1970.
    public let made: Int
    /// When it ends by itself, in seconds since 1970.
    public let expires: Int
    /// The network that it was made from, such as `203.0.113.0/24`; nil when that is not known.
    public let from: String?
    /// What it was made with, such as `Firefox on Linux`; nil when that is not known.
    public let device: String?
    /// What its maker calls it; nil for none.
    public let name: String?
}

/// A session that is to begin.
public struct SessionDraft: Sendable, Equatable, Codable {
    /// What is to name it: 22 characters of base64url that nobody can guess.
    public var id: String
    /// How it comes to be.
    public var kind: SessionKind
    /// How long it lasts.
    public var seconds: Int
    /// The network that it is made from.
    public var from: String?
    /// What it is made with.
    public var device: String?
    /// What its maker calls it.
    public var name: String?

    /// A session of these parts; each text is one line of at most 64 characters.
    public init(
        id: String,
        kind: SessionKind,
        seconds: Int,
        from: String? = nil,
        device: String? = nil,
        name: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.seconds = seconds
        self.from = from
        self.device = device
        self.name = name
    }
}

/// What decides which tokens of a user count.
public struct LiveSessions: Sendable, Equatable {
    /// The account's generation; zero for an account of an older version, before its first session; nil for no account.
    public let generation: Int?
    /// The ids of its sessions.
    public let ids: Set<String>

    /// Sessions of these ids.
    public init(generation: Int?, ids: Set<String>) {
        self.generation = generation
        self.ids = ids
    }

    /// Whether a session goes on.
    public func has(_ id: String, of generation: Int) -> Bool { generation == self.generation && ids.contains(id) }
}
