import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@testable import TodoMateGateway

extension HTTPGateway {
    /// Runs `body` with the stores behind the gateway.
    func withStores(_ body: @LoopActor (Stores) async throws -> Void) async throws {
        if let redis {
            let repository = RedisTodoRepository(redis.url)
            defer { repository.close() }
            try await body(repository.stores)
        } else if let memory = self as? MemoryGateway {
            try await body(memory.stores)
        }
    }

    /// Gives somebody an account with the operator's role, and signs in.
    func signInOperator(_ uid: String = "root") async throws -> SignedInClient {
        try await giveAccount(uid)
        try await withStores { try await $0.operators.setRole(.operator, of: uid) }
        return try await signIn(uid)
    }

    /// Expects that nothing was decided about somebody, and that nothing is announced.
    func expectNothingDecided(about uid: String) async throws {
        try await withStores { stores in
            let suspension = try await stores.operators.suspension(of: uid, knowing: nil)
            let limits = try await stores.operators.summaries(of: [uid]).first?.limits
            let announcement = try await stores.announcements.announcement()
            #expect(suspension == nil && limits == AccountLimits() && announcement == nil)
        }
    }

    /// Asks with fields, and with a JSON body for what is no read.
    func operate(_ line: String, _ fields: [String], _ body: String? = nil) async throws -> Answer {
        let isRead = line.hasPrefix("GET") || line.hasPrefix("HEAD") || line.hasPrefix("DELETE")
        return try await ask(line, fields, body: body ?? (isRead ? nil : "{}"))
    }
}

/// An account as an operator's page has it.
struct ShownAccount: Decodable, Sendable, Equatable {
    var uid: String
    var todos: Int
    var suspended: String?
    var reason: String?
    var role: String?
    var limits: [String: Int]?
}

/// A page of accounts.
struct ShownAccounts: Decodable, Sendable {
    var users: [ShownAccount]
    var next: String?
}
