import EventLoop
public import Foundation
import TodoMate

/// A sign-in that a server has begun.
public struct SignedIn: Sendable, Equatable {
    /// Who has signed in.
    public let uid: String
    /// What shows it from now on; keep it where nobody else can read it.
    public let token: String
    /// When it is over.
    public let expires: Date
}

/// Why somebody could not sign in.
public enum SignInError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The user or the password is wrong.
    case wrong(String)
    /// The password is right, and a code is asked for besides: from the person's app, or a recovery code.
    case codeNeeded(String)
    /// The code is wrong, or was used before.
    case wrongCode(String)
    /// The server lets the person in at no price just now; the text says why.
    case refused(String)
    /// The server did not answer, or asks for patience: try again, where it says so not before that time has passed.
    case unavailable(String, retryAfter: Duration?)

    /// One line for people.
    public var description: String {
        switch self {
        case .wrong(let text), .codeNeeded(let text), .wrongCode(let text), .refused(let text),
            .unavailable(let text, _):
            text
        }
    }

    init(_ failure: ServerFailure) {
        switch (failure.status, failure.kind) {
        case _ where failure.isPassing: self = .unavailable(failure.detail, retryAfter: failure.retryAfter)
        case (_, "second-factor"): self = .codeNeeded(failure.detail)
        case (_, "wrong-code"): self = .wrongCode(failure.detail)
        case (401, _): self = .wrong(failure.detail)
        default: self = .refused(failure.detail)
        }
    }
}

extension SignedIn {
    /// Changes the password of whoever has signed in; all their other sign-ins and all tokens end.
    ///
    /// - Parameters:
    ///   - current: the password of now.
    ///   - password: the new one.
    ///   - url: where the server is.
    /// - Returns: the sign-in with which they go on.
    /// - Throws: ``SignInError/wrong(_:)`` for a wrong password of now, ``SignInError/refused(_:)`` for a new one that may not be.
    public func changePassword(
        from current: String,
        to password: String,
        at url: URL
    ) async throws(SignInError) -> SignedIn {
        let body = JSONObject(["current": current, "password": password]).text
        return try await TodoClient.begin(ServerRequest(.post, ["users", uid, "password"], body: body), token, at: url)
    }
}

extension TodoClient {
    /// Signs in by password.
    ///
    /// - Parameters:
    ///   - url: where the server is.
    ///   - uid: who signs in.
    ///   - password: their password.
    ///   - code: of their second factor, where they have one.
    public static func signIn(
        to url: URL,
        as uid: String,
        password: String,
        code: String? = nil
    ) async throws(SignInError) -> SignedIn {
        let body = JSONObject(["user": uid, "password": password, "code": code]).text
        return try await begin(ServerRequest(.post, ["session"], body: body), nil, at: url)
    }

    /// Asks for what begins a sign-in.
    fileprivate static func begin(
        _ request: ServerRequest,
        _ token: String?,
        at url: URL
    ) async throws(SignInError) -> SignedIn {
        struct Answer: Decodable {
            var uid: String
            var token: String
            var expires: String
        }
        let server = Server(url, FixedToken(token))
        defer { server.close() }
        do throws(ServerFailure) {
            let answer: Answer = try await server.answer(request).read()
            guard let expires = try? Date(answer.expires, strategy: .iso8601) else {
                throw ServerFailure.broken("it does not say until when the sign-in is good")
            }
            // Files are called after it.
            guard (try? TodoBounds.uid(answer.uid)) != nil else { throw ServerFailure.broken("it names no user") }
            return SignedIn(uid: answer.uid, token: answer.token, expires: expires)
        } catch {
            throw SignInError(error)
        }
    }

    /// Ends a sign-in, wherever it is open.
    public static func signOut(of url: URL, token: String) async throws(SignInError) {
        let server = Server(url, FixedToken(token))
        defer { server.close() }
        do throws(ServerFailure) {
            try await server.answer(ServerRequest(.delete, ["session"]))
        } catch {
            throw SignInError(error)
        }
    }
}
