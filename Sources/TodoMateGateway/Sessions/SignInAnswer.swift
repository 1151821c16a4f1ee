import Foundation
import HTTPServing
import TodoMate

/// Drafts the sign-in of a request, and hands it over once it has begun: as a cookie for the page and as a token for programs.
struct SignInAnswer: Sendable {
    private let cookie: SessionCookie
    private let sessionTime: Duration
    private let proxies: TrustedProxies

    init(_ cookie: SessionCookie, _ configuration: GatewayConfiguration) {
        self.cookie = cookie
        sessionTime = configuration.sessionTime
        proxies = configuration.trustedProxies
    }

    private var seconds: Int { Int(sessionTime / .seconds(1)) }

    /// What the client of a request is counted as.
    func address(of request: HTTPRequest) -> String { NetworkAddress.client(proxies.client(of: request)) }

    /// The network of the client, which says where a request came from but not who sent it.
    func network(of request: HTTPRequest) -> String? { NetworkAddress.surroundings(of: proxies.client(of: request)) }

    /// A sign-in of the client that sends a request.
    ///
    /// - Parameter provider: who says who they are; nil for their password.
    func draft(for request: HTTPRequest, by provider: String? = nil) -> SessionDraft {
        SessionDraft(
            id: RandomID.next(),
            kind: .signIn,
            seconds: seconds,
            from: network(of: request),
            device: DeviceName.of(request.headers["user-agent"]),
            name: provider
        )
    }

    /// The token of a sign-in that begins now.
    func token(of draft: SessionDraft, _ uid: String, generation: Int) -> SessionToken {
        let expiry = Date() + sessionTime / .seconds(1)
        return SessionToken(uid: uid, expiry: expiry, id: draft.id, generation: generation, scope: .account)
    }

    /// The field that has the browser keep a session.
    func cookie(_ token: SessionToken, _ signer: TokenSigner, for request: HTTPRequest) -> String {
        cookie.field(signer.sign(token), lasting: seconds, for: request)
    }

    /// - Parameters:
    ///   - following: whether the user follows who invited; nil for no word about it.
    ///   - ending: the field that ends another cookie, if any.
    func response(
        _ token: SessionToken,
        _ signer: TokenSigner,
        for request: HTTPRequest,
        following: FollowState? = nil,
        ending: String? = nil
    ) -> HTTPResponse {
        let text = signer.sign(token)
        let body = JSONObject([
            "uid": token.uid, "token": text, "expires": token.expiry.formatted(.iso8601),
            "following": following?.rawValue,
        ])
        let cookie = cookie.field(text, lasting: seconds, for: request)
        let headers: HTTPHeaders =
            if let ending { ["Set-Cookie": cookie, "Set-Cookie": ending] } else { ["Set-Cookie": cookie] }
        var response = HTTPResponse.json(body.text, status: 201, headers: headers)
        response.headers["Cache-Control"] = "no-store"
        return response
    }
}
