import HTTPServing
import Testing

@testable import TodoMateGateway

@Suite("A server without sign-in")
struct AuthenticatorTests {
    private let authenticator = Authenticator(signer: nil, allowedOrigins: [])

    private func isLetIn(_ host: String) -> Bool {
        do throws(Problem) {
            _ = try authenticator.token(of: HTTPRequest(method: .get, path: "/", headers: ["Host": host]))
            return true
        } catch {
            return false
        }
    }

    @Test(
        "answers to this machine's own names",
        arguments: ["localhost", "localhost:8080", "127.0.0.1", "127.8.9.1:80", "[::1]", "[::1]:8080"]
    )
    func ownNames(_ host: String) { #expect(isLetIn(host)) }

    @Test(
        "answers to no name that another site can point here",
        arguments: [
            "", "rebound.example", "127.0.0.1.rebound.example", "127.rebound.example:8080", "[::1].rebound.example",
            "localhost.rebound.example", "[localhost", "localhost:rebound.example", "127.0.0.1 x", "[::1",
        ]
    )
    func otherNames(_ host: String) { #expect(!isLetIn(host)) }
}
