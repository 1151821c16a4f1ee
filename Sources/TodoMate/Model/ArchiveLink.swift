/// What an archive has of one user and another: one entry of a list that the first one's keys hold.
///
///     {"uid":"alice","with":"bob","list":"followers","at":1763677130000000}
///     {"uid":"alice","with":"bob","list":"following","at":1763677130000000,"state":"following","position":3}
///     {"uid":"alice","with":"bob","list":"reactions","todo":"t1","emoji":"🎉"}
package struct ArchiveLink: Sendable, Equatable, Codable {
    /// Where the entry is kept.
    package enum List: String, Sendable, Codable, CaseIterable {
        /// The user follows, or asks to.
        case following
        /// Who follows the user.
        case followers
        /// The other asks to follow.
        case requests
        /// Who may not.
        case blocked
        /// Who reacted to one of the user's todos.
        case reactions

        /// The keys that an entry may have.
        var fields: [String] {
            let own =
                switch self {
                case .following: ["at", "state", "position"]
                case .followers, .requests, .blocked: ["at"]
                case .reactions: ["todo", "emoji"]
                }
            return ["uid", "with", "list"] + own
        }
    }

    /// Whose keys hold it.
    package var uid: String
    /// The other user.
    package var with: String
    /// The list that it is an entry of.
    package var list: List
    /// The time of the request or decision, in microseconds since 1970; nil for a reaction.
    package var at: Int?
    /// How far a following has come.
    package var state: FollowState?
    /// The position of a followed user in the user's order.
    package var position: Double?
    /// The todo that was reacted to.
    package var todo: String?
    /// The reaction.
    package var emoji: String?

    /// An entry of these parts.
    package init(
        uid: String,
        with: String,
        list: List,
        at: Int? = nil,
        state: FollowState? = nil,
        position: Double? = nil,
        todo: String? = nil,
        emoji: String? = nil
    ) {
        self.uid = uid
        self.with = with
        self.list = list
        self.at = at
        self.state = state
        self.position = position
        self.todo = todo
        self.emoji = emoji
    }

    /// - Throws: ``TodoError/invalid(_:)`` when a part is missing or out of its bounds.
    func check() throws(TodoError) {
        try TodoBounds.uid(uid)
        try TodoBounds.uid(with)
        if list == .reactions {
            guard let todo, let emoji else { throw .invalid("a reaction needs todo and emoji") }
            try TodoBounds.id(todo)
            try ReactionEmoji.check(emoji)
            return
        }
        guard uid != with else { throw .invalid("a relation needs two users: \(uid) is both") }
        guard let at, at > 0, at < 1 << 53 else {
            throw .invalid("at must be a time in whole microseconds since 1970")
        }
        guard list == .following else { return }
        guard let state, state != .none, let position else { throw .invalid("a following needs state and position") }
        try TodoBounds.position(position)
    }

    /// The entry as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "uid": uid, "with": with, "list": list.rawValue, "at": at, "state": state?.rawValue, "position": position,
            "todo": todo, "emoji": emoji,
        ]).text
    }
}
