/// Why a gateway does not start.
public enum GatewayError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The configuration would let anyone in; the text says what to change.
    case unprotected(String)
    /// The address cannot be listened on; the text says why.
    case unavailable(String)

    /// One line for people.
    public var description: String {
        switch self {
        case .unprotected(let reason), .unavailable(let reason): reason
        }
    }
}
