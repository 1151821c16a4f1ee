/// An account as a list of all of them has it.
package struct AccountMark: Sendable, Equatable {
    /// Whose account it is.
    package let uid: String
    /// Whether it is suspended.
    package let isSuspended: Bool
    /// What it may do besides what all may.
    package let role: AccountRole?

    /// A mark of these parts.
    package init(uid: String, isSuspended: Bool, role: AccountRole?) {
        (self.uid, self.isSuspended, self.role) = (uid, isSuspended, role)
    }
}
