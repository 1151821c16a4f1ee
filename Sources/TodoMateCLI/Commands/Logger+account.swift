import TodoMate

extension Logger {
    /// Tells what commands do to accounts and sessions as workers tell of theirs, for those who keep standard error.
    ///
    /// No line holds a password, a token, or words that somebody typed other than a name that has an account.
    static let account = Logger(label: "account")
}
