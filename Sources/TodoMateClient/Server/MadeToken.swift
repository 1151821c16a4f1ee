import EventLoop
public import Foundation
import TodoMate

extension SignedIn {
    /// Makes a token for a program, which lasts when this sign-in has ended. It may read and write, and does not reach the account itself.
    ///
    /// - Parameters:
    ///   - name: what it is for, as the list of sign-ins shows it.
    ///   - days: for how long it is good, from 1 to 3,650.
    ///   - url: where the server is.
    /// - Returns: the token.
    public func makeToken(named name: String, days: Int, at url: URL) async throws(SignInError) -> String {
        struct Answer: Decodable { var token: String }
        let server = await Server(url, FixedToken(token))
        defer { server.close() }
        let body = JSONObject(["name": name, "scope": "write", "days": days]).text
        do throws(ServerFailure) {
            let answer: Answer = try await server.answer(ServerRequest(.post, ["users", uid, "tokens"], body: body))
                .read()
            return answer.token
        } catch {
            throw SignInError(error)
        }
    }
}
