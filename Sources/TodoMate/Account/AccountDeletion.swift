/// Whether an account is to be deleted, and what is left to do about that.
package struct AccountDeletion: Sendable, Equatable {
    /// What others and the store know of it.
    package enum Step: String, Sendable {
        /// All others' sides have let go of the account.
        case told
        /// The owner keeps the account, and others' sides do not all know it yet.
        case returning
        /// The time is over, and the data are being deleted.
        case purging
    }

    /// When it is to be deleted, in seconds since 1970; nil where it is not.
    package let due: Int?
    /// How far that has come; nil where nothing was done yet, or there is nothing to do.
    package let step: Step?

    /// A state of these parts.
    package init(due: Int?, step: Step?) { (self.due, self.step) = (due, step) }

    /// How long an owner may have to change their mind, in seconds: up to a year.
    package static let secondsRange = 0...31_536_000
    /// How long an owner has, unless the operator decides otherwise: a week.
    package static let usualSeconds = 7 * 86_400
}
