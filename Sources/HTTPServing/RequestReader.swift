import CLibevent
import EventLoop

/// Takes a request out of evhttp and checks what evhttp lets pass.
@LoopActor
enum RequestReader {
    static func read(_ pointer: OpaquePointer, limits: HTTPLimits) throws(HTTPFault) -> HTTPRequest {
        guard let method = method(evhttp_request_get_command(pointer)) else { throw .malformed("the method") }
        let headers = headers(evhttp_request_get_input_headers(pointer))
        guard headers.count <= limits.headerCount else { throw .tooManyHeaders(limits.headerCount) }
        // Two lengths, or a length beside chunks, mean different requests to different readers (RFC 9112, section 6.3).
        let lengths = headers.count(of: "content-length")
        let codings = headers.count(of: "transfer-encoding")
        guard lengths + codings <= 1 else { throw .ambiguousLength }
        guard headers.count(of: "host") == 1 else { throw .malformed("it must have one Host field") }
        let target = evhttp_request_get_uri(pointer).map { String(cString: $0) } ?? ""
        guard target.hasPrefix("/") else { throw .malformed("the target must begin with a slash") }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let query = PercentEncoding.query(parts.count > 1 ? parts[1] : "") else { throw .malformed("the query") }
        return HTTPRequest(
            method: method,
            path: String(parts[0]),
            query: query,
            headers: headers,
            body: body(evhttp_request_get_input_buffer(pointer)),
            remoteAddress: HTTPExchange.remoteAddress(of: pointer)
        )
    }

    private static func method(_ command: evhttp_cmd_type) -> HTTPMethod? {
        switch command {
        case EVHTTP_REQ_GET: .get
        case EVHTTP_REQ_HEAD: .head
        case EVHTTP_REQ_POST: .post
        case EVHTTP_REQ_PUT: .put
        case EVHTTP_REQ_PATCH: .patch
        case EVHTTP_REQ_DELETE: .delete
        case EVHTTP_REQ_OPTIONS: .options
        default: nil
        }
    }

    private static func headers(_ list: UnsafeMutablePointer<evkeyvalq>?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        var next = list?.pointee.tqh_first
        while let field = next {
            headers.add(String(cString: field.pointee.key), String(cString: field.pointee.value))
            next = field.pointee.next.tqe_next
        }
        return headers
    }

    private static func body(_ buffer: OpaquePointer?) -> [UInt8] {
        guard let buffer else { return [] }
        let count = evbuffer_get_length(buffer)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            initialized = Int(evbuffer_remove(buffer, bytes.baseAddress, count))
        }
    }
}
