import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store of identities", .serialized)
@LoopActor
struct IdentityContractTests {
    private static let hash = "$argon2id$one"

    private func draft(_ label: String? = nil) -> IdentityDraft {
        IdentityDraft(id: RandomID.next(), provider: "acme", label: label)
    }

    @Test("links an identity to one account, lists it, and takes it away", arguments: StoresKind.servers)
    func links(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.identities
            let (first, second) = (draft("alice@acme \"의\""), draft())
            await expect("notFound", "no account") { try await store.link(first, to: "alice") }
            #expect(try await store.owner(of: first.id) == nil, "claimed for nobody")
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            try await stores.sessions.enroll("bob", passwordHash: Self.hash)
            for _ in 0..<2 {
                try await store.link(first, to: "alice")
                #expect(try await store.owner(of: first.id) == "alice")
                await expect("exists", "somebody else's") { try await store.link(first, to: "bob") }
            }
            try await store.link(second, to: "alice")
            let linked = try await store.identities(of: "alice")
            #expect(Set(linked.map(\.id)) == [first.id, second.id])
            #expect(linked.first { $0.id == first.id }?.label == first.label)
            #expect(linked.allSatisfy { $0.provider == "acme" && $0.linked > 1_700_000_000 })
            #expect(try await store.identities(of: "bob").isEmpty)
            await expect("notFound", "of somebody else") { try await store.unlink(first.id, of: "bob") }
            try await store.unlink(first.id, of: "alice")
            await expect("notFound") { try await store.unlink(first.id, of: "alice") }
            #expect(try await store.owner(of: first.id) == nil)
            try await store.link(first, to: "bob")
            #expect(try await store.owner(of: first.id) == "bob")
            let kinds = try await stores.sessions.events(of: "alice").map(\.kind)
            #expect(kinds == ["identity-unlinked", "identity-linked", "identity-linked"])
            #expect(try await stores.sessions.events(of: "bob").map(\.name) == ["acme"])
        }
    }

    @Test("makes the account of an identity once, under a name that is free", arguments: StoresKind.servers)
    func enrolls(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.identities
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let identity = draft("one")
            await expect("exists", "the name is taken") {
                _ = try await store.enroll("alice", passwordHash: Self.hash, by: identity)
            }
            #expect(try await store.owner(of: identity.id) == nil, "a claim alone is nothing")
            let made = try await store.enroll("bob", passwordHash: Self.hash, by: identity)
            #expect(made > 0)
            #expect(try await store.enroll("bob", passwordHash: Self.hash, by: identity) == made, "the same once more")
            #expect(try await store.owner(of: identity.id) == "bob")
            #expect(try await store.identities(of: "bob").map(\.label) == ["one"])
            await expect("exists", "the identity is taken") {
                _ = try await store.enroll("carol", passwordHash: Self.hash, by: identity)
            }
            #expect(try await stores.sessions.live(of: "carol").generation == nil)
            let (own, other) = (self.draft(), self.draft())
            _ = try await store.enroll("dave", passwordHash: SignInFacts.noPassword, by: own)
            await expect("conflict", "nobody knows a password") { try await store.unlink(own.id, of: "dave") }
            try await store.link(other, to: "dave")
            try await store.unlink(own.id, of: "dave")
            _ = try await stores.sessions.setPasswordHash(Self.hash, of: "dave")
            try await store.unlink(other.id, of: "dave")
            let draft = SessionDraft(id: RandomID.next(), kind: .signIn, seconds: 60)
            #expect(try await stores.sessions.begin(draft, of: "bob", since: made) == made)
        }
    }

    @Test(
        "makes one account of an identity, however many windows choose a name at once",
        arguments: StoresKind.servers
    )
    func windows(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for round in 0..<10 {
                let identity = draft()
                let names = ["a\(round)", "b\(round)", "c\(round)"]
                let asking = names.map { name in
                    Task { @LoopActor in
                        try? await stores.identities.enroll(name, passwordHash: Self.hash, by: identity)
                    }
                }
                var made: [String] = []
                for (name, task) in zip(names, asking) where await task.value != nil { made.append(name) }
                let owner = try await stores.identities.owner(of: identity.id)
                #expect(made == owner.map { [$0] }, "\(made)")
                for name in names {
                    let isThere = try await stores.sessions.live(of: name).generation != nil
                    #expect(isThere == (name == owner), "\(name) of \(made)")
                }
            }
        }
    }

    @Test("an identity ends with its account, whoever gets the name next", arguments: StoresKind.servers)
    func removal(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let (store, identity) = (stores.identities, draft())
            _ = try await store.enroll("alice", passwordHash: Self.hash, by: identity)
            try await stores.sessions.removeAccount("alice")
            #expect(try await store.owner(of: identity.id) == nil)
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            #expect(try await store.owner(of: identity.id) == nil)
            #expect(try await store.identities(of: "alice").isEmpty)
            #expect(try await store.enroll("bob", passwordHash: Self.hash, by: identity) > 0)
            #expect(try await store.owner(of: identity.id) == "bob")
        }
    }

    @Test("leaves nothing that says whose it was once the account is gone", arguments: [RedisKind.one, .cluster])
    func released(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            let stores = repository.stores
            let ways: [@LoopActor () async throws -> Void] = [
                { try await stores.sessions.removeAccount("alice") },
                { _ = try await repository.purge.run("alice") },
                {
                    _ = try await stores.deletions.begin(of: "alice", after: 0, since: nil, keeping: nil)
                    _ = try await stores.deletions.advance("alice")
                },
            ]
            for way in ways {
                let (one, other) = (draft(), draft())
                _ = try await stores.identities.enroll("alice", passwordHash: Self.hash, by: one)
                try await stores.identities.link(other, to: "alice")
                // Somebody else's by now.
                try await server.cli("HSET", "todomate:{\(other.id)}:identity", "user", "bob")
                try await way()
                #expect(try await server.cli("EXISTS", "todomate:{\(one.id)}:identity") == "0")
                #expect(try await server.cli("HGET", "todomate:{\(other.id)}:identity", "user") == "bob")
            }
            // What cannot be read holds up nothing, and an account that stays keeps what it has.
            let kept = draft()
            _ = try await stores.identities.enroll("bob", passwordHash: Self.hash, by: kept)
            _ = try await stores.deletions.begin(of: "bob", after: 30, since: nil, keeping: nil)
            #expect(try await stores.deletions.advance("bob") == false, "not yet")
            #expect(try await stores.identities.owner(of: kept.id) == "bob")
            try await server.cli("DEL", "todomate:{bob}:identities")
            try await server.cli("SET", "todomate:{bob}:identities", "x")
            #expect(try await repository.purge.run("bob"))
        }
    }

    @Test("takes ten of an account, and no more", arguments: StoresKind.servers)
    func fullness(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            for _ in 0..<LinkedIdentity.most { try await stores.identities.link(draft(), to: "alice") }
            let last = draft()
            await expect("full") { try await stores.identities.link(last, to: "alice") }
            #expect(try await stores.identities.owner(of: last.id) == nil)
        }
    }

    @Test("refuses what is no identity", arguments: StoresKind.servers)
    func refusals(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.identities
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let wrong = [
                IdentityDraft(id: "short", provider: "acme"),
                IdentityDraft(id: String(repeating: "}", count: 22), provider: "a"),
                IdentityDraft(id: RandomID.next(), provider: ""),
                IdentityDraft(id: RandomID.next(), provider: "Acme Inc"),
                IdentityDraft(id: RandomID.next(), provider: String(repeating: "a", count: 33)),
                IdentityDraft(id: RandomID.next(), provider: "acme", label: "two\nlines"),
                IdentityDraft(id: RandomID.next(), provider: "acme", label: String(repeating: "x", count: 65)),
            ]
            for identity in wrong {
                await expect("invalid", "\(identity)") { try await store.link(identity, to: "alice") }
                await expect("invalid", "\(identity)") {
                    _ = try await store.enroll("bob", passwordHash: Self.hash, by: identity)
                }
            }
            await expect("invalid") { try await store.link(draft(), to: "no user") }
            await expect("invalid") { _ = try await store.owner(of: "{}") }
            #expect(try await store.identities(of: "alice").isEmpty)
            #expect(try await stores.sessions.live(of: "bob").generation == nil)
        }
    }

    @Test("a claim that was lost with a backup is made again by linking", arguments: [RedisKind.one, .cluster])
    func lostClaim(_ kind: RedisKind) async throws {
        try await withRedis(on: kind) { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            let (stores, identity) = (repository.stores, draft())
            _ = try await stores.identities.enroll("alice", passwordHash: Self.hash, by: identity)
            try await server.cli("DEL", "todomate:{\(identity.id)}:identity")
            #expect(try await stores.identities.owner(of: identity.id) == nil)
            try await stores.identities.link(identity, to: "alice")
            #expect(try await stores.identities.owner(of: identity.id) == "alice")
            // A claim of a name whose account knows nothing of it is nobody's.
            try await server.cli("HSET", "todomate:{\(identity.id)}:identity", "user", "mallory")
            #expect(try await stores.identities.owner(of: identity.id) == nil)
            try await server.cli("HSET", "todomate:{\(identity.id)}:identity", "user", "not a user")
            await #expect(throws: TodoError.self) { _ = try await stores.identities.owner(of: identity.id) }
        }
    }
}
