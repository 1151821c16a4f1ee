import Foundation

@testable import HTTPServing
@testable import TodoMateGateway

/// The Host and Origin fields, which keep other sites' pages out of a server without sign-in.
enum HostFuzzing {
    private static let authenticator = Authenticator(signer: nil, allowedOrigins: ["https://app.example"])

    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let byHost = HTTPRequest(method: .get, path: "/", headers: ["Host": text])
        if (try? authenticator.principal(of: byHost)) != nil {
            try require(isThisMachine(text), "'\(text)' passes for this machine")
        }
        let byOrigin = HTTPRequest(method: .post, path: "/", headers: ["Host": "localhost:8080", "Origin": text])
        if (try? authenticator.principal(of: byOrigin)) != nil {
            let own = ["http://localhost:8080", "https://localhost:8080", "https://app.example"]
            try require(own.contains { Array($0.utf8) == bytes }, "'\(text)' passes for the same origin")
        }
    }

    /// Whether a Host field is `localhost` or a loopback address, and at most a port after it.
    private static func isThisMachine(_ field: String) -> Bool {
        let pattern = /(localhost|\[::1\]|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})(:[0-9]*)?/
        return field.wholeMatch(of: pattern) != nil
    }
}
