/// Why a todo could not be read or written. Each text says what to do.
public enum TodoError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The data break a bound; nothing was written.
    case invalid(String)
    /// Another todo has this id; nothing was written.
    case exists(String)
    /// There is no todo with this id.
    case notFound(String)
    /// The todo has changed since the expected revision; nothing was written. `current` is what it is now.
    case conflict(String, current: Todo?)
    /// The month holds as many todos as it may; nothing was written.
    case full(String)
    /// The log does not have the change that was asked for: read a fresh snapshot.
    case gone(String)
    /// The store could not be reached or did not answer; the text says whether a write may have happened.
    case unavailable(String)
    /// The store answered something that it should not.
    case broken(String)

    /// One line for people.
    public var description: String {
        switch self {
        case .invalid(let text), .exists(let text), .notFound(let text), .conflict(let text, _), .full(let text),
            .gone(let text), .unavailable(let text), .broken(let text):
            text
        }
    }
}
