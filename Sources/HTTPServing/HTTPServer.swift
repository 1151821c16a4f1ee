public import EventLoop
import Foundation

/// An HTTP/1.1 server on the loop: a router's handlers answer the requests.
@LoopActor
public final class HTTPServer: HTTPConnectionDelegate {
    /// They are not among the connections that are limited, and must find descriptors all the same.
    private static let mostLastAnswers = 16
    private static let streamHeaders: HTTPHeaders = [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store", "Connection": "close",
        // Proxies of the nginx kind buffer otherwise.
        "X-Accel-Buffering": "no",
    ]

    private let router: HTTPRouter
    private let limits: HTTPLimits
    private let table: ConnectionTable
    private let flusher = StreamFlusher()
    private var listeners: [Listener] = []
    private var date = HTTPDate()
    private var lastAnswers: [ObjectIdentifier: LastAnswer] = [:]
    private var streams: [ObjectIdentifier: EventStream] = [:]
    private var downloads: [ObjectIdentifier: Download] = [:]
    private var isDraining = false

    /// Makes the answer to a request that no route is for, or that breaks a rule; plain text by default.
    public var problem: (HTTPFault) -> HTTPResponse = { fault in
        HTTPResponse(status: fault.status, headers: ["Content-Type": "text/plain"], body: Array("\(fault)\n".utf8))
    }
    /// Called with each error that is the answer to a request.
    package var onError: ((any Error) -> Void)?
    /// Called with each request once its answer is known: status and body bytes, 0 for a stream.
    public var onAnswer: ((HTTPRequest, _ status: Int, _ bytes: Int, _ took: Duration) -> Void)?
    /// Chooses what answers a request to a route, in place of its handler; nil for the handler always.
    package var adapt: ((HTTPRequest, @escaping HTTPRouter.Handler) -> HTTPRouter.Handler)?
    /// Header fields that all answers have, and that no route sets; to be known before the first answer.
    public var everywhere: HTTPHeaders = [:]
    /// Runs before each answer is sent, to add header fields that depend on the request; nil where none do.
    public var decorate: ((HTTPRequest, inout HTTPHeaders) -> Void)?
    /// How streams begin where nothing in it depends on the request.
    private lazy var streamHead = HTTPResponse.head(status: 200, streamHeaders(for: nil))

    /// A server that does not listen yet.
    public init(_ router: HTTPRouter, limits: HTTPLimits = HTTPLimits()) {
        self.router = router
        self.limits = limits
        table = ConnectionTable(limits)
        table.delegate = self
    }

    /// How many streams are open.
    public var streamCount: Int { streams.count }

    /// How many requests are being answered.
    public private(set) var requestCount = 0

    /// How many connections are open, streams and idle ones included.
    public var connectionCount: Int { table.count + streams.count + downloads.count + lastAnswers.count }

    /// How many connections have something left to do: a request to come in or to be answered, or a stream to end.
    public var busyCount: Int { table.busyCount + streams.count + downloads.count }

    /// Listens on an address, together with other processes that do.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address.
    ///   - port: 0 for any free one.
    /// - Returns: the port.
    /// - Throws: ``HTTPServerError``.
    public func listen(host: String, port: Int) throws(HTTPServerError) -> Int {
        // A server that listens lives until `close`.
        let listener = try Listener(host: host, port: port) { [self] descriptor, address in
            table.add(descriptor, from: address, besides: streams.count + downloads.count)
        }
        listeners.append(listener)
        return listener.port
    }

    /// Stops accepting connections, and closes those that wait for a request.
    public func stopListening() {
        isDraining = true
        for listener in listeners { listener.close() }
        listeners = []
        table.closeIdle()
    }

    /// All open streams, for saying goodbye to them.
    public var openStreams: [EventStream] { Array(streams.values) }

    /// Closes everything; the server is of no more use.
    public func close() {
        stopListening()
        for stream in openStreams { stream.close() }
        for download in downloads.values { download.cut() }
        for answer in lastAnswers.values { answer.close() }
        table.stop()
    }

    func received(_ request: HTTPRequest, on connection: HTTPConnection) {
        let began = ContinuousClock.now
        requestCount += 1
        switch router.match(request.method, request.path) {
        case .handler(let handler, let parameters):
            var request = request
            request.route = parameters.route
            let handler = adapt?(request, handler) ?? handler
            Task { [request] in
                switch await reply(of: handler, to: request, parameters) {
                case .response(let response): answer(connection, request, response, began)
                case .stream(let opened):
                    if let stream = open(connection, request, began) { await opened(stream) }
                case .download(let headers, let opened):
                    if let download = open(connection, request, headers, began) { await opened(download) }
                }
            }
        case .otherMethods(let methods):
            let allow = methods.map(\.rawValue).joined(separator: ", ")
            var response = problem(.methodNotAllowed(allow))
            if request.method == .options { response = HTTPResponse(status: 204) }
            response.headers["Allow"] = allow
            answer(connection, request, response, began)
        case .none: answer(connection, request, problem(.notFound), began)
        }
    }

    private func reply(
        of handler: HTTPRouter.Handler,
        to request: HTTPRequest,
        _ parameters: PathParameters
    ) async -> HTTPReply {
        do {
            return try await handler(request, parameters)
        } catch {
            onError?(error)
            return .response((error as? any HTTPResponseError)?.response ?? problem(.failed("\(error)")))
        }
    }

    private func answer(
        _ connection: HTTPConnection,
        _ request: HTTPRequest,
        _ response: HTTPResponse,
        _ began: ContinuousClock.Instant
    ) {
        requestCount -= 1
        guard connection.phase == .answering else { return }
        let took = ContinuousClock.now - began
        var response = response
        decorate(&response.headers, for: request)
        if isDraining { response.headers["Connection"] = "close" }
        send(response, to: request, on: connection)
        onAnswer?(request, response.status, response.body.count, took)
    }

    private func decorate(_ headers: inout HTTPHeaders, for request: HTTPRequest) {
        headers.add(new: everywhere)
        decorate?(request, &headers)
    }

    private func send(_ response: HTTPResponse, to request: HTTPRequest, on connection: HTTPConnection) {
        let (first, second, closes) = response.pieces(for: request, date: date.text())
        connection.send(first, second, keeping: response.turn, closes: closes)
    }

    /// Turns a connection into a stream, unless there is nobody to read one; readers come back to another server when this one
    /// ends.
    private func open(
        _ connection: HTTPConnection,
        _ request: HTTPRequest,
        _ began: ContinuousClock.Instant
    ) -> EventStream? {
        requestCount -= 1
        guard connection.phase == .answering else { return nil }
        defer { onAnswer?(request, 200, 0, ContinuousClock.now - began) }
        guard request.method != .head else {
            send(HTTPResponse(status: 200, headers: streamHeaders(for: request)), to: request, on: connection)
            return nil
        }
        guard !isDraining else {
            connection.close()
            return nil
        }
        guard let watch = connection.giveAway() else { return nil }
        let head = decorate == nil ? streamHead : HTTPResponse.head(status: 200, streamHeaders(for: request))
        let stream = EventStream(watch, head: head, queueLimit: limits.streamQueueBytes, flusher: flusher)
        streams[ObjectIdentifier(stream)] = stream
        stream.onClosed = { [weak self] in self?.streams[ObjectIdentifier($0)] = nil }
        return stream
    }

    /// Turns a connection into a download, unless its client would not understand one.
    private func open(
        _ connection: HTTPConnection,
        _ request: HTTPRequest,
        _ headers: HTTPHeaders,
        _ began: ContinuousClock.Instant
    ) -> Download? {
        // HTTP/1.0 has no chunks, and without them a cut answer would look whole.
        guard request.minorVersion > 0 else {
            answer(connection, request, problem(.version), began)
            return nil
        }
        guard request.method != .head else {
            answer(connection, request, HTTPResponse(status: 200, headers: headers), began)
            return nil
        }
        requestCount -= 1
        guard connection.phase == .answering else { return nil }
        defer { onAnswer?(request, 200, 0, ContinuousClock.now - began) }
        guard let watch = connection.giveAway() else { return nil }
        var headers = headers
        headers["Transfer-Encoding"] = "chunked"
        headers["Connection"] = "close"
        headers.add(checked: "Date", date.text())
        decorate(&headers, for: request)
        let download = Download(watch, head: HTTPResponse.head(status: 200, headers))
        downloads[ObjectIdentifier(download)] = download
        download.onClosed = { [weak self] in self?.downloads[ObjectIdentifier($0)] = nil }
        return download
    }

    private func streamHeaders(for request: HTTPRequest?) -> HTTPHeaders {
        var headers = Self.streamHeaders
        headers.add(new: everywhere)
        if let request { decorate?(request, &headers) }
        return headers
    }

    /// Answers what is no request, and closes the connection: where the next request would begin is not known.
    func refuse(_ connection: HTTPConnection, _ fault: HTTPFault) {
        let request = HTTPRequest(method: .get, path: "", remoteAddress: connection.remoteAddress)
        var response = problem(fault)
        decorate(&response.headers, for: request)
        guard end(connection, with: response.lastBytes(isHead: false)) else { return }
        onAnswer?(request, response.status, response.body.count, .zero)
    }

    func endUnread(_ connection: HTTPConnection) { end(connection, with: []) }

    /// Ends a connection with its last bytes, which the client must get whatever else it has sent; false when it has ended.
    @discardableResult
    private func end(_ connection: HTTPConnection, with bytes: [UInt8]) -> Bool {
        guard let descriptor = connection.detach() else { return false }
        let answer = LastAnswer(bytes, to: descriptor) { [weak self] in
            self?.lastAnswers[ObjectIdentifier($0)] = nil
        }
        lastAnswers[ObjectIdentifier(answer)] = answer
        // In a flood there is no time for politeness.
        if lastAnswers.count > Self.mostLastAnswers { answer.close() }
        return true
    }
}
