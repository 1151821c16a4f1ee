import Foundation

@testable import HTTPServing
@testable import TodoMateGateway

/// The Host and Origin fields, which keep other sites' pages out of a server without sign-in.
enum HostFuzzing {
    private static let authenticator = Authenticator(signer: nil, allowedOrigins: ["https://app.example"])

    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let byHost = HTTPRequest(method: .get, path: "/", headers: ["Host": text])
        if isLetIn(byHost) {
            // As the server has it: no field holds control characters.
            let host = byHost.headers["host"] ?? ""
            try require(isThisMachine(host), "'\(host)' passes for this machine")
        }
        let byOrigin = HTTPRequest(method: .post, path: "/", headers: ["Host": "localhost:8080", "Origin": text])
        if isLetIn(byOrigin) {
            let own = ["http://localhost:8080", "https://localhost:8080", "https://app.example"]
            let origin = byOrigin.headers["origin"] ?? ""
            try require(own.contains { $0.utf8.elementsEqual(origin.utf8) }, "'\(origin)' passes for the same origin")
        }
    }

    private static func isLetIn(_ request: HTTPRequest) -> Bool {
        do throws(Problem) {
            _ = try authenticator.token(of: request)
            return true
        } catch {
            return false
        }
    }

    /// Whether a Host field is `localhost` or a loopback address, and at most a port after it.
    private static func isThisMachine(_ field: String) -> Bool {
        let pattern = /(localhost|\[::1\]|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})(:[0-9]*)?/
        return field.wholeMatch(of: pattern) != nil
    }
}
