/// What an operator sees of an account: how much it has and when it was used, and nothing of what it has.
package struct AccountSummary: Sendable, Equatable {
    /// Whose account it is.
    package var uid: String
    /// How the user wants to be called; nil for nothing chosen.
    package var name: String?
    /// How many todos there are.
    package var todos = 0
    /// What they weigh.
    package var bytes = 0
    /// What they may weigh.
    package var bytesMost: Int
    /// How many sign-ins are not over.
    package var signIns = 0
    /// How many tokens are not over.
    package var tokens = 0
    /// When the account was made, in seconds since 1970; nil for one of an older version.
    package var made: Int?
    /// When it was last used, in seconds since 1970 and within an hour; nil for never, or not in half a year.
    package var used: Int?
    /// Since when and why it is suspended; nil where it is not.
    package var suspension: Suspension?
    /// What it may do besides what all may.
    package var role: AccountRole?
    /// When it is to be deleted, in seconds since 1970; nil where its owner has not decided so.
    package var leaving: Int?
    /// Whether signing in takes a second factor.
    package var hasFactor = false
    /// What it is allowed in place of what the server allows each.
    package var limits = AccountLimits()

    /// An account with nothing.
    package init(uid: String, bytesMost: Int) { (self.uid, self.bytesMost) = (uid, bytesMost) }
}

extension AccountSummary: Decodable {
    private enum CodingKeys: CodingKey {
        case uid, name, todos, bytes, bytesMost, signIns, tokens, made, used, suspended, reason, role, leaving, factor
        case todosMost, tokensMost, writesMost, invitationsMost
    }

    /// Reads what the function answers.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        uid = try fields.decode(String.self, forKey: .uid)
        name = try fields.decodeIfPresent(String.self, forKey: .name)
        todos = try fields.decode(Int.self, forKey: .todos)
        bytes = try fields.decode(Int.self, forKey: .bytes)
        bytesMost = try fields.decode(Int.self, forKey: .bytesMost)
        signIns = try fields.decode(Int.self, forKey: .signIns)
        tokens = try fields.decode(Int.self, forKey: .tokens)
        made = try fields.decodeIfPresent(Int.self, forKey: .made)
        used = try fields.decodeIfPresent(Int.self, forKey: .used)
        if let at = try fields.decodeIfPresent(Int.self, forKey: .suspended) {
            suspension = Suspension(at: at, reason: try fields.decodeIfPresent(String.self, forKey: .reason))
        }
        role = try fields.decodeIfPresent(AccountRole.self, forKey: .role)
        leaving = try fields.decodeIfPresent(Int.self, forKey: .leaving)
        hasFactor = try fields.decodeIfPresent(Bool.self, forKey: .factor) ?? false
        limits[.bytes] = bytesMost == TodoBounds.bytesMost ? nil : bytesMost
        limits[.todos] = try fields.decodeIfPresent(Int.self, forKey: .todosMost)
        limits[.tokens] = try fields.decodeIfPresent(Int.self, forKey: .tokensMost)
        limits[.writes] = try fields.decodeIfPresent(Int.self, forKey: .writesMost)
        limits[.invitations] = try fields.decodeIfPresent(Int.self, forKey: .invitationsMost)
    }
}
