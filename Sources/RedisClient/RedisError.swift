/// What can go wrong between this process and Redis. Each text says what to do next.
public enum RedisError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The URL cannot be used; the text says which part and why.
    case invalidURL(String)
    /// No connection within the time allowed.
    case unreachable(endpoint: String, seconds: Double, reason: String)
    /// Redis answered, but would not let us in (password, user, database number, TLS).
    case refused(endpoint: String, reason: String)
    /// The connection broke while a command was under way: it may have been carried out, or not.
    case connectionLost(reason: String)
    /// Redis did not answer a command in time: it may have been carried out, or not.
    case noAnswer(seconds: Double)
    /// No node of a cluster carried a command out in time; nothing was done.
    case notServed(seconds: Double, reason: String)
    /// Redis answered with an error.
    case server(RedisServerError)
    /// The reply has a shape that the command does not give.
    case unexpectedReply(String)
    /// The client was closed.
    case closed

    /// One line for people.
    public var description: String {
        switch self {
        case .invalidURL(let reason):
            "the Redis URL cannot be used: \(reason)"
        case .unreachable(let endpoint, let seconds, let reason):
            // An attempt that was refused at once has not waited for anything.
            "Redis at \(endpoint) could not be reached"
                + (seconds > 0 ? " within \(seconds.formatted) s" : "") + " (\(reason)); "
                + "start it, or name another one with --redis"
        case .refused(let endpoint, let reason):
            "Redis at \(endpoint) refused the connection: \(reason)"
        case .connectionLost(let reason):
            "the connection to Redis was lost (\(reason)) before it answered; "
                + "the command may have been carried out: look before repeating it"
        case .noAnswer(let seconds):
            "Redis did not answer within \(seconds.formatted) s; "
                + "the command may have been carried out: look before repeating it"
        case .notServed(let seconds, let reason):
            "the Redis cluster did not carry the command out within \(seconds.formatted) s (\(reason)); nothing was done: "
                + "try again once the slot has moved or has a primary, which 'redis-cli --cluster check' shows"
        case .server(let error):
            "Redis answered: \(error.message)"
        case .unexpectedReply(let reply):
            "Redis sent a reply that does not fit the command: \(reply)"
        case .closed:
            "this Redis client has been closed"
        }
    }
}

extension RedisError {
    /// Why, without where and what to do.
    package var reason: String {
        switch self {
        case .unreachable(_, _, let reason), .refused(_, let reason), .connectionLost(let reason): reason
        default: description
        }
    }
}

/// An error reply, such as `NOAUTH Authentication required.`
public struct RedisServerError: Error, Equatable, Sendable {
    /// The whole line.
    public let message: String

    /// An error reply with this text.
    public init(message: String) { self.message = message }

    /// The first word, by which Redis names the kind of error: `ERR`, `NOAUTH`, `LOADING` …
    public var code: String { String(message.prefix { $0 != " " }) }

    /// What follows the code.
    public var detail: String { String(message.dropFirst(code.count + 1)) }
}

extension Double {
    /// Without a fraction where there is none.
    fileprivate var formatted: String { self == rounded() ? String(Int(self)) : String(self) }
}
