/// Why the server itself refuses a request.
public enum HTTPFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The request is not well-formed; the text says where.
    case malformed(String)
    /// Header fields that leave it open where the request ends.
    case ambiguousLength
    /// A transfer coding other than `chunked`.
    case transferCoding
    /// The request did not arrive in time.
    case tooSlow
    /// A body of more bytes than allowed.
    case bodyTooLarge(Int)
    /// A request line without an end.
    case targetTooLong
    /// Anything but `100-continue` expected.
    case expectation
    /// More header fields than allowed.
    case tooManyHeaders(Int)
    /// More bytes of header fields than allowed.
    case headersTooLarge(Int)
    /// A method that no path has.
    case unknownMethod
    /// A version of HTTP other than 1.0 and 1.1.
    case version
    /// Nothing is there.
    case notFound
    /// The path is there, but not with this method; the text lists those that are allowed.
    case methodNotAllowed(String)
    /// As many connections as allowed are open.
    case tooManyConnections
    /// A handler failed in a way that is no answer; the text says how.
    case failed(String)

    /// The status code of the answer.
    public var status: Int {
        switch self {
        case .malformed, .ambiguousLength: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .tooSlow: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .expectation: 417
        case .tooManyHeaders, .headersTooLarge: 431
        case .transferCoding, .unknownMethod: 501
        case .tooManyConnections: 503
        case .version: 505
        case .failed: 500
        }
    }

    /// One line for people.
    public var description: String {
        switch self {
        case .malformed(let place): "the request is malformed: \(place)"
        case .ambiguousLength: "give the length of the body once: one Content-Length, or Transfer-Encoding, not both"
        case .transferCoding: "the one transfer coding taken here is chunked"
        case .tooSlow: "the request did not arrive in time: send it at once"
        case .bodyTooLarge(let limit): "send a body of at most \(limit) bytes"
        case .targetTooLong: "the request line is too long: shorten the path or the query"
        case .expectation: "the one expectation met here is 100-continue"
        case .tooManyHeaders(let limit): "send at most \(limit) header fields"
        case .headersTooLarge(let limit): "send at most \(limit) bytes of request line and header fields"
        case .unknownMethod: "use one of \(HTTPMethod.allCases.map(\.rawValue).joined(separator: ", "))"
        case .version: "speak HTTP/1.1"
        case .notFound: "there is nothing at this path"
        case .methodNotAllowed(let methods): "this path allows \(methods)"
        case .failed(let reason): "the server failed: \(reason)"
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
