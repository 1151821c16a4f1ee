import Foundation
import HTTPServing

/// A value that a browser keeps for this server, sealed, so that no worker has to remember it and any of them reads it.
struct SealedCookie<Value: Codable>: Sendable {
    private let cookie: SessionCookie
    private let seal: Seal
    private let seconds: Int

    /// - Parameters:
    ///   - purpose: what for: one for the one purpose opens for no other.
    ///   - cookie: how this server's cookies are.
    ///   - signer: has the workers' secret.
    ///   - seconds: how long the browser keeps it.
    init(_ purpose: SessionCookie.Purpose, _ cookie: SessionCookie, _ signer: TokenSigner, lasting seconds: Int) {
        self.cookie = cookie.other(purpose)
        seal = Seal(signer, for: purpose.rawValue)
        self.seconds = seconds
    }

    /// The field that has the browser keep a value.
    ///
    /// - Parameter context: what must be said again to read it.
    func field(_ value: Value, for context: String, _ request: HTTPRequest) throws -> String {
        let text = seal.seal(Array(try JSONEncoder().encode(value)), for: context)
        return cookie.field(text, lasting: seconds, for: request)
    }

    /// The value that a browser has kept; nil for none.
    func value(for context: String, in request: HTTPRequest) -> Value? {
        guard let text = cookie.value(in: request), let bytes = seal.open(text, for: context)?.secret else {
            return nil
        }
        return try? JSONDecoder().decode(Value.self, from: Data(bytes))
    }

    /// The field that ends it.
    func end(for request: HTTPRequest) -> String { cookie.field("", lasting: 0, for: request) }
}
