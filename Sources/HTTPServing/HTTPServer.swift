import CLibevent
public import EventLoop
import Foundation

/// An HTTP/1.1 server on the loop: libevent's evhttp reads the requests, a router's handlers answer them.
@LoopActor
public final class HTTPServer {
    /// They are not among the connections that are limited, and must find descriptors all the same.
    private static let mostLastAnswers = 16

    private let router: HTTPRouter
    private let limits: HTTPLimits
    private let http: OpaquePointer
    private let table: ConnectionTable
    private let flusher = StreamFlusher()
    private var sockets: [OpaquePointer] = []
    private var exchanges: Set<HTTPExchange> = []
    private var lastAnswers: [ObjectIdentifier: LastAnswer] = [:]
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
        evhttp_set_default_content_type(http, nil)
        table = ConnectionTable(limits)
        evhttp_set_allowed_methods(http, RequestReader.methods.reduce(0) { $0 | UInt16($1.command.rawValue) })
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
        evhttp_set_bevcb(
            http,
            { @Sendable _, context in
                guard let context else { return nil }
                let table = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
                return LoopActor.assumeIsolated { table.accept() }
            },
            Unmanaged.passUnretained(table).toOpaque()
        )
        table.onRefused = { [weak self] connection, fault in self?.refuse(connection, fault) }
        table.others = { [weak self] in self?.streams.count ?? 0 }
    }

    /// How many streams are open.
    public var streamCount: Int { streams.count }

    /// How many requests are being answered.
    public var requestCount: Int { exchanges.count }

    /// How many connections are open, streams and idle ones included.
    public var connectionCount: Int { table.count + streams.count + lastAnswers.count }

    /// How many connections have something left to do: a request to come in or to be answered, or a stream to end.
    public var busyCount: Int { table.busyCount + streams.count }

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

    /// Stops accepting connections, and closes those that wait for a request.
    public func stopListening() {
        isDraining = true
        for socket in sockets {
            Listener.willClose(evhttp_bound_socket_get_listener(socket))
            evhttp_del_accept_socket(http, socket)
        }
        sockets = []
        table.closeIdle()
    }

    /// All open streams, for saying goodbye to them.
    public var openStreams: [EventStream] { Array(streams.values) }

    /// Closes everything; the server is of no more use.
    public func close() {
        stopListening()
        for stream in openStreams { stream.close() }
        for answer in lastAnswers.values { answer.close() }
        table.stop()
        evhttp_free(http)
        Unmanaged.passUnretained(self).release()
    }

    private func received(_ pointer: OpaquePointer) {
        let evhttpConnection = evhttp_request_get_connection(pointer)
        guard let connection = table.connection(reading: evhttp_connection_get_bufferevent(evhttpConnection)) else {
            return evhttp_connection_free(evhttpConnection)
        }
        let exchange = HTTPExchange(pointer, on: connection)
        exchanges.insert(exchange)
        let began = ContinuousClock.now
        do throws(HTTPFault) {
            let request = try RequestReader.read(pointer, from: connection.remoteAddress)
            switch router.match(request.method, request.path) {
            case .handler(let handler, let parameters):
                Task { answer(exchange, request, await handler(request, parameters), began) }
            case .otherMethods(let methods):
                let allow = methods.map(\.rawValue).joined(separator: ", ")
                var response = problem(.methodNotAllowed(allow))
                if request.method == .options { response = HTTPResponse(status: 204) }
                response.headers["Allow"] = allow
                answer(exchange, request, .response(response), began)
            case .none: answer(exchange, request, .response(problem(.notFound)), began)
            }
        } catch {
            exchanges.remove(exchange)
            refuse(connection, error)
        }
    }

    private func answer(
        _ exchange: HTTPExchange,
        _ request: HTTPRequest,
        _ reply: HTTPReply,
        _ began: ContinuousClock.Instant
    ) {
        exchanges.remove(exchange)
        guard exchange.isOpen else { return }
        let took = ContinuousClock.now - began
        switch reply {
        case .response(var response):
            decorate?(request, &response.headers)
            if isDraining { response.headers["Connection"] = "close" }
            exchange.send(response, isHead: request.method == .head)
            onAnswer?(request, response.status, response.body.count, took)
        case .stream(var headers, let opened):
            headers["Content-Type"] = "text/event-stream"
            headers["Cache-Control"] = "no-store"
            headers["Connection"] = "close"
            // Proxies of the nginx kind buffer otherwise.
            headers["X-Accel-Buffering"] = "no"
            decorate?(request, &headers)
            guard request.method != .head else {
                exchange.send(HTTPResponse(status: 200, headers: headers), isHead: true)
                onAnswer?(request, 200, 0, took)
                return
            }
            open(exchange, headers, opened)
            onAnswer?(request, 200, 0, took)
        }
    }

    /// Turns a connection into a stream; readers come back to another server when this one ends.
    private func open(_ exchange: HTTPExchange, _ headers: HTTPHeaders, _ opened: (EventStream) -> Void) {
        guard !isDraining else { return exchange.connection.close() }
        guard let descriptor = exchange.connection.detach() else { return }
        let stream = EventStream(descriptor: descriptor, queueLimit: limits.streamQueueBytes, flusher: flusher)
        streams[ObjectIdentifier(stream)] = stream
        stream.onClosed = { [weak self] in self?.streams[ObjectIdentifier($0)] = nil }
        stream.send(HTTPResponse.head(status: 200, headers))
        opened(stream)
    }

    /// Answers what is no request, and closes the connection: where the next request would begin is not known.
    private func refuse(_ connection: HTTPConnection, _ fault: HTTPFault) {
        let request = HTTPRequest(method: .get, path: "", remoteAddress: connection.remoteAddress)
        var response = problem(fault)
        decorate?(request, &response.headers)
        guard let descriptor = connection.detach() else { return }
        let answer = LastAnswer(response.lastBytes(isHead: false), to: descriptor) { [weak self] in
            self?.lastAnswers[ObjectIdentifier($0)] = nil
        }
        lastAnswers[ObjectIdentifier(answer)] = answer
        // In a flood there is no time for politeness.
        if lastAnswers.count > Self.mostLastAnswers { answer.close() }
        onAnswer?(request, response.status, response.body.count, .zero)
    }
}
