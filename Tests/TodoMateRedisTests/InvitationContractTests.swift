import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store of invitations", .serialized)
@LoopActor
struct InvitationContractTests {
    private static let hash = "$argon2id$one"

    private func draft(uses: Int = 1, seconds: Int = 3600, label: String? = nil) -> InvitationDraft {
        InvitationDraft(id: RandomID.next(), uses: uses, seconds: seconds, label: label)
    }

    private func name(_ invitation: Invitation) -> InvitationName {
        InvitationName(inviter: "alice", id: invitation.id)
    }

    @Test("makes invitations of an account, lists them and takes them back", arguments: StoresKind.servers)
    func makes(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.invitations
            await expect("notFound") { _ = try await store.invite(draft(), by: "alice") }
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let first = draft(uses: 3, label: "for the \"club\" 모임")
            let made = try await store.invite(first, by: "alice")
            #expect(made.id == first.id && made.expires == made.made + 3600 && made.uses == 3 && made.left == 3)
            #expect(made.label == first.label && made.came.isEmpty)
            await expect("exists") { _ = try await store.invite(first, by: "alice") }
            let second = try await store.invite(draft(label: ""), by: "alice")
            #expect(second.label == nil)
            let listed = try await store.invitations(of: "alice")
            #expect(listed.count == 2 && listed.contains(made) && listed.contains(second))
            #expect(try await store.invitations(of: "bob").isEmpty)
            #expect(try await store.invitation(name(made)) == made)
            await expect("notFound", "of somebody else") {
                _ = try await store.invitation(InvitationName(inviter: "bob", id: made.id))
            }
            try await store.endInvitation(name(made))
            for _ in 0..<2 {
                await expect("notFound") { try await store.endInvitation(name(made)) }
                await expect("notFound") { _ = try await store.invitation(name(made)) }
                await expect("notFound") { _ = try await store.take(name(made), for: "bob") }
            }
            #expect(try await store.invitations(of: "alice") == [second])
        }
    }

    @Test("refuses what is out of bounds", arguments: StoresKind.servers)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.invitations
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            var bad = [draft(uses: 0), draft(uses: 101), draft(seconds: 59), draft(seconds: 31_536_001)]
            bad += [draft(label: String(repeating: "가", count: 65)), draft(label: "a\nb"), draft(label: "a\u{85}b")]
            for id in ["", "short", String(repeating: "a", count: 23), "alice.aaaaaaaaaaaaaaaa"] {
                bad.append(InvitationDraft(id: id))
                await expect("invalid") { _ = try await store.invitation(InvitationName(inviter: "alice", id: id)) }
            }
            for one in bad { await expect("invalid", "\(one)") { _ = try await store.invite(one, by: "alice") } }
            await expect("invalid") { _ = try await store.invite(draft(), by: "a b") }
            let made = try await store.invite(draft(uses: 100, seconds: 31_536_000), by: "alice")
            await expect("invalid") { _ = try await store.take(name(made), for: "a b") }
            for _ in 1..<50 { _ = try await store.invite(draft(), by: "alice") }
            await expect("full") { _ = try await store.invite(draft(), by: "alice") }
            try await store.endInvitation(name(made))
            let last = try await store.invite(draft(seconds: 60), by: "alice")
            #expect(try await store.invitations(of: "alice").count == 50)
            // One that is used up is open no more, and stays for a while.
            _ = try await store.take(name(last), for: "bob")
            let next = try await store.invite(draft(), by: "alice")
            #expect(try await store.invitations(of: "alice").contains(next))
        }
    }

    @Test("gives as many uses as there are, and a name no more than one", arguments: StoresKind.servers)
    func uses(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.invitations
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let made = try await store.invite(draft(uses: 2), by: "alice")
            let at = try await store.take(name(made), for: "bob")
            _ = try await store.take(name(made), for: "bob")
            _ = try await store.take(name(made), for: "carol")
            await expect("full") { _ = try await store.take(name(made), for: "dave") }
            let now = try await store.invitation(name(made))
            #expect(now.came.map(\.uid) == ["bob", "carol"] && now.left == 0)
            // Bob has taken his again since, maybe within the same second.
            let again = try await store.take(name(made), for: "bob")
            #expect(again >= at)
            for (taken, isThere) in [(again - 1, false), (again, true), (again, false)] {
                #expect(
                    try await store.giveBack(name(made), of: "bob", taken: taken, ifAbandoned: false) == isThere
                )
            }
            _ = try await store.take(name(made), for: "dave")
            // Ten at the same moment for the one use of another.
            let single = try await store.invite(draft(), by: "alice")
            let crowd = (0..<10).map { number in
                Task { (try? await store.take(name(single), for: "guest\(number)")) != nil }
            }
            var winners = 0
            for one in crowd where await one.value { winners += 1 }
            #expect(winners == 1)
        }
    }

    @Test("makes the account of a new name by a use, once", arguments: StoresKind.servers)
    func enrolls(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let (store, joining) = (stores.invitations, AccountJoining(stores.invitations))
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let made = try await store.invite(draft(uses: 2), by: "alice")
            let generation = try await joining.join("bob", passwordHash: Self.hash, by: name(made))
            #expect(try await stores.sessions.live(of: "bob").generation == generation)
            #expect(try await store.came("bob", by: name(made)))
            #expect(try await !store.came("alice", by: name(made)))
            #expect(try await joining.join("bob", passwordHash: "$other", by: name(made)) == nil, "once more")
            #expect(
                try await stores.accounts.signInFacts(of: "bob", from: "192.0.2.1").passwordHash == Self.hash
            )
            #expect(try await store.invitation(name(made)).left == 1)
            // Another one's name, and names under which there is something, cost no use.
            _ = try await stores.todos.add(TodoDraft(date: .earliest, content: "x"), for: "carol")
            for taken in ["alice", "carol"] {
                await expect("exists") { _ = try await joining.join(taken, passwordHash: Self.hash, by: name(made)) }
                await expect("exists") { _ = try await joining.join(taken, passwordHash: Self.hash, by: nil) }
            }
            #expect(try await store.invitation(name(made)).left == 1)
            #expect(try await joining.join("dave", passwordHash: Self.hash, by: nil) != nil)
            // An account that the operator makes anew came by nothing.
            try await stores.sessions.removeAccount("bob")
            #expect(try await store.came("bob", by: name(made)))
            try await stores.sessions.enroll("bob", passwordHash: Self.hash)
            #expect(try await !store.came("bob", by: name(made)))
            await expect("invalid") { _ = try await joining.join("a b", passwordHash: Self.hash, by: nil) }
        }
    }

    @Test("completes what stopped between the two steps, by the same name or another", arguments: StoresKind.servers)
    func crash(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            let (store, joining) = (stores.invitations, AccountJoining(stores.invitations))
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let made = try await store.invite(draft(), by: "alice")
            _ = try await store.take(name(made), for: "bob")
            // Bob, again: the name is not lost.
            #expect(try await joining.join("bob", passwordHash: Self.hash, by: name(made)) != nil)
            let other = try await store.invite(draft(), by: "alice")
            let taken = try await store.take(name(other), for: "carol")
            #expect(try await joining.open(name(other)).left == 0, "the account may still be made")
            try await age("alice", 130)
            // Too late for the first, so that there are never two.
            await expect("conflict") {
                _ = try await store.enroll(
                    "carol",
                    passwordHash: Self.hash,
                    by: InvitationUse(name(other), taken: taken - 130)
                )
            }
            #expect(try await joining.open(name(other)).left == 1, "nobody came by it")
            #expect(try await joining.join("dave", passwordHash: Self.hash, by: name(other)) != nil)
            try await age("alice", 130)
            #expect(try await joining.open(name(other)).left == 0, "dave did")
            await expect("full") { _ = try await joining.join("carol", passwordHash: Self.hash, by: name(other)) }
        }
    }

    @Test("lets nobody come back by a use once an account came of it", arguments: StoresKind.servers)
    func settled(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            let (store, joining) = (stores.invitations, AccountJoining(stores.invitations))
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let made = try await store.invite(draft(), by: "alice")
            // Of nobody's use, and of no invitation at all.
            try await store.settle(name(made), for: "bob")
            try await store.settle(InvitationName(inviter: "alice", id: RandomID.next()), for: "bob")
            #expect(try await store.invitation(name(made)).came.isEmpty)
            #expect(try await joining.join("bob", passwordHash: Self.hash, by: name(made)) != nil)
            let use = try #require(try await store.invitation(name(made)).came.first)
            #expect(use.joined == true)
            #expect(try await store.take(name(made), for: "bob") == 0)
            let isBack = try await store.giveBack(name(made), of: "bob", taken: use.at, ifAbandoned: false)
            #expect(!isBack)
            _ = try await stores.deletions.begin(of: "bob", after: 0, since: nil, keeping: nil)
            while try await !stores.deletions.advance("bob") {}
            try await age("alice", 130)
            #expect(try await joining.open(name(made)).left == 0)
            await expect("full") { _ = try await joining.join("carol", passwordHash: Self.hash, by: name(made)) }
            await expect("full") { _ = try await joining.join("bob", passwordHash: Self.hash, by: name(made)) }
            #expect(try await store.invitation(name(made)).left == 0)
        }
    }

    @Test("lets an inviter have no more open than an operator allows", arguments: StoresKind.servers)
    func most(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.invitations
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            var (none, many, two) = (draft(), draft(), draft())
            (none.most, many.most, two.most) = (0, 51, 2)
            for bad in [none, many] { await expect("invalid") { _ = try await store.invite(bad, by: "alice") } }
            let first = try await store.invite(draft(), by: "alice")
            let second = try await store.invite(two, by: "alice")
            two.id = RandomID.next()
            await expect("full") { _ = try await store.invite(two, by: "alice") }
            // What is used up is not open, and an operator's own command is not held to it.
            _ = try await store.take(name(first), for: "bob")
            _ = try await store.invite(two, by: "alice")
            _ = try await store.invite(draft(), by: "alice")
            #expect(try await store.invitations(of: "alice").map(\.id).contains(second.id))
        }
    }

    @Test("lets invitations end with their time, and with the inviter", arguments: StoresKind.servers)
    func ends(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            let store = stores.invitations
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let (short, long) = (draft(seconds: 60), draft(seconds: 600))
            for one in [short, long] { _ = try await store.invite(one, by: "alice") }
            try await age("alice", 61)
            let over = InvitationName(inviter: "alice", id: short.id)
            await expect("notFound") { _ = try await store.invitation(over) }
            await expect("notFound") { _ = try await store.take(over, for: "bob") }
            #expect(try await store.invitations(of: "alice").map(\.id) == [long.id])
            try await stores.sessions.removeAccount("alice")
            await expect("notFound") {
                _ = try await store.take(InvitationName(inviter: "alice", id: long.id), for: "bob")
            }
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            #expect(try await store.invitations(of: "alice").isEmpty, "whoever has the name now has invited nobody")
        }
    }

    @Test("lets a password be set once by a link", arguments: StoresKind.servers)
    func resets(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            let store = stores.resets
            let (first, second) = (RandomID.next(), RandomID.next())
            await expect("notFound") { try await store.offerReset(first, of: "alice", seconds: 60) }
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            for seconds in [59, 2_592_001] {
                await expect("invalid") { try await store.offerReset(first, of: "alice", seconds: seconds) }
            }
            await expect("invalid") { try await store.offerReset("short", of: "alice", seconds: 60) }
            await expect("invalid") { _ = try await store.isReset("short", of: "alice") }
            try await store.offerReset(first, of: "alice", seconds: 60)
            try await store.offerReset(second, of: "alice", seconds: 60)
            for (uid, id, isGood) in [("alice", second, true), ("alice", first, false), ("bob", second, false)] {
                #expect(try await store.isReset(id, of: uid) == isGood)
            }
            await expect("notFound") { _ = try await store.resetPassword(first, of: "alice", hash: "$other") }
            let session = SessionDraft(id: RandomID.next(), kind: .signIn, seconds: 60)
            let before = try await stores.sessions.begin(session, of: "alice")
            let after = try await store.resetPassword(second, of: "alice", hash: "$other")
            #expect(after > before)
            #expect(try await stores.sessions.live(of: "alice") == LiveSessions(generation: after, ids: []))
            #expect(try await stores.accounts.signInFacts(of: "alice", from: "192.0.2.1").passwordHash == "$other")
            await expect("notFound", "twice") { _ = try await store.resetPassword(second, of: "alice", hash: "$third") }
            for ending in ["time", "password", "removal"] {
                let id = RandomID.next()
                try await store.offerReset(id, of: "alice", seconds: 60)
                switch ending {
                case "time": try await age("alice", 61)
                case "password": try await stores.sessions.setPasswordHash(Self.hash, of: "alice")
                default:
                    try await stores.sessions.removeAccount("alice")
                    try await stores.sessions.enroll("alice", passwordHash: Self.hash)
                }
                #expect(try await !store.isReset(id, of: "alice"), "\(ending)")
            }
        }
    }
}
