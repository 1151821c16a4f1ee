import EventLoop

/// A whole response.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code.
    public var status: Int
    /// The header fields; the length is added by the server.
    public var headers: HTTPHeaders
    /// The body.
    public var body: [UInt8]
    /// Nil for most answers.
    package var turn: AnswerTurn?

    /// A response of these parts.
    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response whose body is JSON.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
        json(Array(text.utf8), status: status, headers: headers)
    }

    /// A response whose body is JSON.
    public static func json(_ text: [UInt8], status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return HTTPResponse(status: status, headers: headers, body: text)
    }

    /// Whether it has a length to speak of (RFC 9110, section 8.6); a stream's body ends with the connection.
    var hasLength: Bool { status != 204 && status != 304 && headers["Content-Type"] != "text/event-stream" }

    /// The whole response as it goes over the wire, for a connection that ends with it.
    func lastBytes(isHead: Bool) -> [UInt8] {
        var headers = headers
        headers["Connection"] = "close"
        if hasLength { headers["Content-Length"] = String(body.count) }
        return Self.head(status: status, headers) + (isHead ? [] : body)
    }

    /// The answer to a request, in one piece or two, and whether the connection ends with it (RFC 9112, section 9.3).
    ///
    /// HTTP/1.0 is answered in HTTP/1.0, without a date, and with a length where the connection stays open.
    func pieces(for request: HTTPRequest, date: String) -> (first: [UInt8], second: [UInt8], closes: Bool) {
        var headers = headers
        let isOld = request.minorVersion == 0
        let saysClose = request.wishes("close") || headers["connection"] == "close"
        let goesOn = !saysClose && (!isOld || request.wishes("keep-alive"))
        if isOld, goesOn { headers["Connection"] = "keep-alive" }
        if !isOld { headers.add(checked: "Date", date) }
        let isHead = request.method == .head
        if hasLength, !isOld || goesOn || isHead { headers.add(checked: "Content-Length", String(body.count)) }
        if saysClose { headers["Connection"] = "close" }
        let isShort = isHead || body.count <= Self.mostCopied
        let start: StaticString = isOld ? "HTTP/1.0 " : "HTTP/1.1 "
        let head = Self.head(start, status: status, headers, followedBy: isShort && !isHead ? body : [])
        return (head, isShort ? [] : body, !goesOn)
    }

    /// A short body is copied behind the head: one array, and one buffer for the kernel.
    private static let mostCopied = 16 * 1024

    /// The status line and the fields, and bytes behind them.
    static func head(
        _ version: StaticString = "HTTP/1.1 ",
        status: Int,
        _ headers: HTTPHeaders,
        followedBy body: [UInt8] = []
    ) -> [UInt8] {
        let (number, reason) = (String(status), reason(status))
        let line = version.utf8CodeUnitCount + number.utf8.count + reason.utf8.count + 3
        let fields = headers.fields.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        return ByteWriter.bytes(count: line + fields + body.count) { head in
            head.add(version)
            head.add(number)
            head.add(" ")
            head.add(reason)
            head.add("\r\n")
            for field in headers.fields {
                head.add(field.name)
                head.add(": ")
                head.add(field.value)
                head.add("\r\n")
            }
            head.add("\r\n")
            head.add(body)
        }
    }

    /// The reason phrases of the status codes in use here (RFC 9110, section 15).
    static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Status \(status)"
        }
    }
}

/// What a route answers with.
public enum HTTPReply: Sendable {
    /// A whole response.
    case response(HTTPResponse)
    /// An event stream: the server sends the head, then hands the open stream over; the request's task goes on with it.
    case stream(opened: @Sendable @LoopActor (EventStream) async -> Void)
    /// A long answer: the server sends the head with these fields, and the request's task makes the rest.
    case download(headers: HTTPHeaders, opened: @Sendable @LoopActor (Download) async -> Void)
}
