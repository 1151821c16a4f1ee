import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// Makes what stores hold of a user older by so many seconds, as if that time had passed.
typealias Aging = @LoopActor (_ uid: String, _ seconds: Int) async throws -> Void

extension StoresKind {
    /// Runs `body` with empty stores of this kind, and a way to let time pass in them.
    @LoopActor
    func withAging(_ body: @escaping @LoopActor (Stores, @escaping Aging) async throws -> Void) async throws {
        switch self {
        case .inMemory:
            let clock = MovedClock()
            try await body(InMemoryTodoRepository(now: { clock.now }).stores) { clock.ahead += TimeInterval($1) }
        case .http: preconditionFailure("time passes in servers: use StoresKind.servers")
        case .redis, .cluster:
            try await withRedis(on: self == .redis ? .one : .cluster) { server in
                let repository = RedisTodoRepository(server.url)
                defer { repository.close() }
                try await repository.prepare()
                try await body(repository.stores) { try await server.age($0, $1) }
            }
        }
    }
}

@LoopActor
private final class MovedClock {
    var ahead: TimeInterval = 0
    var now: Date { Date() + ahead }
}

extension TestRedis {
    /// Writes earlier times into what is stored of a user's invitations, second factor and links for a new password and an address.
    fileprivate func age(_ uid: String, _ seconds: Int) async throws {
        let key = "todomate:{\(uid)}:invitations"
        for id in try await cli("HKEYS", key).split(separator: "\n").map(String.init) {
            let earlier = try await cli("HGET", key, id).replacing(/"(made|expires|at)":(\d+)/) { match in
                "\"\(match.1)\":\((Int(match.2) ?? 0) - seconds)"
            }
            try await cli("HSET", key, id, earlier)
        }
        let factor = "todomate:{\(uid)}:factor"
        for field in ["since", "tries", "until"] {
            guard let time = Int(try await cli("HGET", factor, field)) else { continue }
            try await cli("HSET", factor, field, String(time - seconds))
        }
        let profile = "todomate:{\(uid)}:profile"
        for field in ["reset", "mailReset", "mailOffer"] {
            var words = try await cli("HGET", profile, field).split(separator: " ").map(String.init)
            guard words.count > 1, let expires = Int(words[1]) else { continue }
            words[1] = String(expires - seconds)
            try await cli("HSET", profile, field, words.joined(separator: " "))
        }
    }
}
