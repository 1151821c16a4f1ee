import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("Every store of what operators decide", .serialized)
@LoopActor
struct OperatorContractTests {
    private static let hash = "$argon2id$one"

    private func draft(_ kind: SessionKind = .token) -> SessionDraft {
        SessionDraft(id: RandomID.next(), kind: kind, seconds: 3600, name: "a name")
    }

    @Test("puts the sessions of a suspended account to rest, and gives them back", arguments: StoresKind.servers)
    func suspends(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let (operators, sessions) = (stores.operators, stores.sessions)
            await expect("notFound") { _ = try await operators.suspend("alice", for: "", by: nil) }
            await expect("notFound") { _ = try await operators.resume("alice", by: nil) }
            try await sessions.enroll("alice", passwordHash: Self.hash)
            let generation = try await sessions.begin(draft(.signIn), of: "alice")
            _ = try await sessions.begin(draft(), of: "alice")
            let live = try await sessions.live(of: "alice")
            #expect(live.ids.count == 2)
            for isFirst in [true, false] {
                #expect(try await operators.suspend("alice", for: "too loud", by: nil) == isFirst)
                #expect(try await sessions.live(of: "alice") == LiveSessions(generation: generation, ids: []))
                for one in [draft(), draft(.signIn)] {
                    await expect("conflict") { _ = try await sessions.begin(one, of: "alice") }
                    await expect("conflict") { _ = try await sessions.begin(one, of: "alice", since: generation) }
                }
                await expect("conflict") {
                    let draft = draft(.signIn)
                    _ = try await sessions.changePassword(
                        to: Self.hash,
                        of: "alice",
                        since: generation,
                        beginning: draft
                    )
                }
            }
            let suspension = try #require(try await operators.suspension(of: "alice", knowing: nil))
            #expect(suspension.reason == "too loud" && abs(suspension.at - Int(Date().timeIntervalSince1970)) < 60)
            #expect(try await operators.suspend("alice", for: "", by: "root"))
            #expect(try await operators.suspension(of: "alice", knowing: nil)?.reason == nil)
            for isFirst in [true, false] {
                #expect(try await operators.resume("alice", by: "root") == isFirst)
                #expect(try await sessions.live(of: "alice") == live)
                #expect(try await operators.suspension(of: "alice", knowing: nil) == nil)
            }
            let events = try await sessions.events(of: "alice").prefix(3)
            #expect(events.map(\.kind) == ["resumed", "suspended", "suspended"])
            #expect(events.map(\.by) == ["root", "root", nil] && events.map(\.reason) == [nil, nil, "too loud"])
        }
    }

    @Test("tells nobody of a suspension who does not hold a session", arguments: StoresKind.servers)
    func suspensionOfHolders(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let (operators, sessions) = (stores.operators, stores.sessions)
            #expect(try await operators.suspension(of: "alice", knowing: nil) == nil)
            try await sessions.enroll("alice", passwordHash: Self.hash)
            let (held, ended) = (draft(.signIn), draft(.signIn))
            let generation = try await sessions.begin(held, of: "alice")
            _ = try await sessions.begin(ended, of: "alice")
            try await sessions.end(ended.id, of: "alice")
            try await operators.suspend("alice", for: "x", by: nil)
            #expect(try await operators.suspension(of: "alice", knowing: (held.id, generation)) != nil)
            #expect(try await operators.suspension(of: "alice", knowing: (held.id, generation + 1)) == nil)
            #expect(try await operators.suspension(of: "alice", knowing: (ended.id, generation)) == nil)
            #expect(try await operators.suspension(of: "bob", knowing: (held.id, generation)) == nil)
        }
    }

    @Test("lets no link and no invitation of a suspended account in", arguments: StoresKind.servers)
    func links(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let reset = RandomID.next()
            try await stores.resets.offerReset(reset, of: "alice", seconds: 3600)
            let made = try await stores.invitations.invite(InvitationDraft(id: RandomID.next()), by: "alice")
            let name = InvitationName(inviter: "alice", id: made.id)
            try await stores.operators.suspend("alice", for: "", by: nil)
            await expect("conflict") { _ = try await stores.resets.isReset(reset, of: "alice") }
            await expect("conflict") { _ = try await stores.resets.resetPassword(reset, of: "alice", hash: Self.hash) }
            #expect(try await stores.resets.isReset(RandomID.next(), of: "alice") == false, "a stranger learns nothing")
            await expect("notFound") { _ = try await stores.invitations.invitation(name) }
            await expect("notFound") { _ = try await stores.invitations.take(name, for: "bob") }
            try await stores.operators.resume("alice", by: nil)
            #expect(try await stores.resets.isReset(reset, of: "alice"))
            _ = try await stores.invitations.take(name, for: "bob")
        }
    }

    @Test("leaves what others see, and every write of the store itself", arguments: StoresKind.servers)
    func keepsData(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            try await stores.relations.set(AccountPatch(audience: .public), of: "alice")
            _ = try await stores.todos.add(TodoDraft(date: .earliest, content: "x", visibility: .public), for: "alice")
            _ = try await stores.relations.follow("alice", by: "bob")
            try await stores.operators.suspend("alice", for: "", by: nil)
            #expect(try await stores.shared.access(of: "bob", to: "alice") != .none)
            #expect(try await stores.relations.profile(of: "alice").counts.todos == 1)
            #expect(try await stores.sessions.setPasswordHash("$argon2id$two", of: "alice") == 0)
            #expect(
                try await stores.operators.suspension(of: "alice", knowing: nil) != nil,
                "another password ends nothing"
            )
        }
    }

    @Test("lets operators of the page suspend neither themselves nor one another", arguments: StoresKind.servers)
    func operators(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let operators = stores.operators
            await expect("notFound") { _ = try await operators.setRole(.operator, of: "alice") }
            for uid in ["alice", "bob"] { try await stores.sessions.enroll(uid, passwordHash: Self.hash) }
            #expect(try await operators.role(of: "alice") == nil)
            for isFirst in [true, false] { #expect(try await operators.setRole(.operator, of: "alice") == isFirst) }
            #expect(try await operators.role(of: "alice") == .operator)
            #expect(try await stores.relations.profile(of: "alice").role == .operator)
            await expect("conflict") { _ = try await operators.suspend("alice", for: "", by: "alice") }
            await expect("conflict") { _ = try await operators.suspend("bob", for: "", by: "bob") }
            await expect("conflict") { _ = try await operators.suspend("alice", for: "", by: "bob") }
            #expect(try await operators.suspension(of: "alice", knowing: nil) == nil)
            try await operators.suspend("alice", for: "", by: nil)
            #expect(try await operators.role(of: "alice") == nil, "a suspended operator is none")
            try await operators.resume("alice", by: nil)
            #expect(try await operators.role(of: "alice") == .operator)
            for isFirst in [true, false] { #expect(try await operators.setRole(nil, of: "alice") == isFirst) }
            #expect(try await operators.role(of: "alice") == nil)
            let kinds = try await stores.sessions.events(of: "alice").map { "\($0.kind) \($0.role ?? "")" }
            #expect(kinds == ["role-changed none", "resumed ", "suspended ", "role-changed operator"])
        }
    }

    @Test(
        "takes role and suspension away with the account, and limits from another one of the name",
        arguments: StoresKind.servers
    )
    func removal(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let operators = stores.operators
            for keeps in [true, false] {
                try await stores.sessions.enroll("alice", passwordHash: Self.hash)
                try await operators.setRole(.operator, of: "alice")
                try await operators.limit("alice", [.tokens: .most(7)], by: nil)
                try await operators.suspend("alice", for: "x", by: nil)
                try await stores.sessions.removeAccount("alice")
                #expect(try await operators.role(of: "alice") == nil)
                #expect(try await operators.suspension(of: "alice", knowing: nil) == nil)
                #expect(try await operators.summaries(of: ["alice"]).isEmpty)
                try await stores.sessions.enroll("alice", passwordHash: Self.hash, keepingData: keeps)
                let summary = try #require(try await operators.summaries(of: ["alice"]).first)
                #expect(summary.role == nil && summary.suspension == nil)
                #expect(summary.limits[.tokens] == (keeps ? 7 : nil))
                try await stores.sessions.removeAccount("alice")
            }
        }
    }

    @Test("limits todos, their bytes and tokens, at once and until it is taken back", arguments: StoresKind.servers)
    func limits(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let operators = stores.operators
            await expect("notFound") { _ = try await operators.limit("alice", [.todos: .most(1)], by: nil) }
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            func add(_ content: String = "x", id: String? = nil) async throws {
                _ = try await stores.todos.add(TodoDraft(id: id, date: .earliest, content: content), for: "alice")
            }
            try await add(id: "a")
            try await add(id: "b")
            for isNew in [true, false] {
                #expect(try await operators.limit("alice", [.todos: .most(1), .bytes: .most(2000)], by: nil) == isNew)
            }
            await expect("full") { try await add() }
            try await add(id: "a")
            try await operators.limit("alice", [.todos: .serverDefault], by: "root")
            try await add()
            let detail = TodoPatch(detail: String(repeating: "y", count: 2000))
            await expect("full") { _ = try await stores.todos.update("a", of: "alice", with: detail, expecting: nil) }
            try await operators.limit("alice", [.bytes: .most(20_000)], by: nil)
            _ = try await stores.todos.update("a", of: "alice", with: detail, expecting: nil)
            try await operators.limit("alice", [.bytes: .most(0)], by: nil)
            await expect("full") { try await add() }
            let shorter = TodoPatch(detail: "")
            _ = try await stores.todos.update("a", of: "alice", with: shorter, expecting: nil)
            try await operators.limit("alice", [.bytes: .serverDefault, .tokens: .most(1)], by: nil)
            try await add()
            _ = try await stores.sessions.begin(draft(), of: "alice")
            await expect("full") { _ = try await stores.sessions.begin(draft(), of: "alice") }
            _ = try await stores.sessions.begin(draft(.signIn), of: "alice")
            try await operators.limit("alice", [.tokens: .serverDefault, .writes: .most(90)], by: nil)
            _ = try await stores.sessions.begin(draft(), of: "alice")
            #expect(try await stores.sessions.live(of: "alice").writesMost == 90)
            #expect(try await stores.sessions.live(of: "alice").ids.count == 3)
            let summary = try #require(try await operators.summaries(of: ["alice"]).first)
            var expected = AccountLimits()
            expected[.writes] = 90
            #expect(summary.limits == expected && summary.todos == 4)
            #expect(try await stores.sessions.events(of: "alice").count { $0.kind == "limits-changed" } == 6)
        }
    }

    @Test("refuses limits, reasons and names that are none", arguments: StoresKind.servers)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let operators = stores.operators
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            for kind in AccountLimits.Kind.allCases {
                for most in [kind.range.lowerBound - 1, kind.range.upperBound + 1] {
                    await expect("invalid") { _ = try await operators.limit("alice", [kind: .most(most)], by: nil) }
                }
                for most in [kind.range.lowerBound, kind.range.upperBound] {
                    #expect(try await operators.limit("alice", [kind: .most(most)], by: nil))
                }
            }
            let long = String(repeating: "가", count: 201)
            for reason in ["a\nb", "a\u{85}b", "a\u{2028}b", "a\u{202E}b", "a\0b", long] {
                await expect("invalid") { _ = try await operators.suspend("alice", for: reason, by: nil) }
            }
            for by in ["", "a b"] {
                await expect("invalid") { _ = try await operators.suspend("alice", for: "", by: by) }
                await expect("invalid") { _ = try await operators.resume("alice", by: by) }
                await expect("invalid") { _ = try await operators.limit("alice", [:], by: by) }
            }
            #expect(try await operators.suspend("alice", for: String(long.dropLast()), by: nil))
            #expect(try await operators.suspend("alice", for: "   ", by: nil))
            #expect(try await operators.suspension(of: "alice", knowing: nil)?.reason == nil)
        }
    }

    @Test("lists all accounts, and what each has", arguments: StoresKind.servers)
    func lists(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let operators = stores.operators
            try await stores.relations.set(AccountPatch(audience: .public), of: "no-account")
            let names = (0..<40).map { "user\($0)" }
            for uid in names { try await stores.sessions.enroll(uid, passwordHash: Self.hash) }
            try await operators.suspend("user1", for: "x", by: nil)
            try await operators.setRole(.operator, of: "user2")
            let found = Found()
            try await operators.eachAccount(missing: nil) { found.add($0) }
            #expect(found.marks.keys.sorted() == names.sorted())
            #expect(found.marks.values.filter(\.isSuspended).map(\.uid) == ["user1"])
            #expect(found.marks.values.filter { $0.role == .operator }.map(\.uid) == ["user2"])
            try await stores.relations.set(AccountPatch(preferences: ["name": "Zoë \"Z\""]), of: "user3")
            _ = try await stores.todos.add(TodoDraft(date: .earliest, content: "x"), for: "user3")
            let signIn = draft(.signIn)
            _ = try await stores.sessions.begin(signIn, of: "user3")
            for _ in 0..<2 { _ = try await stores.sessions.begin(draft(), of: "user3") }
            try await stores.sessions.noteUses(of: [signIn.id], by: "user3")
            let summaries = try await operators.summaries(of: ["user3", "no-account", "user1", "nobody"])
            #expect(summaries.map(\.uid) == ["user3", "user1"])
            let summary = summaries[0]
            #expect(summary.name == "Zoë \"Z\"" && summary.todos == 1 && summary.signIns == 1 && summary.tokens == 2)
            #expect((200..<1000).contains(summary.bytes) && summary.bytesMost == TodoBounds.bytesMost)
            let now = Int(Date().timeIntervalSince1970)
            #expect(abs((summary.used ?? 0) - now) < 60 && abs((summary.made ?? 0) - now) < 60)
            #expect(summaries[1].used == nil && summaries[1].suspension?.reason == "x")
            await expect("invalid") { _ = try await operators.summaries(of: ["a b"]) }
        }
    }

    @Test("tells who is leaving, and who has a second factor", arguments: StoresKind.servers)
    func states(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            func state() async throws -> (leaving: Int?, hasFactor: Bool) {
                let summary = try #require(try await stores.operators.summaries(of: ["alice"]).first)
                return (summary.leaving, summary.hasFactor)
            }
            #expect(try await state() == (nil, false))
            let here = draft(.signIn)
            _ = try await stores.sessions.begin(here, of: "alice")
            try await stores.factors.prepare("sealed", of: "alice", seconds: 600)
            #expect(try await state() == (nil, false), "not before its first code")
            let codes = [RandomID.next()]
            _ = try await stores.factors.turnOn("sealed", of: "alice", step: 7, recovery: codes, keeping: here.id)
            #expect(try await state() == (nil, true))
            let due = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            #expect(try await state() == (due, true))
            try await stores.deletions.withdraw(of: "alice")
            _ = try await stores.factors.turnOff(of: "alice")
            #expect(try await state() == (nil, false))
        }
    }

    @LoopActor
    private final class Found {
        var marks: [String: AccountMark] = [:]
        func add(_ marks: [AccountMark]) { for mark in marks { self.marks[mark.uid] = mark } }
    }
}
