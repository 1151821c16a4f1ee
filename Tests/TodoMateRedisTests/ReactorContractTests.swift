import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("Who reacted, in every store", .serialized)
@LoopActor
struct ReactorContractTests {
    nonisolated private static let day = CalendarDate("2026-11-20")!

    private func prepare(_ stores: Stores) async throws {
        for uid in ["alice", "bob", "carol", "dave", "erin"] {
            try await stores.sessions.enroll(uid, passwordHash: "$argon2id$\(uid)")
            let patch = AccountPatch(preferences: ["name": uid.capitalized, "face": "🦊"])
            try await stores.relations.set(patch, of: uid)
        }
        let draft = TodoDraft(id: "t1", date: Self.day, content: "milk", visibility: .public)
        _ = try await stores.todos.add(draft, for: "alice")
    }

    private func react(_ stores: Stores, _ emoji: String?, _ person: String) async throws {
        _ = try await stores.feeds.react(emoji, to: "t1", of: "alice", by: person)
    }

    /// Each as `🎉 bob Bob`.
    private func listed(_ stores: Stores, _ id: String = "t1") async throws -> [String] {
        try await ReactionReader(stores.personal).reactors(to: id, of: "alice").map { reactor in
            [reactor.emoji, reactor.person.uid, reactor.person.name].compactMap(\.self).joined(separator: " ")
        }
    }

    @Test(
        "are listed by emoji, the most frequent first, and each as long as it is there",
        arguments: StoresKind.allCases
    )
    func follows(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await prepare(stores)
            #expect(try await listed(stores) == [])
            for (person, emoji) in [("bob", "🎉"), ("carol", "👍"), ("dave", "👍"), ("alice", "👏")] {
                try await react(stores, emoji, person)
            }
            // Strangers are not known by name; oneself is.
            #expect(try await listed(stores) == ["👍 carol", "👍 dave", "🎉 bob", "👏 alice Alice"])
            try await react(stores, "🎉", "carol")
            #expect(try await listed(stores) == ["🎉 bob", "🎉 carol", "👍 dave", "👏 alice Alice"])
            try await react(stores, nil, "bob")
            #expect(try await listed(stores) == ["🎉 carol", "👍 dave", "👏 alice Alice"])
            // What nobody else may see any more tells who reacted before.
            _ = try await stores.todos.update("t1", of: "alice", with: TodoPatch(visibility: .private), expecting: nil)
            #expect(try await listed(stores) == ["🎉 carol", "👍 dave", "👏 alice Alice"])
            _ = try await stores.todos.remove("t1", of: "alice", expecting: nil)
            await expect("notFound") { _ = try await listed(stores) }
            await expect("invalid") { _ = try await listed(stores, "a b") }
            // Another one of the same id begins without any.
            let draft = TodoDraft(id: "t1", date: Self.day, content: "milk", visibility: .public)
            _ = try await stores.todos.add(draft, for: "alice")
            #expect(try await listed(stores) == [])
        }
    }

    @Test(
        "are known as far as they let the owner know them, and neither blocked nor leaving",
        arguments: StoresKind.allCases
    )
    func known(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await prepare(stores)
            for person in ["bob", "carol", "dave", "erin"] { try await react(stores, "🎉", person) }
            #expect(try await listed(stores) == ["🎉 bob", "🎉 carol", "🎉 dave", "🎉 erin"])
            // Who follows the owner, or lets everybody know, is known by name.
            _ = try await stores.relations.follow("alice", by: "bob")
            try await stores.relations.set(AccountPatch(audience: .public), of: "carol")
            #expect(try await listed(stores) == ["🎉 bob Bob", "🎉 carol Carol", "🎉 dave", "🎉 erin"])
            // Whoever has blocked the owner is there as before, like somebody whose audience is private.
            _ = try await stores.relations.block("alice", by: "carol")
            #expect(try await listed(stores) == ["🎉 bob Bob", "🎉 carol", "🎉 dave", "🎉 erin"])
            // Of whom the owner has blocked, nothing is seen; the number in the todo stays.
            _ = try await stores.relations.block("dave", by: "alice")
            #expect(try await listed(stores) == ["🎉 bob Bob", "🎉 carol", "🎉 erin"])
            #expect(try await stores.todos.record("t1", of: "alice").todo.reactions == ["🎉": 4])
            #expect(try await stores.feeds.reactions(to: "t1", of: "alice", by: "erin").map(\.uid) == ["erin"])
            _ = try await stores.relations.unblock("dave", by: "alice")
            #expect(try await listed(stores).contains("🎉 dave"))
            // Who is about to go is gone, and back when they stay.
            _ = try await stores.deletions.begin(of: "erin", after: 3600, since: nil, keeping: nil)
            #expect(try await listed(stores) == ["🎉 bob Bob", "🎉 carol", "🎉 dave"])
            try await stores.deletions.withdraw(of: "erin")
            #expect(try await listed(stores).contains("🎉 erin"))
            _ = try await stores.deletions.begin(of: "erin", after: 0, since: nil, keeping: nil)
            #expect(try await stores.deletions.advance("erin"))
            #expect(try await listed(stores) == ["🎉 bob Bob", "🎉 carol", "🎉 dave"])
            #expect(try await stores.todos.record("t1", of: "alice").todo.reactions == ["🎉": 3])
        }
    }
}
