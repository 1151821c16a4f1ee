import CLibevent
import EventLoop
import Foundation

/// One request that evhttp waits to have answered.
///
/// The client may go away in between; evhttp then frees the request, and whatever is answered goes nowhere.
@LoopActor
final class HTTPExchange {
    private var request: OpaquePointer?
    private var connection: OpaquePointer?
    private let onGone: (HTTPExchange) -> Void

    /// - Parameter onGone: called when the client went away before the answer.
    init(_ request: OpaquePointer, onGone: @escaping (HTTPExchange) -> Void) {
        self.request = request
        self.onGone = onGone
        connection = evhttp_request_get_connection(request)
        // The server keeps the exchange for as long as evhttp may call.
        evhttp_connection_set_closecb(
            connection,
            { _, context in
                guard let context else { return }
                let exchange = Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { exchange.gone() }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    var remoteAddress: String { request.map(Self.remoteAddress) ?? "" }

    static func remoteAddress(of request: OpaquePointer) -> String {
        var address: UnsafeMutablePointer<CChar>?
        var port: UInt16 = 0
        evhttp_connection_get_peer(evhttp_request_get_connection(request), &address, &port)
        return address.map { String(cString: $0) } ?? ""
    }

    func send(_ response: HTTPResponse, isHead: Bool) {
        guard let request = letGo() else { return }
        let output = evhttp_request_get_output_headers(request)
        for field in response.headers.fields {
            // evhttp refuses values with line breaks: a header cannot be smuggled in.
            _ = evhttp_add_header(output, field.name, field.value)
        }
        let buffer = evbuffer_new()
        defer { if let buffer { evbuffer_free(buffer) } }
        if isHead {
            _ = evhttp_add_header(output, "Content-Length", String(response.body.count))
        } else {
            _ = response.body.withUnsafeBytes { evbuffer_add(buffer, $0.baseAddress, $0.count) }
        }
        evhttp_send_reply(request, Int32(response.status), HTTPResponse.reason(response.status), buffer)
    }

    /// Takes the connected socket away from evhttp, which forgets the connection and frees all that it kept of it.
    func detach() -> Int32? {
        guard let connection, letGo() != nil, let buffered = evhttp_connection_get_bufferevent(connection) else {
            return nil
        }
        let old = bufferevent_getfd(buffered)
        bufferevent_disable(buffered, Int16(EV_READ | EV_WRITE))
        let descriptor = fcntl(old, F_DUPFD_CLOEXEC, 0)
        // evhttp shuts its socket down when it frees a connection: give it something else to shut down.
        guard descriptor >= 0, NullDevice.takePlace(of: old) else {
            evhttp_connection_free(connection)
            return nil
        }
        evhttp_connection_free(connection)
        return descriptor
    }

    /// Drops the request; evhttp is about to free it.
    func abandon() { _ = letGo() }

    private func letGo() -> OpaquePointer? {
        guard let request else { return nil }
        evhttp_connection_set_closecb(connection, nil, nil)
        self.request = nil
        return request
    }

    private func gone() {
        request = nil
        connection = nil
        onGone(self)
    }
}

extension HTTPExchange: @LoopActor Hashable {
    static func == (left: HTTPExchange, right: HTTPExchange) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A descriptor that leads nowhere.
@LoopActor
private enum NullDevice {
    private static let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)

    static func takePlace(of other: Int32) -> Bool { descriptor >= 0 && dup2(descriptor, other) >= 0 }
}
