/// What there is between two users, as one of them has it.
///
///     {"uid":"alice","with":"bob","following":"requested","follower":"none","blocked":false}
public struct Relation: Sendable, Equatable, Codable {
    /// Whose side this is.
    public var uid: String
    /// The other one.
    public var with: String
    /// Whether `uid` follows `with`.
    public var following: FollowState
    /// Whether `with` follows `uid`; never ``FollowState/pending``.
    public var follower: FollowState
    /// Whether `uid` has blocked `with`.
    public var blocked: Bool

    /// A relation of these parts.
    package init(uid: String, with other: String, following: FollowState, follower: FollowState, blocked: Bool) {
        self.uid = uid
        with = other
        self.following = following
        self.follower = follower
        self.blocked = blocked
    }

    /// The relation as JSON, in exactly the spelling above.
    package var json: String {
        JSONObject([
            "uid": uid, "with": with, "following": following.rawValue, "follower": follower.rawValue,
            "blocked": blocked,
        ]).text
    }
}

/// How far following somebody has come.
public enum FollowState: String, Codable, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// Wished for; the other user's side has not heard yet.
    case pending
    /// The other user is asked.
    case requested
    /// The other user lets it be.
    case following
}

/// One of those whom a user follows, in the user's own order.
///
///     {"uid":"bob","state":"following","position":3}
package struct Followed: Sendable, Equatable, Codable {
    /// Who is followed.
    package var uid: String
    /// How far it has come; not ``FollowState/none``.
    package var state: FollowState
    /// Smaller ones come first.
    package var position: Double

    /// A list of them as JSON: `{"following":[…]}`.
    package static func json(_ all: [Followed]) -> String {
        let entries = all.map {
            JSONObject(["uid": $0.uid, "state": $0.state.rawValue, "position": $0.position])
        }
        return JSONObject(["following": entries]).text
    }

    /// Somebody followed, with these parts.
    package init(uid: String, state: FollowState, position: Double) {
        self.uid = uid
        self.state = state
        self.position = position
    }
}

/// A part of a list of followers, requests or blocked users, the newest first.
package struct FollowerPage: Sendable, Equatable, Codable {
    /// One of them.
    package struct Entry: Sendable, Equatable, Codable {
        /// Who.
        package var uid: String
        /// `following`, `requested` or `blocked`.
        package var state: FollowerList
        /// When they asked, or were blocked: `2026-11-20T09:00:00Z`.
        package var since: String
    }
    /// The part.
    package var followers: [Entry]
    /// How many there are in all.
    package var count: Int
    /// What to ask for the next part with; nil at the end.
    package var next: String?
}

/// The lists of others that a user keeps.
package enum FollowerList: String, Codable, Sendable, CaseIterable {
    /// Who follows.
    case following
    /// Who asks to.
    case requested
    /// Who may not.
    case blocked
}
