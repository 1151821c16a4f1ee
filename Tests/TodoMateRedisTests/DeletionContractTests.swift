import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store of deletions", .serialized)
@LoopActor
struct DeletionContractTests {
    private static let hash = "$argon2id$one"
    private static let day = CalendarDate(year: 2026, month: 11, day: 20)

    private func todo(_ id: String, _ visibility: Visibility = .followers) throws -> TodoDraft {
        TodoDraft(id: id, date: try #require(Self.day), content: "by \(id)", visibility: visibility)
    }

    /// Alice among others: she and bob follow each other, carol follows her, she has asked dave and erin has asked her.
    private func befriend(_ stores: Stores) async throws {
        stores.relations.isForAccountsAlone = true
        for uid in ["alice", "bob", "carol", "dave", "erin"] {
            try await stores.sessions.enroll(uid, passwordHash: Self.hash)
            _ = try await stores.todos.add(try todo("t-\(uid)", .public), for: uid)
        }
        try await stores.relations.set(AccountPatch(preferences: ["name": "Alice", "face": "🦊"]), of: "alice")
        for (one, other) in [("bob", "alice"), ("carol", "alice"), ("alice", "bob")] {
            _ = try await stores.relations.follow(other, by: one, at: 7)
            _ = try await stores.relations.accept(one, by: other)
        }
        _ = try await stores.relations.follow("dave", by: "alice")
        _ = try await stores.relations.follow("alice", by: "erin")
        _ = try await stores.feeds.react("🎉", to: "t-bob", of: "bob", by: "alice")
    }

    /// What others have of alice, and she of them, as all that they can read says.
    private func picture(_ stores: Stores) async throws -> [String: String] {
        var picture: [String: String] = [:]
        for uid in ["bob", "carol", "dave", "erin"] {
            let relation = try await stores.relations.relation(of: uid, with: "alice")
            let access = try await stores.shared.access(of: uid, to: "alice")
            let person = try await stores.relations.person("alice", asKnownTo: uid)
            let following = try await stores.relations.following(of: uid)
            let followers = try await stores.relations.followers(of: uid, limit: 10)
            let badges = try await stores.feeds.badges(of: uid, on: try #require(Self.day))
            let seen = try? await stores.shared.todo("t-alice", of: "alice", for: uid)
            picture[uid] =
                "\(relation.following) \(relation.follower) \(access) \(person.name ?? "-") \(person.face ?? "-") "
                + "\(following.map { "\($0.uid) \($0.state) \($0.position)" }) \(followers.count) \(badges.requests) "
                + "\(seen?.todo.content ?? "-")"
        }
        let own = try await stores.relations.profile(of: "alice")
        picture["alice"] = "\(own.settings) \(own.counts.following) \(own.counts.followers) \(own.counts.requests)"
        return picture
    }

    /// Does what is due about alice until nothing is.
    private func advance(_ stores: Stores) async throws {
        for _ in 0..<3 { try await stores.deletions.advance("alice") }
    }

    @Test("hides an account from others at once, and gives all back when it is kept", arguments: StoresKind.servers)
    func hides(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await befriend(stores)
            let before = try await picture(stores)
            let kept = SessionDraft(id: RandomID.next(), kind: .signIn, seconds: 3600)
            for draft in [
                kept, SessionDraft(id: RandomID.next(), kind: .signIn, seconds: 60),
                SessionDraft(id: RandomID.next(), kind: .token, seconds: 60),
            ] {
                _ = try await stores.sessions.begin(draft, of: "alice")
            }
            let generation = try await stores.sessions.live(of: "alice").generation
            let now = Int(Date().timeIntervalSince1970)
            let due = try await stores.deletions.begin(
                of: "alice",
                after: 3600,
                since: generation,
                keeping: kept.id
            )
            #expect(abs(due - now - 3600) < 60)
            let again = try await stores.deletions.begin(of: "alice", after: 0, since: generation, keeping: kept.id)
            #expect(again == due, "said twice, it is no sooner")
            let live = try await stores.sessions.live(of: "alice")
            #expect(live == LiveSessions(generation: generation, ids: [kept.id], isLeaving: true))
            #expect(try await stores.deletions.due() == ["alice"])
            #expect(try await stores.deletions.leaving(among: ["bob", "alice", "nobody"]) == (["alice"], []))
            #expect(try await stores.deletions.leaving(among: []) == ([], []))
            // At once, before others' sides know.
            for uid in ["bob", "carol", "dave", "erin"] {
                #expect(try await stores.shared.access(of: uid, to: "alice") == .none)
                #expect(try await stores.relations.person("alice", asKnownTo: uid) == PublicPerson(uid: "alice"))
                #expect(try await stores.feeds.feed(of: "alice", for: uid, since: 0, limit: 9, before: nil).isEmpty)
                await expect("notFound") { _ = try await stores.feeds.react("🎉", to: "t-alice", of: "alice", by: uid) }
                await expect("notFound") { _ = try await stores.shared.todo("t-alice", of: "alice", for: uid) }
            }
            try await advance(stores)
            #expect(try await stores.deletions.deletion(of: "alice") == AccountDeletion(due: due, step: .told))
            let hidden = try await picture(stores)
            let gone = "none - -"
            #expect(hidden["bob"] == #"requested none \#(gone) ["alice requested 7.0"] 0 0 -"#)
            #expect(hidden["carol"] == #"requested none \#(gone) ["alice requested 7.0"] 0 0 -"#)
            #expect(hidden["dave"] == "none none \(gone) [] 0 0 -", "her request is gone")
            #expect(hidden["erin"]?.hasPrefix("requested none \(gone)") == true)
            // As of a name that nobody has.
            try await stores.sessions.enroll("frank", passwordHash: Self.hash)
            let asked = try await stores.relations.follow("alice", by: "frank")
            let unknown = try await stores.relations.follow("nobody", by: "frank")
            #expect(asked.following == unknown.following && asked.follower == unknown.follower)
            try await stores.deletions.withdraw(of: "alice")
            try await advance(stores)
            #expect(try await stores.deletions.deletion(of: "alice") == AccountDeletion(due: nil, step: nil))
            #expect(try await stores.deletions.due().isEmpty)
            var after = try await picture(stores)
            // Frank has asked meanwhile.
            #expect(try await stores.relations.relation(of: "alice", with: "frank").follower == .requested)
            _ = try await stores.relations.dismiss("frank", by: "alice")
            after["alice"] = try await picture(stores)["alice"]
            #expect(after == before)
            #expect(try await stores.sessions.live(of: "alice").isLeaving == false)
            let events = try await stores.sessions.events(of: "alice").prefix(2).map(\.kind)
            #expect(Array(events) == ["deletion-withdrawn", "deletion-begun"])
            await expect("notFound", "not to be deleted any more") { try await stores.deletions.withdraw(of: "alice") }
        }
    }

    @Test("refuses whatever would be written meanwhile", arguments: StoresKind.servers)
    func refuses(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await befriend(stores)
            _ = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            let before = try await stores.todos.latestChangeID(of: "alice")
            let generation = try #require(try await stores.sessions.live(of: "alice").generation)
            let (todos, relations) = (stores.todos, stores.relations)
            let signIn = SessionDraft(id: RandomID.next(), kind: .signIn, seconds: 60)
            let writes: [(String, @LoopActor () async throws -> Void)] = [
                ("add", { _ = try await todos.add(try todo("new"), for: "alice") }),
                (
                    "update",
                    {
                        _ = try await todos.update(
                            "t-alice",
                            of: "alice",
                            with: TodoPatch(content: "x"),
                            expecting: nil
                        )
                    }
                ),
                ("remove", { _ = try await todos.remove("t-alice", of: "alice", expecting: nil) }),
                ("follow", { _ = try await relations.follow("erin", by: "alice") }),
                ("unfollow", { _ = try await relations.unfollow("bob", by: "alice") }),
                ("arrange", { _ = try await relations.arrange("bob", at: 99, by: "alice") }),
                ("accept", { _ = try await relations.accept("erin", by: "alice") }),
                ("dismiss", { _ = try await relations.dismiss("bob", by: "alice") }),
                ("block", { _ = try await relations.block("carol", by: "alice") }),
                ("settings", { _ = try await relations.set(AccountPatch(audience: .public), of: "alice") }),
                ("react", { _ = try await stores.feeds.react("👍", to: "t-alice", of: "alice", by: "alice") }),
                (
                    "token",
                    {
                        let draft = SessionDraft(id: RandomID.next(), kind: .token, seconds: 60)
                        _ = try await stores.sessions.begin(draft, of: "alice")
                    }
                ),
                (
                    "invite",
                    { _ = try await stores.invitations.invite(InvitationDraft(id: RandomID.next()), by: "alice") }
                ),
                (
                    "password",
                    {
                        _ = try await stores.sessions.changePassword(
                            to: Self.hash,
                            of: "alice",
                            since: generation,
                            beginning: signIn
                        )
                    }
                ),
            ]
            for (name, write) in writes { await expect("leaving", "\(name)", write) }
            #expect(try await stores.todos.latestChangeID(of: "alice") == before)
            // To change one's mind, one has to get in.
            _ = try await stores.sessions.begin(signIn, of: "alice", since: generation)
            try await stores.deletions.withdraw(of: "alice")
            _ = try await todos.add(try todo("new"), for: "alice")
        }
    }

    @Test("refuses what does not fit", arguments: StoresKind.servers)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.deletions
            await expect("notFound", "no account") {
                _ = try await store.begin(of: "alice", after: 60, since: nil, keeping: nil)
            }
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let generation = try #require(try await stores.sessions.live(of: "alice").generation)
            for seconds in [-1, 31_536_001] {
                await expect("invalid") {
                    _ = try await store.begin(of: "alice", after: seconds, since: nil, keeping: nil)
                }
            }
            await expect("invalid") { _ = try await store.begin(of: "a b", after: 60, since: nil, keeping: nil) }
            await expect("conflict", "of another password") {
                _ = try await store.begin(of: "alice", after: 60, since: generation - 1, keeping: nil)
            }
            await expect("notFound", "of another session") {
                _ = try await store.begin(of: "alice", after: 60, since: generation, keeping: RandomID.next())
            }
            #expect(try await store.deletion(of: "alice") == AccountDeletion(due: nil, step: nil))
            #expect(try await store.advance("alice") == false)
            for _ in 0..<2 { await expect("notFound") { try await store.withdraw(of: "alice") } }
            #expect(try await store.deletion(of: "nobody") == AccountDeletion(due: nil, step: nil))
        }
    }

    @Test("deletes all when the time is over, and not before", arguments: StoresKind.servers)
    func deletes(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await befriend(stores)
            let generation = try #require(try await stores.sessions.live(of: "alice").generation)
            _ = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            try await advance(stores)
            #expect(try await stores.todos.record("t-alice", of: "alice").todo.uid == "alice")
            await expect("exists", "the name stays taken") {
                try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            }
            try await stores.deletions.withdraw(of: "alice")
            _ = try await stores.deletions.begin(of: "alice", after: 0, since: nil, keeping: nil)
            #expect(try await stores.deletions.advance("alice"))
            await expect("notFound", "too late") { try await stores.deletions.withdraw(of: "alice") }
            #expect(try await stores.deletions.due().isEmpty)
            #expect(try await stores.sessions.live(of: "alice").generation == nil)
            await expect("notFound") { _ = try await stores.todos.record("t-alice", of: "alice") }
            for uid in ["bob", "carol", "dave", "erin"] {
                let relation = try await stores.relations.relation(of: uid, with: "alice")
                #expect(
                    relation == Relation(uid: uid, with: "alice", following: .none, follower: .none, blocked: false)
                )
            }
            let reactions = try await stores.feeds.reactions(to: "t-bob", of: "bob", by: nil)
            #expect(reactions.isEmpty)
            #expect(try await stores.todos.record("t-bob", of: "bob").todo.reactions.isEmpty)
            // The name is free, and whoever has it now is somebody else.
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            try await advance(stores)
            #expect(try await stores.sessions.events(of: "alice").isEmpty)
            #expect(try await stores.todos.snapshot(of: "alice", in: nil).todos.isEmpty)
            #expect(try #require(try await stores.sessions.live(of: "alice").generation) > generation)
        }
    }

    @Test("of somebody is not held up by another whose todos they reacted to", arguments: StoresKind.servers)
    func reactions(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await befriend(stores)
            _ = try await stores.feeds.react("🎉", to: "t-bob", of: "bob", by: "carol")
            _ = try await stores.deletions.begin(of: "bob", after: 3600, since: nil, keeping: nil)
            _ = try await stores.deletions.begin(of: "alice", after: 0, since: nil, keeping: nil)
            #expect(try await stores.deletions.advance("alice"))
            #expect(try await stores.deletions.due() == ["bob"])
            let left = try await stores.todos.record("t-bob", of: "bob").todo.reactions
            #expect(left == ["🎉": 1], "carol's alone")
            await expect("leaving", "still") { _ = try await stores.todos.add(try todo("new"), for: "bob") }
            try await stores.deletions.withdraw(of: "bob")
            try await stores.deletions.advance("bob")
            _ = try await stores.todos.add(try todo("new"), for: "bob")
            #expect(try await stores.relations.following(of: "bob").isEmpty)
        }
    }

    @Test("leaves reactions out of others' archives, until they are kept", arguments: StoresKind.servers)
    func archives(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await befriend(stores)
            _ = try await stores.feeds.react("🎉", to: "t-bob", of: "bob", by: "alice")
            let named = { @LoopActor () async throws in
                let kept = KeptParts()
                try await stores.archives.read(of: "bob") { kept.take($0) }
                return kept.text.split(separator: "\n").contains { $0.contains("reactions") && $0.contains("alice") }
            }
            #expect(try await named())
            _ = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            #expect(try await !named())
            try await stores.deletions.withdraw(of: "alice")
            #expect(try await named())
        }
    }

    @Test("of a suspended account is an operator's decision alone", arguments: StoresKind.servers)
    func suspended(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let generation = try #require(try await stores.sessions.live(of: "alice").generation)
            try await stores.operators.suspend("alice", for: "", by: nil)
            await expect("conflict", "the owner is not let in") {
                _ = try await stores.deletions.begin(of: "alice", after: 60, since: generation, keeping: nil)
            }
            let due = try await stores.deletions.begin(of: "alice", after: 60, since: nil, keeping: nil)
            #expect(try await stores.deletions.deletion(of: "alice").due == due)
            #expect(try await stores.operators.suspension(of: "alice", knowing: nil) != nil)
        }
    }

    @Test("does what others do meanwhile as they wish", arguments: StoresKind.servers)
    func others(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await befriend(stores)
            _ = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            try await advance(stores)
            // Bob blocks her, carol goes, and dave leaves as well, and stays.
            _ = try await stores.relations.block("alice", by: "bob")
            _ = try await stores.relations.unfollow("alice", by: "carol")
            _ = try await stores.deletions.begin(of: "dave", after: 3600, since: nil, keeping: nil)
            try await stores.deletions.advance("dave")
            try await stores.deletions.withdraw(of: "alice")
            try await advance(stores)
            try await stores.deletions.withdraw(of: "dave")
            try await stores.deletions.advance("dave")
            let bob = try await stores.relations.relation(of: "bob", with: "alice")
            #expect(bob.blocked && bob.following == .none && bob.follower == .none)
            #expect(try await stores.shared.access(of: "alice", to: "bob") == .none)
            #expect(try await stores.relations.relation(of: "alice", with: "carol").follower == .none)
            #expect(try await stores.relations.relation(of: "dave", with: "alice").follower == .requested)
            #expect(try await stores.relations.relation(of: "alice", with: "dave").following == .requested)
            #expect(try await stores.relations.settle("alice") == 0)
        }
    }
}

/// What comes of an archive.
@LoopActor
private final class KeptParts {
    private var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func take(_ part: [UInt8]) -> Bool {
        bytes += part
        return true
    }
}
