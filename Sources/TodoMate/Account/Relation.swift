/// The relation of two users, from one side.
///
///     {"uid":"alice","with":"bob","following":"requested","follower":"none","blocked":false}
public struct Relation: Sendable, Equatable, Codable {
    /// How many users one may follow or ask.
    package static let mostFollowed = 5000

    /// Whose side this is.
    public var uid: String
    /// The other user.
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

/// The state of following a user.
public enum FollowState: String, Codable, Sendable, CaseIterable {
    /// Not at all.
    case none
    /// Wanted; the other user's side has not been notified yet.
    case pending
    /// Requested; the other user decides.
    case requested
    /// Accepted.
    case following
}

/// A user that another follows, with the position in the follower's order.
///
///     {"uid":"bob","state":"following","position":3}
public struct Followed: Sendable, Equatable, Codable {
    /// The followed user.
    public var uid: String
    /// The state, never ``FollowState/none``.
    public var state: FollowState
    /// Smaller ones come first.
    public var position: Double

    /// A list of them as JSON: `{"following":[…]}`.
    package static func json(_ all: [Followed]) -> String {
        let entries = all.map {
            JSONObject(["uid": $0.uid, "state": $0.state.rawValue, "position": $0.position])
        }
        return JSONObject(["following": entries]).text
    }

    /// An entry of these parts.
    package init(uid: String, state: FollowState, position: Double) {
        self.uid = uid
        self.state = state
        self.position = position
    }
}

/// A part of a list of followers, requests or blocked users, the newest first.
public struct FollowerPage: Sendable, Equatable, Codable {
    /// One of them.
    public struct Entry: Sendable, Equatable, Codable {
        /// Who.
        public var uid: String
        /// `following`, `requested` or `blocked`.
        public var state: FollowerList
        /// The time of the request or block: `2026-11-20T09:00:00Z`.
        public var since: String
    }
    /// The part.
    public var followers: [Entry]
    /// How many there are in all.
    public var count: Int
    /// The cursor of the next page; nil at the end.
    public var next: String?
}

/// The lists of others that a user keeps.
public enum FollowerList: String, Codable, Sendable, CaseIterable {
    /// Who follows.
    case following
    /// Those who ask to follow.
    case requested
    /// Who may not.
    case blocked
}
