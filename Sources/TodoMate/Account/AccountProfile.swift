/// A user as others count them.
///
///     {"uid":"alice","audience":"followers","visibility":"followers","feedSeen":0,"name":"Alice","following":2,"followers":3,
///      "requests":1,"todos":206,"bytes":81200,"bytesMost":33554432,"role":"operator"}
///
/// Most have no role.
package struct AccountProfile: Sendable, Equatable {
    /// What the user has decided.
    package var settings: AccountSettings
    /// How much the user has.
    package var counts: Counts
    /// What the account may do besides what all may.
    package var role: AccountRole?

    /// How much a user has.
    package struct Counts: Sendable, Equatable, Decodable {
        /// The number of users that the user follows or asks to follow.
        package var following: Int
        /// How many follow the user.
        package var followers: Int
        /// The number of requests to follow.
        package var requests: Int
        /// How many todos there are.
        package var todos: Int
        /// How many bytes they take, each with some for its index.
        package var bytes: Int
        /// How many bytes they may take.
        package var bytesMost: Int
    }

    /// The profile as JSON, in exactly the spelling above.
    package var json: String {
        let counts = JSONObject([
            "following": counts.following, "followers": counts.followers, "requests": counts.requests,
            "todos": counts.todos, "bytes": counts.bytes, "bytesMost": counts.bytesMost,
        ])
        let end = role.map { ",\"role\":\"\($0.rawValue)\"}" } ?? "}"
        return "\(settings.json.dropLast()),\(counts.text.dropFirst().dropLast())\(end)"
    }
}

extension AccountProfile: Decodable {
    private enum CodingKeys: CodingKey { case role }

    package init(from decoder: any Decoder) throws {
        (settings, counts) = (try AccountSettings(from: decoder), try Counts(from: decoder))
        role = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(AccountRole.self, forKey: .role)
    }
}
