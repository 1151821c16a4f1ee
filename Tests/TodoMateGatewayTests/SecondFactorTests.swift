import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@testable import TodoMateGateway

/// Alice's account in a state that her second factor may be in, and a worker that looks at it.
@LoopActor
private final class FactorWorld {
    static let sealing = String(repeating: "a", count: 32)
    private static let signIn = SessionDraft(id: "alice-signed-in-here-0", kind: .signIn, seconds: 3600)

    let stores: Stores
    /// The clock of the stores, ahead of the machine's by so much.
    let age: (Int) async throws -> Void
    var clock = Date()
    var secret: TimeCodeSecret?
    var codes: [RecoveryCode] = []
    private(set) var factor: SecondFactor?

    init(_ stores: Stores, age: @escaping (Int) async throws -> Void) { (self.stores, self.age) = (stores, age) }

    /// Goes on with a worker that has these secrets.
    func use(_ secret: String, _ former: [String] = []) throws {
        let signer = try #require(TokenSigner(secret: secret, formerSecrets: former))
        factor = SecondFactor(stores.factors, signer, Logger(write: { _ in })) { [unowned self] in clock }
    }

    var step: Int { TimeCodeSecret.step(at: clock) }

    func code(_ off: Int = 0) throws -> String { try #require(secret?.code(of: step + off)) }

    /// Six digits that are the code of no step around.
    func wrongCode() throws -> String {
        let near = try (-200...200).map { try code($0) }
        return try #require((0..<1000).map { String(100_000 + $0) }.first { !near.contains($0) })
    }

    func begin() async throws {
        try await stores.sessions.enroll("alice", passwordHash: "$argon2id$one")
        _ = try await stores.sessions.begin(Self.signIn, of: "alice")
        try use(Self.sealing)
    }

    /// Leaves nothing of it.
    func end() async throws {
        try await stores.sessions.removeAccount("alice")
        (secret, codes) = (nil, [])
    }

    func prepare() async throws { secret = try await factor?.prepare(for: "alice") }

    func turnOn(_ code: String) async throws {
        codes = try #require(try await factor?.turnOn(with: code, for: "alice", keeping: Self.signIn.id)).codes
    }

    /// What becomes of something that somebody shows.
    func shows(_ text: String?) async -> String {
        await outcome {
            try await self.factor?.check(text, of: "alice", from: "192.0.2.0/24") == true ? "passed" : "none"
        }
    }

    func outcome(_ body: () async throws -> String) async -> String {
        do {
            return try await body()
        } catch let problem as Problem {
            return problem.kind.rawValue
        } catch {
            return Mirror(reflecting: error).children.first?.label ?? "\(error)"
        }
    }
}

@Suite("A second factor", .serialized)
@LoopActor
struct SecondFactorTests {
    /// The states that it may be in.
    enum State: CaseIterable, Sendable {
        case none, pending, over, on
        /// Sealed with a secret of before, which the workers still have.
        case rotated
        /// Sealed with a secret that no worker has any more.
        case unreadable
        /// A code was taken while the clock was fifty minutes ahead.
        case ahead
        /// A backup of before the last code.
        case restored
    }

    /// What may come, and what becomes of it in each state, in their order.
    enum Event: CaseIterable, Sendable {
        case nothing, right, replayed, previous, next, beforeRight, twoStepsOld, twoStepsAhead, wrong, words, empty
        case spaced, recovery, recoveryTwice, recoveryWrong, prepared, confirmed, confirmedWrongly, turnedOff

        var outcomes: [String] {
            let off = ["none", "none", "none"]
            switch self {
            case .nothing:
                return off + ["second-factor", "second-factor", Self.blind, "second-factor", "second-factor"]
            case .right, .previous, .next, .spaced: return off + ["passed", "passed", Self.blind, Self.no, "passed"]
            case .replayed, .beforeRight, .twoStepsOld, .twoStepsAhead, .wrong:
                return off + [Self.no, Self.no, Self.blind, Self.no, Self.no]
            case .words, .empty, .recoveryTwice, .recoveryWrong: return off + Array(repeating: Self.no, count: 5)
            case .recovery: return off + Array(repeating: "passed", count: 5)
            case .prepared: return ["waits", "waits", "waits"] + Array(repeating: "exists", count: 5)
            case .confirmed: return ["not-found", "on", "not-found"] + Array(repeating: "not-found", count: 5)
            case .confirmedWrongly:
                return ["not-found", Self.no, "not-found"] + Array(repeating: "not-found", count: 5)
            case .turnedOff: return Array(repeating: "none", count: 8)
            }
        }

        private static let (no, blind) = ("wrong-code", "second-factor-unreadable")
    }

    @Test("is what its state says, whatever comes", arguments: [TestKind.memory, .redis, .cluster], State.allCases)
    fileprivate func table(_ kind: TestKind, _ state: State) async throws {
        // What is stored in memory cannot be put back to before.
        guard kind != .memory || state != .restored else { return }
        let index = try #require(State.allCases.firstIndex(of: state))
        try await kind.with { world, redis in
            for event in Event.allCases {
                try await Self.enter(state, world, redis)
                let outcome = try await Self.happens(event, world)
                #expect(outcome == event.outcomes[index], "\(event)")
                try await world.end()
            }
        }
    }

    @LoopActor
    private static func enter(_ state: State, _ world: FactorWorld, _ redis: (any TestRedis)?) async throws {
        try await world.begin()
        guard state != .none else { return }
        try await world.prepare()
        if state == .over { try await world.age(601) }
        guard state != .over, state != .pending else { return }
        world.clock -= 300
        try await world.turnOn(try world.code())
        world.clock += 300
        let other = String(repeating: "b", count: 32)
        switch state {
        case .rotated: try world.use(other, [FactorWorld.sealing])
        case .unreadable: try world.use(other)
        case .ahead:
            world.clock += 3000
            #expect(await world.shows(try world.code()) == "passed")
            world.clock -= 3000
        case .restored:
            #expect(await world.shows(try world.code()) == "passed")
            let earlier = String(world.step - 10)
            _ = try await redis?.cli(["HSET", "todomate:{alice}:factor", "step", earlier])
        default: break
        }
    }

    @LoopActor
    private static func happens(_ event: Event, _ world: FactorWorld) async throws -> String {
        if world.secret == nil { world.secret = TimeCodeSecret() }
        let recovery = (world.codes.first ?? RecoveryCode()).text
        switch event {
        case .nothing: return await world.shows(nil)
        case .right: return await world.shows(try world.code())
        case .replayed:
            _ = await world.shows(try world.code())
            return await world.shows(try world.code())
        case .previous: return await world.shows(try world.code(-1))
        case .next: return await world.shows(try world.code(1))
        case .beforeRight:
            _ = await world.shows(try world.code())
            return await world.shows(try world.code(-1))
        case .twoStepsOld: return await world.shows(try world.code(-2))
        case .twoStepsAhead: return await world.shows(try world.code(2))
        case .wrong: return await world.shows(try world.wrongCode())
        case .words: return await world.shows("a word")
        case .empty: return await world.shows("")
        case .spaced:
            let code = try world.code()
            return await world.shows(" \(code.prefix(3)) \(code.suffix(3))\n")
        case .recovery: return await world.shows(recovery)
        case .recoveryTwice:
            _ = await world.shows(recovery)
            return await world.shows(recovery)
        case .recoveryWrong: return await world.shows(RecoveryCode().text)
        case .prepared:
            return await world.outcome {
                try await world.prepare()
                return "waits"
            }
        case .confirmed, .confirmedWrongly:
            let code = event == .confirmed ? try world.code() : try world.wrongCode()
            return await world.outcome {
                try await world.turnOn(code)
                // What has turned it on is used up.
                return await world.shows(code) == "wrong-code" ? "on" : "open"
            }
        case .turnedOff:
            return await world.outcome {
                try await world.factor?.turnOff(for: "alice")
                return await world.shows(nil)
            }
        }
    }

    @Test("has ten wrong first codes looked at")
    func firstCodes() async throws {
        try await TestKind.memory.with { world, _ in
            try await Self.enter(.pending, world, nil)
            for code in Array(repeating: try world.wrongCode(), count: 10) + [try world.code()] {
                let outcome = await world.outcome {
                    try await world.turnOn(code)
                    return "on"
                }
                #expect(outcome == (code == (try? world.code()) ? "too-many-attempts" : "wrong-code"))
            }
        }
    }

    @Test("is sealed anew when it is used, and former secrets may go then", arguments: [TestKind.memory, .redis])
    fileprivate func rotates(_ kind: TestKind) async throws {
        try await kind.with { world, _ in
            try await Self.enter(.on, world, nil)
            let newer = String(repeating: "b", count: 32)
            try world.use(newer, [FactorWorld.sealing])
            #expect(await world.shows(try world.wrongCode()) == "wrong-code")
            #expect(await world.shows(try world.code()) == "passed")
            try world.use(newer)
            #expect(await world.shows(try world.code(1)) == "passed")
        }
    }

    @Test(
        "takes one of two codes that come at once, also while it is sealed anew",
        arguments: [TestKind.memory, .redis]
    )
    fileprivate func atOnce(_ kind: TestKind) async throws {
        try await kind.with { world, _ in
            try await Self.enter(.rotated, world, nil)
            let code = try world.code()
            let crowd = (0..<8).map { _ in Task { @LoopActor in await world.shows(code) } }
            var outcomes: [String: Int] = [:]
            for one in crowd { outcomes[await one.value, default: 0] += 1 }
            #expect(outcomes == ["passed": 1, "wrong-code": 7])
        }
    }

    @Test(
        "looks at ten wrong codes, then at no right one, and at recovery codes ever",
        arguments: [TestKind.memory, .redis]
    )
    fileprivate func guesses(_ kind: TestKind) async throws {
        try await kind.with { world, _ in
            try await Self.enter(.on, world, nil)
            for _ in 0..<10 { #expect(await world.shows(try world.wrongCode()) == "wrong-code") }
            for _ in 0..<3 { #expect(await world.shows(try world.code()) == "too-many-attempts") }
            #expect(await world.shows(world.codes[0].text) == "passed")
            // What guesses nothing is not counted.
            #expect(await world.shows("a word") == "wrong-code")
            try await world.age(3600)
            #expect(await world.shows(try world.code()) == "passed")
        }
    }
}

/// What a world under test keeps things in.
private enum TestKind: Sendable {
    case memory, redis, cluster

    @LoopActor
    func with(_ body: @escaping @LoopActor (FactorWorld, (any TestRedis)?) async throws -> Void) async throws {
        guard self != .memory else {
            let clock = StoreClock()
            let stores = InMemoryTodoRepository(now: { Date() + clock.ahead }).stores
            return try await body(FactorWorld(stores) { clock.ahead += TimeInterval($0) }, nil)
        }
        try await withRedis(on: self == .redis ? .one : .cluster) { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            let world = FactorWorld(repository.stores) { seconds in
                for field in ["until", "tries"] {
                    let key = "todomate:{alice}:factor"
                    guard let time = Int(try await server.cli(["HGET", key, field])) else { continue }
                    _ = try await server.cli(["HSET", key, field, String(time - seconds)])
                }
            }
            try await body(world, server)
        }
    }
}

@LoopActor
private final class StoreClock {
    var ahead: TimeInterval = 0
}
