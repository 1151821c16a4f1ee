/// How an app stands to its server, to be shown.
public enum ConnectionStatus: Sendable, Equatable {
    /// Nothing is watched: there is no connection.
    case idle
    /// A connection is being made.
    case connecting
    /// What is watched is up to date, and changes arrive as they happen.
    case live
    /// The connection was lost or refused for now, or the server has lost what it serves; that mends itself. The text says why.
    case waiting(String)
    /// The server does not know (or no longer knows) who asks: sign in, and call ``TodoClient/credentialsChanged()``.
    case signedOut(String)
    /// The server refuses what is asked, as it may do with a suspended account; asked again now and then. The text says why.
    case refused(String)
}
