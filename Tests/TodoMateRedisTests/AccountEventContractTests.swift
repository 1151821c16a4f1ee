import EventLoop
import Foundation
import Testing
import TodoMate

@Suite("Every store of what happened to accounts", .serialized)
@LoopActor
struct AccountEventContractTests {
    private static let hash = "$argon2id$one"
    private static let other = "$argon2id$two"

    private func draft(kind: SessionKind = .token) -> SessionDraft {
        SessionDraft(
            id: RandomID.next(),
            kind: kind,
            seconds: 3600,
            from: "192.0.2.0/24",
            device: "curl",
            name: "a name"
        )
    }

    @Test("notes what happens to an account, and forgets it with the account", arguments: StoresKind.servers)
    func events(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let sessions = stores.sessions
            #expect(try await sessions.events(of: "alice").isEmpty)
            try await sessions.noteRefusal(from: "192.0.2.0/24", of: "alice")
            _ = try await stores.relations.set(AccountPatch(audience: .private), of: "alice")
            #expect(try await sessions.events(of: "alice").isEmpty, "without an account nothing is noted")
            try await sessions.enroll("alice", passwordHash: Self.hash)
            let signIn = draft(kind: .signIn)
            var token = draft()
            token.scope = .feed
            let generation = try await sessions.begin(signIn, of: "alice")
            _ = try await sessions.begin(token, of: "alice")
            try await sessions.noteUses(of: [signIn.id, token.id], by: "alice")
            try await sessions.end(token.id, of: "alice")
            try await sessions.end(signIn.id, of: "alice")
            for _ in 0..<2 { _ = try await sessions.begin(draft(), of: "alice") }
            _ = try await sessions.endAll(of: "alice")
            let kept = draft()
            for one in [kept, draft()] { _ = try await sessions.begin(one, of: "alice") }
            _ = try await sessions.endOthers(than: kept.id, of: "alice")
            _ = try await sessions.endOthers(than: kept.id, of: "alice")
            _ = try await stores.relations.set(AccountPatch(audience: .public), of: "alice")
            _ = try await stores.relations.set(AccountPatch(visibility: .private), of: "alice")
            try await sessions.setPasswordHash(Self.other, of: "alice")
            let after = try #require(try await sessions.live(of: "alice").generation)
            #expect(after > generation)
            let last = draft(kind: .signIn)
            _ = try await sessions.changePassword(to: Self.hash, of: "alice", since: after, beginning: last)
            let events = try await sessions.events(of: "alice")
            let kinds: [AccountEvent.Kind] = [
                .signIn, .tokenMade, .tokenEnded, .sessionEnded, .tokenMade, .tokenMade, .sessionsEnded, .tokenMade,
                .tokenMade, .sessionsEnded, .audienceChanged, .passwordChanged, .passwordChanged,
            ]
            #expect(events.reversed().map(\.kind) == kinds.map(\.rawValue))
            #expect(events.map(\.at) == events.map(\.at).sorted(by: >))
            #expect(abs(events[0].at / 1000 - Int(Date().timeIntervalSince1970)) < 60)
            let made = try #require(events.last { $0.kind == "token-made" })
            #expect(made.session == token.id && made.scope == .feed && made.name == "a name" && made.device == "curl")
            let ended = try #require(events.last { $0.kind == "token-ended" })
            #expect(ended.session == token.id && ended.scope == .feed && ended.from == "192.0.2.0/24")
            #expect(events.filter { $0.kind == "sessions-ended" }.map(\.count) == [1, 2])
            #expect(events.first { $0.kind == "audience-changed" }?.audience == .public)
            #expect(events[0].session == last.id && events[1].session == nil)
            try await sessions.removeAccount("alice")
            #expect(try await sessions.events(of: "alice").isEmpty)
        }
    }

    @Test("keeps the last hundred events, and of strangers' one a minute", arguments: StoresKind.servers)
    func boundsEvents(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let sessions = stores.sessions
            try await sessions.enroll("alice", passwordHash: Self.hash)
            for _ in 0..<5 { try await sessions.noteRefusal(from: "192.0.2.0/24", of: "alice") }
            let refused = try await sessions.events(of: "alice")
            #expect(refused.map(\.kind) == ["refused"] && refused[0].from == "192.0.2.0/24")
            for _ in 0..<102 { _ = try await sessions.begin(draft(kind: .signIn), of: "alice") }
            let events = try await sessions.events(of: "alice")
            #expect(events.count == AccountEvent.most && events.allSatisfy { $0.kind == "sign-in" })
        }
    }
}
