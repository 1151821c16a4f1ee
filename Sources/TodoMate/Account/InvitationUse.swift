/// A use of an invitation, by which an account is to be made.
package struct InvitationUse: Sendable, Equatable {
    /// Of which invitation.
    package let name: InvitationName
    /// When it was taken, in seconds since 1970: an account is made within a minute of it.
    package let taken: Int
    /// Whether who invites may follow the new account without asking.
    package let welcomes: Bool

    /// A use of these parts.
    package init(_ name: InvitationName, taken: Int, welcoming welcomes: Bool = false) {
        (self.name, self.taken, self.welcomes) = (name, taken, welcomes)
    }
}
