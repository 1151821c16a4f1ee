import CLibevent
import EventLoop

/// Takes a request out of evhttp, which has got it only after ``RequestFramer`` found it well-formed.
@LoopActor
enum RequestReader {
    static func read(_ pointer: OpaquePointer, from address: String) throws(HTTPFault) -> HTTPRequest {
        guard let method = method(evhttp_request_get_command(pointer)) else { throw .unknownMethod }
        let target = evhttp_request_get_uri(pointer).map { String(cString: $0) } ?? ""
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let query = PercentEncoding.query(parts.count > 1 ? parts[1] : "") else { throw .malformed("the query") }
        return HTTPRequest(
            method: method,
            path: String(parts[0]),
            query: query,
            headers: headers(evhttp_request_get_input_headers(pointer)),
            body: body(evhttp_request_get_input_buffer(pointer)),
            remoteAddress: address
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
