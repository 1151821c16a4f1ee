import CLibevent
public import EventLoop
import Foundation

/// Asks an HTTP server for one path, as health checks do: libevent's own client, for one answer.
@LoopActor
public final class HTTPProbe {
    /// The server's response.
    public struct Answer: Sendable, Equatable {
        /// The status code.
        public let status: Int
        /// The body, as text.
        public let body: String
    }

    private let (answers, answer) = AsyncStream.makeStream(of: Answer?.self)

    private init() {}

    /// Sends one request, on its own connection.
    ///
    /// - Parameters:
    ///   - path: the path to request, such as `/readyz`.
    ///   - host: a numeric address.
    ///   - port: where the server listens.
    ///   - limit: for the connection and the whole answer together.
    /// - Returns: the answer; nil when none came in time, or it was no HTTP.
    public static func get(_ path: String, host: String, port: Int, within limit: Duration) async -> Answer? {
        await HTTPProbe().get(path, host, port, limit)
    }

    private func get(_ path: String, _ host: String, _ port: Int, _ limit: Duration) async -> Answer? {
        let base = LoopActor.shared.base
        guard let port = UInt16(exactly: port),
            let connection = evhttp_connection_base_bufferevent_new(base, nil, nil, host, port)
        else { return nil }
        // Freeing the connection frees a request that is still under way, without calling in again.
        defer { evhttp_connection_free(connection) }
        guard let request = makeRequest(for: host) else { return nil }
        let timer = LoopTimer { [answer] in answer.yield(nil) }
        timer.start(after: limit)
        defer { timer.cancel() }
        // From here on the connection owns the request, even when this fails.
        guard evhttp_make_request(connection, request, EVHTTP_REQ_GET, path) == 0 else { return nil }
        for await answer in answers { return answer }
        return nil
    }

    private func makeRequest(for host: String) -> OpaquePointer? {
        let request = evhttp_request_new(
            { request, context in
                guard let context else { return }
                let probe = Unmanaged<HTTPProbe>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { _ = probe.answer.yield(HTTPProbe.answer(in: request)) }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        guard let request else { return nil }
        let fields = evhttp_request_get_output_headers(request)
        evhttp_add_header(fields, "Host", host.contains(":") ? "[\(host)]" : host)
        evhttp_add_header(fields, "Connection", "close")
        return request
    }

    /// The response; nil when the connection failed, which evhttp reports by a missing request or status.
    private static func answer(in request: OpaquePointer?) -> Answer? {
        guard let request, case let status = evhttp_request_get_response_code(request), status != 0 else { return nil }
        let input = evhttp_request_get_input_buffer(request)
        let bytes = [UInt8](unsafeUninitializedCapacity: evbuffer_get_length(input)) { bytes, count in
            count = max(evbuffer_copyout(input, bytes.baseAddress, bytes.count), 0)
        }
        return Answer(status: Int(status), body: String(decoding: bytes, as: UTF8.self))
    }
}
