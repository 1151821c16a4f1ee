/// Who may make an account over HTTP; the operator's command always may.
public enum Registration: String, Sendable, CaseIterable {
    /// No one, not with an invitation either.
    case closed
    /// Those who have an invitation.
    case invited
    /// Anyone.
    case open
}

/// Who may invite over HTTP; the operator's command always may.
public enum Inviters: String, Sendable, CaseIterable {
    /// No one.
    case nobody
    /// Everyone who is signed in.
    case everyone
}
