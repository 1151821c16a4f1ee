import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store of mail addresses", .serialized)
@LoopActor
struct MailContractTests {
    private static let hash = "$argon2id$one"

    private func offer(_ stores: Stores, _ address: String, seconds: Int = 3600) async throws(TodoError) -> String {
        let id = RandomID.next()
        try await stores.mails.offer(address, by: id, to: "alice", seconds: seconds, since: nil)
        return id
    }

    private func confirmed(_ stores: Stores, _ address: String) async throws(TodoError) {
        _ = try await stores.mails.confirm(try await offer(stores, address), of: "alice")
    }

    @Test("takes an address once it is confirmed, and tells the one before", arguments: StoresKind.servers)
    func confirms(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.mails
            await expect("notFound", "no account") { _ = try await offer(stores, "a@example.org") }
            #expect(try await store.mail(of: "alice") == AccountMail())
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let first = try await offer(stores, "a@example.org")
            let waiting = try await store.mail(of: "alice")
            #expect(waiting.address == nil && waiting.pending == "a@example.org")
            #expect((waiting.until ?? 0) > Int(Date().timeIntervalSince1970) + 3500)
            await expect("notFound", "another secret") { _ = try await store.confirm(RandomID.next(), of: "alice") }
            await expect("notFound", "of somebody else") { _ = try await store.confirm(first, of: "bob") }
            let taken = try await store.confirm(first, of: "alice")
            #expect(taken.address == "a@example.org" && taken.before == nil)
            #expect(try await store.mail(of: "alice") == AccountMail(address: "a@example.org"))
            await expect("notFound", "used") { _ = try await store.confirm(first, of: "alice") }
            let second = try await offer(stores, "b@example.org")
            let third = try await offer(stores, "c@example.org")
            await expect("notFound", "changed meanwhile") { _ = try await store.confirm(second, of: "alice") }
            let changed = try await store.confirm(third, of: "alice")
            #expect(changed.address == "c@example.org" && changed.before == "a@example.org")
            let same = try await store.confirm(try await offer(stores, "c@example.org"), of: "alice")
            #expect(same.before == same.address)
            _ = try await offer(stores, "d@example.org")
            #expect(try await store.removeMail(of: "alice", since: nil) == "c@example.org")
            #expect(try await store.removeMail(of: "alice", since: nil) == nil)
            #expect(try await store.mail(of: "alice") == AccountMail())
            let events = try await stores.sessions.events(of: "alice")
            #expect(events.map(\.kind) == ["mail-removed", "mail-changed", "mail-changed"])
            #expect(events.map(\.name) == ["c@example.org", "c@example.org", "a@example.org"])
        }
    }

    @Test("forgets what waits once its time is over", arguments: StoresKind.servers)
    func ages(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            try await confirmed(stores, "a@example.org")
            let id = try await offer(stores, "b@example.org", seconds: 60)
            let reset = RandomID.next()
            #expect(try await stores.mails.offerReset(reset, of: "alice", seconds: 60) == "a@example.org")
            #expect(try await stores.resets.isReset(reset, of: "alice"))
            try await age("alice", 61)
            #expect(try await stores.mails.mail(of: "alice") == AccountMail(address: "a@example.org"))
            await expect("notFound") { _ = try await stores.mails.confirm(id, of: "alice") }
            #expect(try await stores.resets.isReset(reset, of: "alice") == false)
        }
    }

    @Test("refuses what is no address, and what is out of bounds", arguments: StoresKind.servers)
    func bounds(_ kind: StoresKind) async throws {
        let long = String(repeating: "a", count: 64)
        let label = String(repeating: "b", count: 63)
        let good = [
            "a@b", "alice@example.org", "a.b+c-d_e@x-1.example", "!#$%&'*+/=?^_`{|}~-@example.org",
            "\(long)@\(label).org",
        ]
        let bad = [
            "", "alice", "@example.org", "alice@", "a@b@c", "a b@example.org", "a@exa mple.org", "a@example..org",
            "a@.org",
            "a@org.", ".a@example.org", "a.@example.org", "a..b@example.org", "a@-b.org", "a@b-.org",
            "a\r\nBcc: x@example.org",
            "a@example.org\r\nRCPT TO:<b@example.org>", "a@example.org\n", "<a@example.org>", "\"a\"@example.org",
            "a@[127.0.0.1]", "알@example.org", "a@예.한국", "a@example.org\0", "a,b@example.org",
            "a@example.org,b@example.org",
            "\(long)a@example.org", "a@\(label)b.org", "a@" + [label, label, label, label].joined(separator: "."),
        ]
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            for address in good {
                _ = try await offer(stores, address)
                #expect(try await stores.mails.mail(of: "alice").pending == address)
            }
            for address in bad {
                await expect("invalid", "\(address)") { _ = try await offer(stores, address) }
                #expect(!MailAddressRule.isAddress(address))
            }
            #expect(try await stores.mails.mail(of: "alice").pending == good.last)
            for seconds in [59, 2_592_001] {
                await expect("invalid") { _ = try await offer(stores, "a@b", seconds: seconds) }
                await expect("invalid") {
                    _ = try await stores.mails.offerReset(RandomID.next(), of: "alice", seconds: seconds)
                }
            }
            for id in ["", "short", String(repeating: "a", count: 23)] {
                await expect("invalid") { _ = try await stores.mails.confirm(id, of: "alice") }
                await expect("invalid") { _ = try await stores.mails.offerReset(id, of: "alice", seconds: 60) }
            }
        }
    }

    @Test("offers a mailed link where it can be sent, beside the operator's", arguments: StoresKind.servers)
    func resets(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let (mailed, other, operators) = (RandomID.next(), RandomID.next(), RandomID.next())
            func ask(_ id: String) async throws(TodoError) -> String? {
                try await stores.mails.offerReset(id, of: "alice", seconds: 3600)
            }
            #expect(try await ask(mailed) == nil, "no account")
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            #expect(try await ask(mailed) == nil, "no address")
            _ = try await offer(stores, "a@example.org")
            #expect(try await ask(mailed) == nil, "not confirmed")
            #expect(try await stores.resets.isReset(mailed, of: "alice") == false)
            try await confirmed(stores, "a@example.org")
            try await stores.resets.offerReset(operators, of: "alice", seconds: 3600)
            #expect(try await ask(mailed) == "a@example.org")
            #expect(try await ask(other) == "a@example.org")
            #expect(try await stores.resets.isReset(mailed, of: "alice") == false, "the latest alone")
            for id in [other, operators] { #expect(try await stores.resets.isReset(id, of: "alice")) }
            try await confirmed(stores, "a@example.org")
            #expect(try await stores.resets.isReset(other, of: "alice"), "the same address")
            try await confirmed(stores, "b@example.org")
            #expect(try await stores.resets.isReset(other, of: "alice") == false, "another address")
            #expect(try await ask(mailed) == "b@example.org")
            _ = try await stores.mails.removeMail(of: "alice", since: nil)
            #expect(try await stores.resets.isReset(mailed, of: "alice") == false, "no address")
            #expect(try await stores.resets.isReset(operators, of: "alice"))
            try await confirmed(stores, "b@example.org")
            #expect(try await ask(mailed) == "b@example.org")
            _ = try await stores.resets.resetPassword(mailed, of: "alice", hash: Self.hash)
            for id in [mailed, operators] { #expect(try await stores.resets.isReset(id, of: "alice") == false) }
            #expect(try await ask(mailed) == "b@example.org")
            _ = try await stores.sessions.setPasswordHash(Self.hash, of: "alice")
            #expect(try await stores.resets.isReset(mailed, of: "alice") == false, "another password")
        }
    }

    @Test("does nothing for who is suspended, has changed, is to be deleted or gone", arguments: StoresKind.servers)
    func states(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.mails
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let generation = try #require(await stores.sessions.live(of: "alice").generation)
            await expect("conflict", "another generation") {
                try await store.offer("a@b", by: RandomID.next(), to: "alice", seconds: 60, since: generation - 1)
            }
            await expect("conflict") { _ = try await store.removeMail(of: "alice", since: generation - 1) }
            try await store.offer("a@b", by: RandomID.next(), to: "alice", seconds: 60, since: generation)
            try await confirmed(stores, "a@example.org")
            let id = try await offer(stores, "b@example.org")
            _ = try await stores.operators.suspend("alice", for: "", by: nil)
            await expect("conflict") { _ = try await offer(stores, "c@example.org") }
            await expect("conflict") { _ = try await store.confirm(id, of: "alice") }
            #expect(try await store.offerReset(RandomID.next(), of: "alice", seconds: 60) == nil)
            _ = try await stores.operators.resume("alice", by: nil)
            _ = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            await expect("leaving") { _ = try await offer(stores, "c@example.org") }
            await expect("leaving") { _ = try await store.confirm(id, of: "alice") }
            // Whoever has forgotten the password may still keep the account.
            #expect(try await store.offerReset(RandomID.next(), of: "alice", seconds: 60) == "a@example.org")
            try await stores.deletions.withdraw(of: "alice")
            try await stores.sessions.removeAccount("alice")
            #expect(try await store.mail(of: "alice") == AccountMail())
            try await stores.sessions.enroll("alice", passwordHash: Self.hash, keepingData: true)
            #expect(try await store.mail(of: "alice") == AccountMail(), "nothing is somebody else's")
            await expect("notFound") { _ = try await store.confirm(id, of: "alice") }
        }
    }

    @Test("gives the address to its owner's archive, and to nobody who looks", arguments: StoresKind.servers)
    func archives(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            try await confirmed(stores, "a@example.org")
            _ = try await offer(stores, "waiting@example.org")
            _ = try await stores.relations.set(AccountPatch(audience: .public), of: "alice")
            var text = ""
            try await stores.archives.read(of: "alice") { bytes in
                text += String(decoding: bytes, as: UTF8.self)
                return true
            }
            #expect(text.contains(#""mail":"a@example.org""#) && !text.contains("waiting"))
            let person = try await stores.relations.person("alice", asKnownTo: "bob")
            let profile = try await stores.relations.profile(of: "alice").json
            #expect(!"\(person)\(profile)".contains("example.org"))
        }
    }

    @Test(
        "counts by each budget, takes one of all or of none, says when there is one again, and gives back",
        arguments: StoresKind.servers
    )
    func budgets(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for kind in ExactBudget.Kind.allCases {
                let budget = ExactBudget(kind, "2001:db8::/64")
                for _ in 0..<kind.most { #expect(try await stores.mails.take([budget]) == nil) }
                let wait = try #require(try await stores.mails.take([budget]))
                #expect((kind.seconds - 60...kind.seconds).contains(wait), "\(kind)")
                #expect(try await stores.mails.take([ExactBudget(kind, "other")]) == nil)
                // One that is there is not spent where another one is missing.
                let last = ExactBudget(kind == .account ? .client : .account, "last of \(kind.rawValue)")
                for _ in 0..<10 { #expect(try await stores.mails.take([last, budget]) != nil) }
                for _ in 0..<last.kind.most { #expect(try await stores.mails.take([last]) == nil) }
                #expect(try await stores.mails.take([last]) != nil)
                try await stores.mails.giveBack([last, ExactBudget(kind, "nobody's")])
                for isThere in [true, false] {
                    #expect((try await stores.mails.take([last]) == nil) == isThere, "given back once")
                }
            }
        }
    }
}
