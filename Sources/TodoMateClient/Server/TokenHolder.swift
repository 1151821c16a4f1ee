import EventLoop
public import Foundation
import TodoMate

/// Whose requests are that show a token.
public enum TokenHolder: Equatable, Sendable {
    /// This user's.
    case user(String)
    /// Nobody's: there is no token, or it has ended.
    case nobody
    /// Whoever they say they are: the server runs without sign-in.
    case anyone
}

extension TodoClient {
    /// Asks a server whose requests are that show a token.
    ///
    /// - Parameters:
    ///   - token: nil for none.
    ///   - url: where the server is.
    /// - Throws: ``SignInError/unavailable(_:retryAfter:)`` when it does not answer.
    public static func holder(of token: String?, at url: URL) async throws(SignInError) -> TokenHolder {
        struct Answer: Decodable {
            var signIn: Bool
            var uid: String?
        }
        let server = Server(url, FixedToken(token))
        defer { server.close() }
        do throws(ServerFailure) {
            let answer: Answer = try await server.answer(ServerRequest(.get, ["session"])).read()
            guard answer.signIn else { return .anyone }
            guard let uid = answer.uid else { return .nobody }
            // Files are called after it.
            guard (try? TodoBounds.uid(uid)) != nil else { throw ServerFailure.broken("it names no user") }
            return .user(uid)
        } catch {
            throw SignInError(error)
        }
    }
}
