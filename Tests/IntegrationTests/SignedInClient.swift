import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@testable import TodoMateGateway

/// Somebody who has signed in by the password of these tests, and what they hold since.
struct SignedInClient: Sendable {
    let text: String
    let token: SessionToken
    private let port: Int

    init(_ text: String, _ port: Int) throws {
        self.text = text
        self.port = port
        token = try #require(TokenSigner(secret: GatewayProcess.secret)?.verify(text))
    }

    var bearer: [String] { ["Authorization: Bearer \(text)"] }
    /// As the page of this very server sends it.
    var cookie: [String] { ["Cookie: todomate_session=\(text)", "Origin: http://127.0.0.1:\(port)"] }
}

extension HTTPGateway {
    /// Gives somebody an account that opens with ``GatewayProcess/password``.
    func giveAccount(_ uid: String) async throws {
        if let redis {
            let repository = RedisTodoRepository(redis.url)
            defer { repository.close() }
            try await Self.giveAccount(uid, in: repository.stores.sessions)
        } else if let memory = self as? MemoryGateway {
            try await Self.giveAccount(uid, in: memory.stores.sessions)
        }
    }

    private static func giveAccount(_ uid: String, in sessions: any SessionStoreType) async throws {
        do {
            try await sessions.enroll(uid, passwordHash: GatewayProcess.passwordHash)
        } catch TodoError.exists {
            try await sessions.setPasswordHash(GatewayProcess.passwordHash, of: uid)
        }
    }

    /// Signs in by password.
    func signIn(_ uid: String, _ password: String = GatewayProcess.password) async throws -> SignedInClient {
        let answer = try await ask("POST /v1/session", body: "{\"user\":\"\(uid)\",\"password\":\"\(password)\"}")
        return try client(in: answer)
    }

    /// Writes what is not refused.
    func write(_ line: String, with fields: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let answer = try await ask(line, fields)
        try #require(
            [200, 201, 204].contains(answer.status),
            "\(line): \(answer.text)",
            sourceLocation: sourceLocation
        )
    }

    /// Who may go on with an answer to signing in.
    func client(in answer: Answer) throws -> SignedInClient {
        try SignedInClient(try #require(answer.body.firstMatch(of: #/"token":"([^"]+)"/#).map { String($0.1) }), port)
    }
}
