import CLibevent
import EventLoop

/// Takes a request out of evhttp, which has got it only after ``RequestFramer`` found it well-formed.
///
/// It is handed what it reads and keeps nothing, so that it needs no actor, which would be asked for at each closure.
enum RequestReader {
    /// The methods by evhttp's numbers.
    static let methods: [(command: evhttp_cmd_type, method: HTTPMethod)] = [
        (EVHTTP_REQ_GET, .get), (EVHTTP_REQ_HEAD, .head), (EVHTTP_REQ_POST, .post), (EVHTTP_REQ_PUT, .put),
        (EVHTTP_REQ_PATCH, .patch), (EVHTTP_REQ_DELETE, .delete), (EVHTTP_REQ_OPTIONS, .options),
    ]

    static func read(_ pointer: OpaquePointer, from address: String) throws(HTTPFault) -> HTTPRequest {
        let command = evhttp_request_get_command(pointer)
        guard let method = methods.first(where: { $0.command == command })?.method else { throw .unknownMethod }
        let target = evhttp_request_get_uri(pointer).map { String(cString: $0) } ?? ""
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let rest = mark.map { target[target.utf8.index(after: $0)...] } ?? ""
        guard let query = PercentEncoding.query(rest) else { throw .malformed("the query") }
        return HTTPRequest(
            method: method,
            path: mark.map { String(target[..<$0]) } ?? target,
            query: query,
            headers: headers(evhttp_request_get_input_headers(pointer)),
            body: body(evhttp_request_get_input_buffer(pointer)),
            remoteAddress: address
        )
    }

    private static func headers(_ list: UnsafeMutablePointer<evkeyvalq>?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        var next = list?.pointee.tqh_first
        while let field = next {
            headers.add(checked: String(cString: field.pointee.key), String(cString: field.pointee.value))
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
