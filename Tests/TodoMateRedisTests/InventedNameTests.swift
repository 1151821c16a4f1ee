import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("A name that is nobody's, where there are accounts", .serialized)
@LoopActor
struct InventedNameTests {
    private nonisolated enum Event: String, CaseIterable {
        case follow, arrange, unfollow, block, unblock, accept, dismiss, settle
    }

    /// What an event answers, with the other's name taken out, as are times.
    private static func outcome(
        _ event: Event,
        _ relations: RedisRelationStore,
        _ uid: String,
        _ other: String
    ) async throws -> String {
        var answer: String
        do throws(TodoError) {
            switch event {
            case .follow: answer = try await relations.follow(other, by: uid).json
            case .arrange: answer = try await relations.arrange(other, at: 7, by: uid).json
            case .unfollow: answer = try await relations.unfollow(other, by: uid).json
            case .block: answer = try await relations.block(other, by: uid).json
            case .unblock: answer = try await relations.unblock(other, by: uid).json
            case .accept: answer = try await relations.accept(other, by: uid).json
            case .dismiss: answer = try await relations.dismiss(other, by: uid).json
            case .settle: answer = "\(try await relations.repair.settle(uid))"
            }
            answer += " \(try await relations.following(of: uid))"
        } catch {
            answer = "\(error)"
        }
        return answer.replacing(other, with: "OTHER")
    }

    /// Runs `body` with a store for accounts alone, and one account, `real`.
    private func withAccounts(
        _ body: @escaping @LoopActor (RedisServer, RedisTodoRepository, RedisClient) async throws -> Void
    ) async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            let client = RedisClient(server.url)
            defer {
                repository.close()
                client.close()
            }
            try await repository.prepare()
            repository.relations.repair.isForAccountsAlone = true
            try await body(server, repository, client)
        }
    }

    private func keys(_ client: RedisClient, under uid: String) async throws -> [String] {
        try await client.send(RedisCommand("KEYS", "todomate:{\(uid)}*")).array?.compactMap(\.string) ?? []
    }

    @Test("is, for any three steps, followed and blocked like somebody who has not looked, and nothing is written")
    func product() async throws {
        try await withAccounts { _, repository, client in
            let (relations, sessions) = (repository.relations, repository.sessions)
            var number = 0
            for first in Event.allCases {
                for second in Event.allCases {
                    for third in Event.allCases {
                        number += 1
                        let (real, ghost) = ("real\(number)", "ghost\(number)")
                        try await sessions.enroll(real, passwordHash: "$hash")
                        for event in [first, second, third] {
                            let known = try await Self.outcome(event, relations, "a\(number)", real)
                            let invented = try await Self.outcome(event, relations, "b\(number)", ghost)
                            let (one, two) = (
                                known.replacing("a\(number)", with: "ME"), invented.replacing("b\(number)", with: "ME")
                            )
                            #expect(one == two, "\(event) in \(first), \(second), \(third)")
                        }
                        #expect(try await keys(client, under: ghost) == [], "\(first), \(second), \(third)")
                    }
                }
            }
            #expect(try await client.send(RedisCommand("KEYS", "todomate:*:unsettled")).array?.isEmpty == true)
        }
    }

    @Test("hears of those who asked once it is somebody's, whatever they did meanwhile")
    func comesLater() async throws {
        try await withAccounts { _, repository, client in
            let relations = repository.relations
            for user in ["alice", "bob", "carol", "dave"] { _ = try await relations.follow("later", by: user) }
            _ = try await relations.unfollow("later", by: "bob")
            _ = try await relations.block("later", by: "carol")
            #expect(try await keys(client, under: "later") == [])
            try await repository.sessions.enroll("later", passwordHash: "$hash")
            let told = try await relations.repair.settleWishes(for: "later")
            #expect(told == 2)
            let requests = try await relations.followers(of: "later", in: .requested, limit: 10).followers.map(\.uid)
            #expect(Set(requests) == ["alice", "dave"])
            _ = try await relations.accept("alice", by: "later")
            #expect(try await relations.relation(of: "alice", with: "later").following == .following)
        }
    }

    @Test("is left alone by the deletion of somebody who followed it")
    func purged() async throws {
        try await withAccounts { _, repository, client in
            try await repository.sessions.enroll("alice", passwordHash: "$hash")
            _ = try await repository.relations.follow("ghost", by: "alice")
            _ = try await repository.relations.block("other", by: "alice")
            _ = try await repository.purge.run("alice")
            for user in ["alice", "ghost", "other"] { #expect(try await keys(client, under: user) == []) }
        }
    }

    @Test("is somebody where a removed account has left anything, and where there are no accounts at all")
    func somebody() async throws {
        try await withAccounts { _, repository, client in
            let relations = repository.relations
            try await repository.sessions.enroll("bob", passwordHash: "$hash")
            _ = try await relations.follow("bob", by: "alice")
            try await repository.sessions.removeAccount("bob")
            _ = try await relations.unfollow("bob", by: "alice")
            #expect(try await relations.relation(of: "bob", with: "alice").follower == .none, "it was told")
            relations.repair.isForAccountsAlone = false
            _ = try await relations.follow("carol", by: "alice")
            #expect(try await relations.relation(of: "carol", with: "alice").follower == .requested)
        }
    }
}
