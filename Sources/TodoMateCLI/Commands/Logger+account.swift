import TodoMate

extension Logger {
    /// Logs what commands do to accounts and sessions as workers log theirs, for those who keep standard error.
    ///
    /// No line holds a password, a token, or typed text other than the name of an account.
    static let account = Logger(label: "account")
}
