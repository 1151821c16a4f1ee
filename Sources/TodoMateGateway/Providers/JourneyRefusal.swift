/// What the page tells of a journey that led nowhere.
enum JourneyRefusal: String {
    /// Somebody said no at the provider, or the provider did.
    case declined
    /// The browser comes back from no journey of its own, or too late.
    case state
    /// The provider does not answer, or not as it should.
    case unreachable
    /// The provider's word is not taken.
    case token
    /// The provider does not say when they signed in there, so that nobody knows whether it is them who sit there now.
    case untimed
    /// The provider knows them, but the operator lets in others only.
    case notAdmitted = "not-admitted"
    /// No account here belongs to them, and none is made.
    case notLinked = "not-linked"
    /// It belongs to another account here.
    case taken
    /// The sign-in from which the journey began is over.
    case over
    /// The account has as many as it may.
    case full
    /// An operator has suspended the account.
    case suspended
    /// Too many came to nothing.
    case tooMany = "too-many"
}

/// A journey that led nowhere, and why.
struct JourneyEnd: Error {
    let refusal: JourneyRefusal
    let reason: String

    /// Whether it counts against the address that it came from, as a guess does: only who has a journey has something to guess, while
    /// any page may have its readers' browsers come without one.
    var isWrong: Bool { refusal == .token || refusal == .notAdmitted }
}
