/// What a user made so that others can make an account.
package struct Invitation: Sendable, Equatable, Codable {
    /// One who made use of it.
    package struct Arrival: Sendable, Equatable, Codable {
        /// The name of the account; empty for one that is gone for good.
        package let uid: String
        /// When, in seconds since 1970.
        package let at: Int
        /// True once an account came of it, which is then never given back; nil before.
        package var joined: Bool?
        /// True once the account's wish to follow was answered, or is not to be without asking; nil before.
        package var answered: Bool?

        /// An arrival of these parts.
        package init(uid: String, at: Int) { (self.uid, self.at) = (uid, at) }

        /// The same without the name, which may be somebody else's by now: the use stays taken.
        package var forgotten: Arrival {
            var arrival = Arrival(uid: "", at: at)
            (arrival.joined, arrival.answered) = (joined, answered)
            return arrival
        }
    }

    /// What names it: the digest of the link's secret. It opens nothing by itself.
    package let id: String
    /// When it was made, in seconds since 1970.
    package let made: Int
    /// When it ends by itself, in seconds since 1970.
    package let expires: Int
    /// How often it may be used.
    package let uses: Int
    /// True where whoever comes by it may follow its maker without asking; nil where that is asked for.
    package let welcome: Bool?
    /// What its maker calls it; nil for nothing.
    package let label: String?
    /// Who made use of it, in this order; the last ones may be about to.
    package var came: [Arrival]

    /// How often it may still be used.
    package var left: Int { max(0, uses - came.count) }

    /// An invitation that no one has used.
    package init(id: String, made: Int, expires: Int, uses: Int, welcome: Bool?, label: String?) {
        (self.id, self.made, self.expires, self.uses) = (id, made, expires, uses)
        (self.welcome, self.label, came) = (welcome, label, [])
    }
}

/// An invitation that is to be made.
package struct InvitationDraft: Sendable, Equatable, Codable {
    /// How many uses one may have.
    package static let usesRange = 1...100
    /// How many of one inviter may be open at a time.
    package static let mostOpen = 50
    /// How long one may last, in seconds: a minute to a year.
    package static let secondsRange = 60...31_536_000

    /// The digest of the link's secret: 22 characters of base64url.
    package var id: String
    /// How often it may be used.
    package var uses: Int
    /// How long it lasts.
    package var seconds: Int
    /// Whether whoever comes by it may follow its maker without asking: with one use alone, as that is for one person. Nil for no.
    package var welcome: Bool?
    /// What its maker calls it.
    package var label: String?
    /// How many of the inviter's may be open then, from 1 to ``mostOpen``; nil for that.
    package var most: Int?

    /// An invitation of these parts.
    package init(id: String, uses: Int = 1, seconds: Int = 7 * 86_400, label: String? = nil) {
        (self.id, self.uses, self.seconds, self.label) = (id, uses, seconds, label)
    }

    /// Checks what the functions in Redis check.
    func check() throws(TodoError) {
        guard Self.isID(id) else { throw .invalid("id must be 22 characters of base64url") }
        guard Self.usesRange.contains(uses) else {
            throw .invalid("uses must be a whole number from 1 to \(Self.usesRange.upperBound)")
        }
        guard Self.secondsRange.contains(seconds) else {
            throw .invalid("seconds must be a whole number from 60 to \(Self.secondsRange.upperBound)")
        }
        guard welcome != true || uses == 1 else {
            throw .invalid("an invitation of several uses welcomes nobody: make one for each, or leave welcome out")
        }
        if let label { try TodoBounds.label(label, named: "label") }
        if let most, !(1...Self.mostOpen).contains(most) {
            throw .invalid("most must be a whole number from 1 to \(Self.mostOpen)")
        }
    }

    /// Whether a text may be the digest of a secret.
    package static func isID(_ text: String) -> Bool { text.utf8.count == 22 && TodoBounds.isID(text.utf8) }
}

/// What an invitation is called where it is not its inviter's own: `alice.Zm9vYmFyYmF6cXV4cXV1eA`.
package struct InvitationName: Sendable, Equatable, CustomStringConvertible {
    /// Who invites.
    package let inviter: String
    /// The id among the inviter's invitations.
    package let id: String

    /// The invitation of this id.
    package init(inviter: String, id: String) { (self.inviter, self.id) = (inviter, id) }

    /// Reads a ``description``; nil where it is none.
    package init?(_ text: String) {
        guard let dot = text.lastIndex(of: "."), InvitationDraft.isID(String(text[text.index(after: dot)...])) else {
            return nil
        }
        self.init(inviter: String(text[..<dot]), id: String(text[text.index(after: dot)...]))
    }

    /// As accounts keep it that came by it.
    package var description: String { "\(inviter).\(id)" }
}
