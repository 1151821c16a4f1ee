import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMateGateway

/// An invitation as its maker got it.
struct MadeInvitation: Decodable, Sendable {
    var id: String
    var uses: Int
    var left: Int
    var label: String?
    /// What the link has behind its `#join=`.
    var invitation: String

    /// The part that nobody else may ever see.
    var secret: String { invitation.split(separator: ".").last.map(String.init) ?? "" }
}

/// What somebody is given who came in.
struct GivenSession: Decodable, Sendable {
    var uid: String
    var token: String
    var following: String?

    var bearer: String { "Authorization: Bearer \(token)" }
}

extension Answer {
    /// The body as a value.
    func read<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(body.utf8))
    }

    /// The last part of a problem's type.
    var kind: String? { body.firstMatch(of: /"type":"urn:todomate:problem:([a-z-]+)"/).map { String($0.1) } }
}

extension HTTPGateway {
    /// Has somebody invite.
    func invite(by uid: String = "alice", uses: Int = 1, seconds: Int = 3600) async throws -> MadeInvitation {
        let body = "{\"uses\":\(uses),\"seconds\":\(seconds)}"
        let answer = try await ask("POST /v1/users/\(uid)/invitations", as: uid, body: body)
        try #require(answer.status == 201, "\(answer.text)")
        return try answer.read()
    }

    func look(at code: String) async throws -> Answer {
        try await ask("POST /v1/invitations/look", body: #"{"invitation":"\#(code)"}"#)
    }

    /// Asks for an account.
    func join(
        _ uid: String,
        _ password: String = GatewayProcess.password,
        by code: String?,
        follows: Bool? = nil,
        followBack: Bool? = nil,
        _ fields: String...
    ) async throws -> Answer {
        let invitation = code.map { ",\"invitation\":\"\($0)\"" } ?? ""
        let follow = follows.map { ",\"follow\":\($0)" } ?? ""
        let back = followBack.map { ",\"followBack\":\($0)" } ?? ""
        let body = "{\"user\":\"\(uid)\",\"password\":\"\(password)\"\(invitation)\(follow)\(back)}"
        return try await ask("POST /v1/accounts", fields, body: body)
    }

    func trySigningIn(_ uid: String, _ password: String = GatewayProcess.password) async throws -> Answer {
        try await ask("POST /v1/session", body: "{\"user\":\"\(uid)\",\"password\":\"\(password)\"}")
    }
}
