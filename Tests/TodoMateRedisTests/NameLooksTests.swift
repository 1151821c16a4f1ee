import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("A name that looks like another one's", .serialized)
@LoopActor
struct NameLooksTests {
    private static let hash = "$argon2id$one"

    private static func arrive(_ uid: String, _ stores: Stores) async throws {
        _ = try await stores.invitations.enroll(uid, passwordHash: hash, by: nil)
    }

    private static func identity() -> IdentityDraft { IdentityDraft(id: RandomID.next(), provider: "acme") }

    @Test("is for nobody who comes by themselves, and for whom an operator gives it", arguments: StoresKind.servers)
    func taken(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            // By an operator, by themselves, by a provider.
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            try await Self.arrive("mike", stores)
            _ = try await stores.identities.enroll("bob", passwordHash: Self.hash, by: Self.identity())
            for uid in ["a1ice", "Alice", "AIice", "rnike", "b0b"] {
                await expect("exists", "\(uid)") { try await Self.arrive(uid, stores) }
                await expect("exists", "\(uid)") {
                    _ = try await stores.identities.enroll(uid, passwordHash: Self.hash, by: Self.identity())
                }
                #expect(try await stores.sessions.live(of: uid).generation == nil, "nothing was made of \(uid)")
            }
            try await Self.arrive("alicia", stores)
            try await stores.sessions.enroll("a1ice", passwordHash: Self.hash)
            await expect("exists", "with two that look like it") { try await Self.arrive("aIice", stores) }
            await expect("exists", "its own name") { try await Self.arrive("mike", stores) }
        }
    }

    @Test("is free once the other account is purged", arguments: StoresKind.servers)
    func purged(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await Self.arrive("alice", stores)
            _ = try await stores.deletions.begin(of: "alice", after: 0, since: nil, keeping: nil)
            while try await !stores.deletions.advance("alice") {}
            try await Self.arrive("a1ice", stores)
            await expect("exists") { try await Self.arrive("alice", stores) }
        }
    }

    @Test("is made no more than once, of many that ask at the same time", arguments: StoresKind.servers)
    func race(_ kind: StoresKind) async throws {
        let names = ["alice", "a1ice", "Alice", "aIice", "ALICE", "AL1CE", "Al1ce", "aLice"]
        try await kind.with { stores in
            let attempts = names.map { uid in
                Task { () async -> Bool in
                    do throws(TodoError) {
                        return try await stores.invitations.enroll(uid, passwordHash: Self.hash, by: nil) != nil
                    } catch {
                        guard case .exists = error else { Issue.record("\(error)"); return false }
                        return false
                    }
                }
            }
            var made = 0
            for attempt in attempts where await attempt.value { made += 1 }
            #expect(made <= 1)
            let accounts = try await stores.operators.summaries(of: names)
            #expect(accounts.count == made)
        }
    }

    @Test("counts for accounts of before once it is noted, and claims that came to nothing for two minutes")
    func older() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            let client = RedisClient(server.url)
            defer {
                repository.close()
                client.close()
            }
            try await repository.prepare()
            let (key, now) = ("todomate:alike:allce", Int(Date().timeIntervalSince1970))
            // As an older version makes it.
            let enroll = RedisCommand("FCALL", "todomate_enroll", "1", "todomate:{alice}", Self.hash)
            _ = try await client.send(enroll)
            #expect(try await repository.looks.accounts(like: "a1ice").isEmpty)
            for repairing in [false, true] {
                #expect(try await repository.looks.unnoted(repairing: repairing) == ["alice"])
            }
            #expect(try await repository.looks.unnoted(repairing: false).isEmpty)
            #expect(try await repository.looks.accounts(like: "a1ice") == ["alice"])
            await expect("exists") { try await Self.arrive("a1ice", repository.stores) }
            #expect(try await client.send(RedisCommand("HKEYS", key)).array?.map(\.string) == ["alice"])
            // Somebody is making one at this moment, or has died of it.
            _ = try await client.send(RedisCommand("FCALL", "todomate_remove_account", "1", "todomate:{alice}"))
            _ = try await client.send(RedisCommand("HSET", key, "AIice", String(now)))
            await expect("exists") { try await Self.arrive("a1ice", repository.stores) }
            _ = try await client.send(RedisCommand("HDEL", key, "AIice"))
            for junk in [["alice", "0"], ["AIice", String(now - 200)], ["a b", "x"], ["bob", String(now)]] {
                _ = try await client.send(RedisCommand("HSET", key, junk[0], junk[1]))
            }
            try await Self.arrive("a1ice", repository.stores)
            #expect(try await repository.looks.accounts(like: "alice") == ["a1ice"])
        }
    }
}
