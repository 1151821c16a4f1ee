import EventLoop
import HTTPServing
import TodoMate

/// Lets people set up a second factor for their account, and turn it off: those who have signed in, and show the password once
/// more.
@LoopActor
final class FactorRoutes {
    private static let path = "/v1/users/{uid}/factor"

    /// Nil in a server without sign-in.
    private let signIn: SignIn?
    private let authenticator: Authenticator

    init(_ signIn: SignIn?, _ authenticator: Authenticator) {
        (self.signIn, self.authenticator) = (signIn, authenticator)
    }

    func add(to router: HTTPRouter) {
        router.on(.get, Self.path, show)
        router.on(.post, Self.path, prepare)
        router.on(.put, Self.path, turnOn)
        router.on(.post, Self.path + "/recovery-codes", renew)
        router.on(.post, Self.path + "/off", turnOff)
    }

    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorizeOwner(request, of: path["uid"])
        let state = try await checked(request).check.factor.state(of: path["uid"])
        let fields = JSONObject([
            "isOn": state.secret != nil, "since": state.since?.asTime, "recoveryCodes": state.left,
        ])
        return RelationRoutes.fresh(fields.text)
    }

    private struct Password: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case password }

        var password: String
    }

    private func prepare(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (uid, signIn) = try await admitted(request, path)
        try await signIn.confirm(uid, by: Password.read(request).password, for: request)
        let secret = try await signIn.check.factor.prepare(for: uid)
        let link = secret.link(for: uid)
        let fields = JSONObject([
            "secret": secret.text, "link": link, "picture": QRCode.picture(of: link),
            "seconds": SecondFactor.setupSeconds,
        ])
        return RelationRoutes.fresh(fields.text)
    }

    private struct Code: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case code }

        var code: String
    }

    private func turnOn(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        let session = try await authenticator.authorizeOwner(request, of: uid, toWrite: .settings).token
        let factor = try checked(request).check.factor
        let code = try Code.read(request).code
        let (codes, ended) = try await factor.turnOn(with: code, for: uid, keeping: session.id)
        authenticator.sessions?.ended(of: uid) { ended.contains($0) }
        let fields = JSONObject(["recoveryCodes": codes.map(\.text), "ended": ended.count])
        return RelationRoutes.fresh(fields.text)
    }

    private struct PasswordAndCode: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case password, code }

        var password: String
        var code: String
    }

    private func renew(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (uid, factor) = try await admittedWithCode(request, path)
        let codes = try await factor.renewRecoveryCodes(of: uid)
        return RelationRoutes.fresh(JSONObject(["recoveryCodes": codes.map(\.text)]).text)
    }

    private func turnOff(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (uid, factor) = try await admittedWithCode(request, path)
        try await factor.turnOff(for: uid)
        return .response(HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"]))
    }

    // MARK: Parts

    private func checked(_ request: HTTPRequest) throws -> SignIn {
        guard let signIn else { throw Authenticator.withoutAccounts }
        try QueryNames.check(request, [], "this path takes no query")
        return signIn
    }

    /// Who asks, if it is the owner from an address that may try a password.
    private func admitted(
        _ request: HTTPRequest,
        _ path: PathParameters
    ) async throws -> (uid: String, signIn: SignIn) {
        try await authenticator.authorizeOwner(request, of: path["uid"], toWrite: .settings)
        let signIn = try checked(request)
        try await signIn.admit(request)
        return (path["uid"], signIn)
    }

    /// Who asks, if it is the owner and shows password and code.
    private func admittedWithCode(
        _ request: HTTPRequest,
        _ path: PathParameters
    ) async throws -> (uid: String, factor: SecondFactor) {
        let (uid, signIn) = try await admitted(request, path)
        let fields = try PasswordAndCode.read(request)
        let known = try await signIn.confirm(uid, by: fields.password, and: .shown(fields.code), for: request)
        guard known.hasShownFactor else { throw Problem(.notFound, "\(uid) has no second factor") }
        return (uid, signIn.check.factor)
    }
}
