import EventLoop
import Foundation
import Testing
import TodoMate

@Suite("Every store of second factors", .serialized)
@LoopActor
struct FactorContractTests {
    private static let hash = "$argon2id$one"
    private static let network = "192.0.2.0/24"

    private func draft(_ kind: SessionKind = .signIn, factor: Bool? = nil) -> SessionDraft {
        var draft = SessionDraft(id: RandomID.next(), kind: kind, seconds: 3600)
        draft.factor = factor
        return draft
    }

    /// The kind of error that something throws; nil for none.
    private func refusal(_ body: @LoopActor () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return Mirror(reflecting: error).children.first?.label
        }
    }

    /// Gives alice an account, a sign-in and a second factor.
    private func turnOn(
        _ stores: Stores,
        _ sealed: String = "sealed",
        step: Int = 100,
        codes: [String] = [RandomID.next(), RandomID.next()]
    ) async throws -> String {
        if try await stores.sessions.live(of: "alice").generation == nil {
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
        }
        let here = draft()
        _ = try await stores.sessions.begin(here, of: "alice")
        try await stores.factors.prepare(sealed, of: "alice", seconds: 600)
        _ = try await stores.factors.turnOn(sealed, of: "alice", step: step, recovery: codes, keeping: here.id)
        return here.id
    }

    private func tryCode(_ stores: Stores, _ step: Int?, _ sealed: String = "sealed") async throws -> CodeVerdict {
        try await stores.factors.tryCode(of: step, against: sealed, of: "alice", from: Self.network, renewed: nil)
    }

    @Test("leaves room for what else happened, however many codes are wrong", arguments: StoresKind.servers)
    func boundsEvents(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            _ = try await turnOn(stores)
            for _ in 0..<11 {
                for _ in 0..<10 { #expect(try await tryCode(stores, nil) == .refused) }
                try await age("alice", 10 * 3600)
            }
            let kinds = try await stores.sessions.events(of: "alice").map(\.kind)
            #expect(kinds == Array(repeating: "code-refused", count: 20) + ["factor-on", "sign-in"])
        }
    }

    @Test("turns on what waits for its first code, and ends other sign-ins alone", arguments: StoresKind.servers)
    func turnsOn(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let (factors, sessions) = (stores.factors, stores.sessions)
            #expect(try await factors.factor(of: "alice") == StoredFactor())
            let lacks = [
                await refusal { try await factors.prepare("sealed", of: "alice", seconds: 600) },
                await refusal { _ = try await factors.turnOff(of: "alice") },
                await refusal { try await factors.renewRecovery([RandomID.next()], of: "alice") },
                await refusal { _ = try await tryCode(stores, 1) },
            ]
            #expect(lacks == Array(repeating: "notFound", count: 4), "without an account")
            try await sessions.enroll("alice", passwordHash: Self.hash)
            let (here, there, token) = (draft(), draft(), draft(.token))
            for one in [here, there, token] { _ = try await sessions.begin(one, of: "alice") }
            try await factors.prepare("first", of: "alice", seconds: 60)
            try await factors.prepare("sealed", of: "alice", seconds: 3600)
            #expect(try await factors.factor(of: "alice") == StoredFactor(pending: "sealed"))
            let codes = (0..<10).map { _ in RandomID.next() }
            for (sealed, session) in [("first", here.id), ("sealed", RandomID.next())] {
                let lack = await refusal {
                    _ = try await factors.turnOn(sealed, of: "alice", step: 7, recovery: codes, keeping: session)
                }
                #expect(lack == "notFound")
            }
            #expect(try await sessions.sessions(of: "alice").count == 3, "nothing has happened")
            let ended = try await factors.turnOn("sealed", of: "alice", step: 7, recovery: codes, keeping: here.id)
            #expect(ended == [there.id])
            #expect(try await Set(sessions.sessions(of: "alice").map(\.id)) == [here.id, token.id])
            let now = try await factors.factor(of: "alice")
            #expect(now.secret == "sealed" && now.step == 7 && now.left == 10 && now.pending == nil)
            #expect(abs((now.since ?? 0) - Int(Date().timeIntervalSince1970)) < 60)
            let again = await refusal { try await factors.prepare("other", of: "alice", seconds: 600) }
            #expect(again == "exists")
            #expect(try await factors.turnOff(of: "alice"))
            #expect(try await !factors.turnOff(of: "alice"))
            #expect(try await factors.factor(of: "alice") == StoredFactor())
            let kinds = try await sessions.events(of: "alice").prefix(2)
            #expect(kinds.map(\.kind) == ["factor-off", "factor-on"] && kinds.last?.count == 1)
        }
    }

    @Test("lets what waits end by itself", arguments: StoresKind.servers)
    func pendingEnds(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            let here = draft()
            _ = try await stores.sessions.begin(here, of: "alice")
            try await stores.factors.prepare("sealed", of: "alice", seconds: 600)
            try await age("alice", 590)
            #expect(try await stores.factors.factor(of: "alice").pending == "sealed")
            try await age("alice", 11)
            #expect(try await stores.factors.factor(of: "alice") == StoredFactor())
            let lack = await refusal {
                let codes = [RandomID.next()]
                _ = try await stores.factors.turnOn("sealed", of: "alice", step: 7, recovery: codes, keeping: here.id)
            }
            #expect(lack == "notFound")
        }
    }

    @Test("takes of each step one code, of those at the same moment too", arguments: StoresKind.servers)
    func steps(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            _ = try await turnOn(stores)
            for (step, verdict) in [
                (100, CodeVerdict.refused), (99, .refused), (101, .taken), (101, .refused), (100, .refused),
                (103, .taken), (102, .refused), (nil, .refused), (0, .refused),
            ] {
                #expect(try await tryCode(stores, step) == verdict, "\(step as Int?)")
            }
            let crowd = (0..<10).map { _ in Task { try await tryCode(stores, 200) } }
            var taken = 0
            for one in crowd where try await one.value == .taken { taken += 1 }
            #expect(taken == 1)
            #expect(try await stores.factors.factor(of: "alice").step == 200)
        }
    }

    @Test("looks at ten wrong codes and one more an hour, then at no right one either", arguments: StoresKind.servers)
    func tries(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            _ = try await turnOn(stores)
            for number in 0..<10 {
                #expect(try await tryCode(stores, nil) == .refused)
                // A right one gives none of them back.
                if number == 4 { #expect(try await tryCode(stores, 101) == .taken) }
            }
            for step in [nil, 102] {
                guard case .wait(let seconds) = try await tryCode(stores, step) else {
                    Issue.record("it was looked at")
                    continue
                }
                #expect((3500...3600).contains(seconds))
            }
            #expect(try await stores.factors.factor(of: "alice").step == 101)
            try await age("alice", 3600)
            #expect(try await tryCode(stores, 102) == .taken)
            #expect(try await tryCode(stores, nil) == .refused)
            guard case .wait = try await tryCode(stores, 103) else {
                Issue.record("it was looked at")
                return
            }
            let refused = try await stores.sessions.events(of: "alice").filter { $0.kind == "code-refused" }
            #expect(refused.count == 11 && refused.allSatisfy { $0.from == Self.network })
        }
    }

    @Test("holds nobody for longer than ten hours, however the clock went", arguments: StoresKind.servers)
    func rewound(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            _ = try await turnOn(stores)
            for _ in 0..<10 { _ = try await tryCode(stores, nil) }
            // A clock that went back by ten days.
            try await age("alice", -864_000)
            guard case .wait(let seconds) = try await tryCode(stores, 101) else {
                Issue.record("it was looked at")
                return
            }
            #expect(seconds <= 3600)
        }
    }

    @Test("takes a recovery code once, and none of before others took their place", arguments: StoresKind.servers)
    func recovery(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let (factors, codes) = (stores.factors, (0..<3).map { _ in RandomID.next() })
            #expect(try await factors.useRecovery(codes[0], of: "alice", from: Self.network) == nil)
            _ = try await turnOn(stores, codes: codes)
            #expect(try await factors.useRecovery(RandomID.next(), of: "alice", from: Self.network) == nil)
            let crowd = (0..<10).map { _ in
                Task { try await factors.useRecovery(codes[1], of: "alice", from: Self.network) }
            }
            var left: [Int] = []
            for one in crowd { if let count = try await one.value { left.append(count) } }
            #expect(left == [2])
            #expect(try await factors.factor(of: "alice").left == 2)
            let others = (0..<10).map { _ in RandomID.next() }
            try await factors.renewRecovery(others, of: "alice")
            #expect(try await factors.useRecovery(codes[0], of: "alice", from: Self.network) == nil)
            for (index, code) in others.enumerated() {
                #expect(try await factors.useRecovery(code, of: "alice", from: Self.network) == 9 - index)
            }
            #expect(try await factors.factor(of: "alice").left == 0)
            let kinds = try await stores.sessions.events(of: "alice").reversed().map(\.kind)
            let used = ["recovery-used"]
            #expect(
                kinds == ["sign-in", "factor-on"] + used + ["recovery-made"] + Array(repeating: used[0], count: 10)
            )
        }
    }

    @Test("seals it anew where it is still what the code was compared with", arguments: StoresKind.servers)
    func renews(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            _ = try await turnOn(stores)
            let taken = try await stores.factors.tryCode(
                of: 101,
                against: "sealed",
                of: "alice",
                from: Self.network,
                renewed: "newly"
            )
            #expect(taken == .taken)
            #expect(try await stores.factors.factor(of: "alice").secret == "newly")
            #expect(await refusal { _ = try await tryCode(stores, 102) } == "conflict")
            let wrong = try await stores.factors.tryCode(
                of: nil,
                against: "newly",
                of: "alice",
                from: Self.network,
                renewed: "third"
            )
            #expect(wrong == .refused)
            #expect(try await stores.factors.factor(of: "alice").secret == "newly", "a wrong code changes nothing")
        }
    }

    @Test("lets no sign-in begin that has not shown it, and tokens as before", arguments: StoresKind.servers)
    func guards(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let sessions = stores.sessions
            _ = try await turnOn(stores)
            let generation = try #require(try await sessions.live(of: "alice").generation)
            for since in [generation, nil] {
                for factor in [nil, false] {
                    let lack = await refusal {
                        _ = try await sessions.begin(draft(factor: factor), of: "alice", since: since)
                    }
                    #expect(lack == "conflict")
                }
                _ = try await sessions.begin(draft(factor: true), of: "alice", since: since)
                _ = try await sessions.begin(draft(.token), of: "alice", since: since)
            }
            // Whoever changes the password has a session that showed it.
            let (other, asking) = ("$argon2id$two", draft(factor: true))
            _ = try await sessions.begin(asking, of: "alice", since: generation)
            let lack = await refusal {
                _ = try await sessions.changePassword(to: other, of: "alice", since: generation, beginning: draft())
            }
            #expect(lack == "conflict", "an older worker, which does not say who asks")
            _ = try await sessions.changePassword(
                to: other,
                of: "alice",
                since: generation,
                beginning: draft(),
                by: asking.id
            )
            #expect(try await stores.factors.factor(of: "alice").secret == "sealed", "another password leaves it on")
            try await sessions.setPasswordHash(Self.hash, of: "alice")
            #expect(try await stores.factors.factor(of: "alice").secret == "sealed")
            try await sessions.removeAccount("alice")
            #expect(try await stores.factors.factor(of: "alice") == StoredFactor(), "it is gone with the account")
            try await sessions.enroll("alice", passwordHash: Self.hash, keepingData: true)
            _ = try await sessions.begin(draft(), of: "alice")
        }
    }

    @Test("refuses what is out of bounds, and writes nothing", arguments: StoresKind.servers)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let factors = stores.factors
            let here = try await turnOn(stores)
            try await factors.turnOff(of: "alice")
            for sealed in ["", "a b", "a\"", String(repeating: "a", count: 257)] {
                let lack = await refusal { try await factors.prepare(sealed, of: "alice", seconds: 600) }
                #expect(lack == "invalid", "\(sealed)")
            }
            for seconds in [-1, 0, 59, 3601] {
                let lack = await refusal { try await factors.prepare("sealed", of: "alice", seconds: seconds) }
                #expect(lack == "invalid", "\(seconds)")
            }
            try await factors.prepare("sealed", of: "alice", seconds: 600)
            for codes in [[], ["short"], [String(repeating: " ", count: 22)], (0..<21).map { _ in RandomID.next() }] {
                let lack = await refusal {
                    _ = try await factors.turnOn("sealed", of: "alice", step: 1, recovery: codes, keeping: here)
                }
                #expect(lack == "invalid", "\(codes)")
            }
            let lack = await refusal { _ = try await factors.factor(of: "a b") }
            #expect(lack == "invalid")
            #expect(try await factors.factor(of: "alice") == StoredFactor(pending: "sealed"))
        }
    }
}
