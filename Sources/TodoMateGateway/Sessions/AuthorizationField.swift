import Foundation
import HTTPServing

/// What a request's `Authorization` says: a bearer token (RFC 6750), or for a client that knows nothing else a user and their token in
/// place of a password (RFC 7617).
enum AuthorizationField: Equatable {
    case bearer(String)
    case basic(user: String, token: String)

    var token: String {
        switch self {
        case .bearer(let token), .basic(_, let token): token
        }
    }

    /// Nil where there is none, or one of another kind.
    init?(_ request: HTTPRequest) {
        guard var field = request.headers["authorization"] else { return nil }
        if let token = Self.credentials(in: &field, after: "bearer ") {
            self = .bearer(token)
            return
        }
        guard let encoded = Self.credentials(in: &field, after: "basic "), let bytes = Data(base64Encoded: encoded),
            let pair = String(bytes: bytes, encoding: .utf8), let colon = pair.firstIndex(of: ":")
        else { return nil }
        self = .basic(user: String(pair[..<colon]), token: String(pair[pair.index(after: colon)...]))
    }

    private static func credentials(in field: inout String, after scheme: StaticString) -> String? {
        field.withUTF8 { bytes -> String? in
            // By its memory, which is faster than pairs of two collections.
            let (start, count) = (scheme.utf8Start, scheme.utf8CodeUnitCount)
            guard bytes.count >= count, (0..<count).allSatisfy({ bytes[$0] | 0x20 == start[$0] }) else { return nil }
            return String(decoding: bytes.dropFirst(count), as: UTF8.self)
        }
    }
}
