import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

/// Somebody with an authenticator app.
struct FactorClient: Sendable {
    let secret: TimeCodeSecret
    let recoveryCodes: [String]
    /// The step of the code that turned it on.
    let first: Int

    /// The code that the app shows now, if it is not the first one: then the next.
    func code() throws -> String { try code(max(1, TimeCodeSecret.step(at: Date()) - first)) }

    /// The code of a step after the first one.
    func code(_ after: Int) throws -> String { try #require(secret.code(of: first + after)) }

    /// Six digits that are wrong.
    func wrongCode(_ number: Int = 0) throws -> String {
        let near = try (-5...5).map { try code($0) }
        return try #require((0..<100).map { String(200_000 + number * 100 + $0) }.first { !near.contains($0) })
    }
}

/// A secret that waits for its first code, as an app is given it.
private struct PreparedFactor: Decodable { var secret, link, picture: String }

/// Recovery codes as they are shown once.
struct GivenCodes: Decodable { var recoveryCodes: [String] }

extension HTTPGateway {
    /// Sets up a second factor, and turns it on with the code of the step before this one, so that this one's is still good.
    func turnOnFactor(_ uid: String = "alice", with fields: [String]) async throws -> FactorClient {
        let path = "/v1/users/\(uid)/factor"
        let body = JSONObject(["password": GatewayProcess.password]).text
        let prepared = try await ask("POST \(path)", fields, body: body).read(PreparedFactor.self)
        let secret = try #require(TimeCodeSecret(Self.base32(prepared.secret)))
        #expect(prepared.link.contains("secret=\(prepared.secret)&") && prepared.picture.hasPrefix("<svg "))
        var first: Int
        var answer: Answer
        repeat {
            first = TimeCodeSecret.step(at: Date()) - 1
            let code = try #require(secret.code(of: first))
            answer = try await ask("PUT \(path)", fields, body: JSONObject(["code": code]).text)
            // A step may have ended on the way, and with it what its code was good for.
        } while answer.kind == "wrong-code" && TimeCodeSecret.step(at: Date()) - 1 > first
        try #require(answer.status == 200, "\(answer.text)")
        #expect(answer.fields("Cache-Control") == ["no-store"])
        return FactorClient(secret: secret, recoveryCodes: try answer.read(GivenCodes.self).recoveryCodes, first: first)
    }

    /// Tries to sign in; what is nil is left out.
    func trySigningIn(
        _ uid: String,
        _ password: String = GatewayProcess.password,
        code: String?,
        _ fields: [String] = []
    ) async throws -> Answer {
        let body = JSONObject(["user": uid, "password": password, "code": code]).text
        return try await ask("POST /v1/session", fields, body: body)
    }

    private static func base32(_ text: String) -> [UInt8] {
        let bits = text.compactMap { Array(Base32.alphabet).firstIndex(of: $0) }.flatMap { value in
            (0..<5).map { value >> (4 - $0) & 1 }
        }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | UInt8($1) }
        }
    }
}
