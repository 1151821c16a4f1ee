import Foundation
import TodoMate

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request to a server, without what all requests have in common.
struct ServerRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    var method: Method
    /// The parts of the path behind `/v1`, not encoded.
    var path: [String]
    var query: [(name: String, value: String)] = []
    var fields: [String: String] = [:]
    /// JSON; nil for none.
    var body: String?
    /// What the body is.
    var bodyType = "application/json"
    /// Whether the last answer is kept where there is a file, and stands in where the server does not answer.
    var isKept = false

    init(
        _ method: Method,
        _ path: [String],
        query: [(name: String, value: String?)] = [],
        fields: [String: String?] = [:],
        body: String? = nil
    ) {
        (self.method, self.path, self.body) = (method, path, body)
        self.query = query.compactMap { name, value in value.map { (name, $0) } }
        self.fields = fields.compactMapValues { $0 }
    }

    /// What is asked, among what one person asks of one server.
    var name: String {
        let query = query.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
        return "\(method.rawValue) /\(path.map(Self.encoded).joined(separator: "/"))\(query.isEmpty ? "" : "?\(query)")"
    }

    /// The same, as one whose answer is kept.
    var kept: ServerRequest {
        var request = self
        request.isKept = true
        return request
    }

    /// The request as it is sent.
    ///
    /// - Parameters:
    ///   - server: where the server is, such as `https://todo.example.org`; it may have a path.
    ///   - token: what shows who asks.
    ///   - patience: how long nothing may come.
    func urlRequest(to server: URL, _ token: String?, patience: TimeInterval) throws(ServerFailure) -> URLRequest {
        let path = (["v1"] + path).map(Self.encoded).joined(separator: "/")
        let query = query.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
        var base = server.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        guard let url = URL(string: "\(base)/\(path)\(query.isEmpty ? "" : "?\(query)")") else {
            throw .broken("\(base) is no URL of a server: write it like https://todo.example.org")
        }
        var request = URLRequest(url: url, timeoutInterval: patience)
        request.httpMethod = method.rawValue
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.httpBody = Data(body.utf8)
            request.setValue(bodyType, forHTTPHeaderField: "Content-Type")
        } else if method != .get {
            // A write without a body says so.
            request.setValue("0", forHTTPHeaderField: "Content-Length")
        }
        return request
    }

    /// Only what RFC 3986, section 2.3, leaves to everybody stands as it is.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
