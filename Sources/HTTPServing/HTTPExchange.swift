import CLibevent
import EventLoop

/// One request that evhttp waits to have answered.
///
/// The connection may go away in between; whatever is answered then goes nowhere.
@LoopActor
final class HTTPExchange {
    let connection: HTTPConnection
    private var request: OpaquePointer?

    init(_ request: OpaquePointer, on connection: HTTPConnection) {
        self.request = request
        self.connection = connection
        connection.exchange = self
        evhttp_request_set_on_complete_cb(
            request,
            { @Sendable _, context in
                guard let context else { return }
                // The table keeps the connection for as long as evhttp does.
                let connection = Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { connection.answered() }
            },
            Unmanaged.passUnretained(connection).toOpaque()
        )
    }

    /// Whether there is still somebody to answer.
    var isOpen: Bool { request != nil }

    func send(_ response: HTTPResponse, isHead: Bool) {
        guard let request else { return }
        self.request = nil
        let output = evhttp_request_get_output_headers(request)
        for field in response.headers.fields {
            // Lent, where an argument would be a copy of the text on the heap: 500 instructions each.
            field.name.withCString { name in field.value.withCString { _ = evhttp_add_header(output, name, $0) } }
        }
        let buffer = evbuffer_new()
        defer { if let buffer { evbuffer_free(buffer) } }
        if !isHead {
            _ = response.body.withUnsafeBytes { evbuffer_add(buffer, $0.baseAddress, $0.count) }
        } else if response.hasLength {
            _ = evhttp_add_header(output, "Content-Length", String(response.body.count))
        }
        evhttp_send_reply(request, Int32(response.status), HTTPResponse.reason(response.status), buffer)
    }

    func connectionClosed() { request = nil }
}

extension HTTPExchange: @LoopActor Hashable {
    static func == (left: HTTPExchange, right: HTTPExchange) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
