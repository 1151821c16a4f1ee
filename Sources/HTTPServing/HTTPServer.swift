import CLibevent
public import EventLoop
import Foundation

/// An HTTP/1.1 server on the loop: libevent's evhttp reads the requests, a router's handlers answer them.
@LoopActor
public final class HTTPServer {
    private let router: HTTPRouter
    private let limits: HTTPLimits
    private let http: OpaquePointer
    private let flusher = StreamFlusher()
    private var sockets: [OpaquePointer] = []
    private var exchanges: Set<HTTPExchange> = []
    private var streams: [ObjectIdentifier: EventStream] = [:]
    private var isDraining = false

    /// Makes the answer to a request that no route is for, or that breaks a rule; plain text by default.
    public var problem: (HTTPFault) -> HTTPResponse = { fault in
        HTTPResponse(status: fault.status, headers: ["Content-Type": "text/plain"], body: Array("\(fault)\n".utf8))
    }
    /// Called with each request once its answer is known: status and body bytes, 0 for a stream.
    public var onAnswer: ((HTTPRequest, _ status: Int, _ bytes: Int, _ took: Duration) -> Void)?
    /// Runs before each answer is sent, to add header fields that all answers have.
    public var decorate: ((HTTPRequest, inout HTTPHeaders) -> Void)?

    /// A server that does not listen yet.
    public init(_ router: HTTPRouter, limits: HTTPLimits = HTTPLimits()) {
        self.router = router
        self.limits = limits
        guard let http = evhttp_new(LoopActor.shared.base) else { fatalError("out of memory for an HTTP server") }
        self.http = http
        evhttp_set_max_headers_size(http, Int(limits.headerBytes))
        evhttp_set_max_body_size(http, Int(limits.bodyBytes))
        evhttp_set_timeout(http, Int32(limits.idleSeconds))
        evhttp_set_default_content_type(http, nil)
        let methods = [
            EVHTTP_REQ_GET, EVHTTP_REQ_POST, EVHTTP_REQ_HEAD, EVHTTP_REQ_PUT, EVHTTP_REQ_DELETE, EVHTTP_REQ_OPTIONS,
            EVHTTP_REQ_PATCH,
        ]
        evhttp_set_allowed_methods(http, methods.reduce(0) { $0 | UInt16($1.rawValue) })
        evhttp_set_gencb(
            http,
            { request, context in
                guard let request, let context else { return }
                let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { server.received(request) }
            },
            // evhttp calls in until `close`, which lets go of the server.
            Unmanaged.passRetained(self).toOpaque()
        )
    }

    /// How many streams are open.
    public var streamCount: Int { streams.count }

    /// How many requests are being answered.
    public var requestCount: Int { exchanges.count }

    /// Listens on an address, together with other processes that do.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address.
    ///   - port: 0 for any free one.
    /// - Returns: the port.
    /// - Throws: ``HTTPServerError``.
    public func listen(host: String, port: Int) throws(HTTPServerError) -> Int {
        let listener = try Listener.open(host: host, port: port)
        guard let socket = evhttp_bind_listener(http, listener) else {
            evconnlistener_free(listener)
            throw .cannotListen(host, port, "out of memory")
        }
        sockets.append(socket)
        return Listener.port(of: listener)
    }

    /// Stops accepting connections.
    public func stopListening() {
        isDraining = true
        for socket in sockets { evhttp_del_accept_socket(http, socket) }
        sockets = []
    }

    /// All open streams, for saying goodbye to them.
    public var openStreams: [EventStream] { Array(streams.values) }

    /// Closes everything; the server is of no more use.
    public func close() {
        stopListening()
        for stream in openStreams { stream.close() }
        for exchange in exchanges { exchange.abandon() }
        exchanges = []
        evhttp_free(http)
        Unmanaged.passUnretained(self).release()
    }

    private func received(_ pointer: OpaquePointer) {
        let exchange = HTTPExchange(pointer) { [weak self] in self?.exchanges.remove($0) }
        exchanges.insert(exchange)
        let began = ContinuousClock.now
        do throws(HTTPFault) {
            let request = try RequestReader.read(pointer, limits: limits)
            guard exchanges.count + streams.count <= limits.connections else { throw .tooManyConnections }
            switch router.match(request.method, request.path) {
            case .handler(let handler, let parameters):
                Task { answer(exchange, request, await handler(request, parameters), began) }
            case .otherMethods(let methods):
                let allow = methods.map(\.rawValue).joined(separator: ", ")
                var response = problem(.methodNotAllowed(allow))
                if request.method == .options { response = HTTPResponse(status: 204) }
                response.headers["Allow"] = allow
                answer(exchange, request, .response(response), began)
            case .none: throw .notFound
            }
        } catch {
            let request = HTTPRequest(method: .get, path: "", remoteAddress: exchange.remoteAddress)
            answer(exchange, request, .response(problem(error)), began, closing: error.breaksFraming)
        }
    }

    private func answer(
        _ exchange: HTTPExchange,
        _ request: HTTPRequest,
        _ reply: HTTPReply,
        _ began: ContinuousClock.Instant,
        closing: Bool = false
    ) {
        exchanges.remove(exchange)
        let took = ContinuousClock.now - began
        switch reply {
        case .response(var response):
            decorate?(request, &response.headers)
            if closing || isDraining { response.headers["Connection"] = "close" }
            exchange.send(response, isHead: request.method == .head)
            onAnswer?(request, response.status, response.body.count, took)
        case .stream(var headers, let opened):
            decorate?(request, &headers)
            guard !isDraining, let descriptor = exchange.detach() else { return }
            let stream = EventStream(descriptor: descriptor, queueLimit: limits.streamQueueBytes, flusher: flusher)
            streams[ObjectIdentifier(stream)] = stream
            stream.onClosed = { [weak self] in self?.streams[ObjectIdentifier($0)] = nil }
            stream.send(Self.head(of: headers))
            onAnswer?(request, 200, 0, took)
            opened(stream)
        }
    }

    /// The response head of a stream, whose body ends with the connection.
    private static func head(of headers: HTTPHeaders) -> [UInt8] {
        var headers = headers
        headers["Content-Type"] = "text/event-stream"
        headers["Cache-Control"] = "no-store"
        headers["Connection"] = "close"
        // Proxies of the nginx kind buffer otherwise.
        headers["X-Accel-Buffering"] = "no"
        let lines = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 200 OK\r\n\(lines)\r\n".utf8)
    }
}
