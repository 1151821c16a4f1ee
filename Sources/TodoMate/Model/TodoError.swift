/// Why a todo could not be read or written. Each text says what to do.
public enum TodoError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The input exceeds a bound; nothing was written.
    case invalid(String)
    /// Another todo has this id; nothing was written.
    case exists(String)
    /// There is no todo with this id.
    case notFound(String)
    /// The todo has changed since the expected revision; nothing was written. `current` is its present state.
    case conflict(String, current: Todo?)
    /// The month holds the most todos that it may; nothing was written.
    case full(String)
    /// The account is to be deleted, and nothing is written under it; nothing was written.
    case leaving(String)
    /// Who asks may not do this, or is not known (any more); nothing was written.
    case refused(String)
    /// The id of a ``RepeatableWrite`` was used for another request before; nothing was written.
    case reused(String)
    /// The log does not have the requested change: read a new snapshot.
    case gone(String)
    /// The store could not be reached or did not answer; the text says whether a write may have happened.
    case unavailable(String)
    /// The store's answer is not valid.
    case broken(String)

    /// One line for people.
    public var description: String {
        switch self {
        case .invalid(let text), .exists(let text), .notFound(let text), .conflict(let text, _), .full(let text),
            .leaving(let text), .refused(let text), .reused(let text),
            .gone(let text), .unavailable(let text), .broken(let text):
            text
        }
    }
}
