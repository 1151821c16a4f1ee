/// Why the server itself refuses a request.
public enum HTTPFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The request is not well-formed; the text says where.
    case malformed(String)
    /// Header fields that leave it open where the request ends.
    case ambiguousLength
    /// More header fields than allowed.
    case tooManyHeaders(Int)
    /// Nothing is there.
    case notFound
    /// The path is there, but not with this method; the text lists those that are allowed.
    case methodNotAllowed(String)
    /// As many requests and streams as allowed are open.
    case tooManyConnections

    /// The status code of the answer.
    public var status: Int {
        switch self {
        case .malformed, .ambiguousLength: 400
        case .tooManyHeaders: 431
        case .notFound: 404
        case .methodNotAllowed: 405
        case .tooManyConnections: 503
        }
    }

    /// Whether what follows on the connection cannot be trusted.
    var breaksFraming: Bool {
        switch self {
        case .malformed, .ambiguousLength, .tooManyHeaders, .tooManyConnections: true
        case .notFound, .methodNotAllowed: false
        }
    }

    /// One line for people.
    public var description: String {
        switch self {
        case .malformed(let place): "the request is malformed: \(place)"
        case .ambiguousLength: "give the length of the body once: one Content-Length, or Transfer-Encoding, not both"
        case .tooManyHeaders(let limit): "send at most \(limit) header fields"
        case .notFound: "there is nothing at this path"
        case .methodNotAllowed(let methods): "this path allows \(methods)"
        case .tooManyConnections: "this server has as many connections as it may: try again in a moment"
        }
    }
}

/// Why the server cannot listen.
public enum HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address cannot be listened on.
    case cannotListen(String, Int, String)

    /// One line for people.
    public var description: String {
        switch self {
        case .cannotListen(let host, let port, let reason): "cannot listen on \(host) port \(port): \(reason)"
        }
    }
}
