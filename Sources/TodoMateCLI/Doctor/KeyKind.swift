/// The kinds of keys that belong to TodoMate.
struct KeyKind: Sendable {
    /// The type that Redis must say it has.
    let type: String
    /// Whether such keys must vanish by themselves.
    var expires = false

    /// Whose a key is, when it is one user's, and what kind; nil for a key that nobody reads.
    static func of(_ key: String) -> (uid: String?, kind: KeyKind)? {
        if key == "todomate:library" { return (nil, KeyKind(type: "string", expires: true)) }
        guard let match = key.wholeMatch(of: /todomate:\{([A-Za-z0-9._@-]{1,64})\}:([a-z]+)(:.*)?/) else { return nil }
        let (uid, name, rest) = (String(match.1), String(match.2), match.3)
        let kind = rest == nil ? byName[name] : byNameWithID[name]
        return kind.map { (uid, $0) }
    }

    /// `todomate:{uid}:<name>`
    private static let byName: [String: KeyKind] = [
        "todos": KeyKind(type: "hash"), "days": KeyKind(type: "zset"), "log": KeyKind(type: "stream"),
        "profile": KeyKind(type: "hash"), "following": KeyKind(type: "hash"), "followers": KeyKind(type: "zset"),
        "requests": KeyKind(type: "zset"), "blocked": KeyKind(type: "zset"), "unsettled": KeyKind(type: "hash"),
        "open": KeyKind(type: "hash"), "feed": KeyKind(type: "stream", expires: true),
        "addresses": KeyKind(type: "zset", expires: true),
        "sessions": KeyKind(type: "hash"),
    ]

    /// `todomate:{uid}:<name>:<todo id>`
    private static let byNameWithID: [String: KeyKind] = ["reactions": KeyKind(type: "hash")]
}
