import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

/// Each state of an account and each thing that can happen to it, in memory as in Redis.
@Suite("An account, whatever has happened to it before", .serialized)
@LoopActor
struct AccountStateTests {
    private static let hash = "$argon2id$one"

    /// What was done to the account before; each begins with none.
    enum State: String, CaseIterable {
        case nobody, fresh, used, suspended, limited, anOperator, suspendedOperator, removedWhileSuspended, madeAgain

        var events: [Event] {
            switch self {
            case .nobody: []
            case .fresh: [.enroll]
            case .used: [.enroll, .signIn, .token, .offerReset]
            case .suspended: Self.used.events + [.suspend]
            case .limited: Self.used.events + [.limit]
            case .anOperator: Self.used.events + [.giveRole]
            case .suspendedOperator: Self.used.events + [.giveRole, .suspend]
            case .removedWhileSuspended: Self.used.events + [.giveRole, .limit, .suspend, .remove]
            case .madeAgain: Self.removedWhileSuspended.events + [.enroll]
            }
        }
    }

    enum Event: String, CaseIterable {
        case enroll, signIn, token, password, offerReset, reset, remove
        case suspend, suspendElse, suspendByOperator, suspendOneself, resume, giveRole, takeRole, limit, allow
    }

    /// What an event answers: a word, or the kind of its error.
    private func take(_ event: Event, _ uid: String, _ stores: Stores) async -> String {
        let (sessions, operators) = (stores.sessions, stores.operators)
        let reset = String(repeating: "r", count: 22)
        func draft(_ kind: SessionKind) -> SessionDraft {
            SessionDraft(id: RandomID.next(), kind: kind, seconds: 3600, name: "x")
        }
        do {
            switch event {
            case .enroll: try await sessions.enroll(uid, passwordHash: Self.hash)
            case .signIn: _ = try await sessions.begin(draft(.signIn), of: uid)
            case .token: _ = try await sessions.begin(draft(.token), of: uid)
            case .password: return "\(try await sessions.setPasswordHash(Self.hash, of: uid)) ended"
            case .offerReset: try await stores.resets.offerReset(reset, of: uid, seconds: 3600)
            case .reset: _ = try await stores.resets.resetPassword(reset, of: uid, hash: Self.hash)
            case .remove: try await sessions.removeAccount(uid)
            case .suspend: return "\(try await operators.suspend(uid, for: "x", by: nil))"
            case .suspendElse: return "\(try await operators.suspend(uid, for: "", by: nil))"
            case .suspendByOperator: return "\(try await operators.suspend(uid, for: "x", by: "root"))"
            case .suspendOneself: return "\(try await operators.suspend(uid, for: "x", by: uid))"
            case .resume: return "\(try await operators.resume(uid, by: "root"))"
            case .giveRole: return "\(try await operators.setRole(.operator, of: uid))"
            case .takeRole: return "\(try await operators.setRole(nil, of: uid))"
            case .limit: return "\(try await operators.limit(uid, [.tokens: .most(1), .writes: .most(9)], by: nil))"
            case .allow: return "\(try await operators.limit(uid, [.tokens: .serverDefault], by: "root"))"
            }
            return "done"
        } catch {
            return Mirror(reflecting: error).children.first?.label ?? "\(error)"
        }
    }

    /// All that is known of the account.
    private func look(_ uid: String, _ stores: Stores) async throws -> String {
        let live = try await stores.sessions.live(of: uid)
        let summary = try await stores.operators.summaries(of: [uid]).first
        let suspension = try await stores.operators.suspension(of: uid, knowing: nil)
        let role = try await stores.operators.role(of: uid)
        let events = try await stores.sessions.events(of: uid).map { "\($0.kind) \($0.by ?? "") \($0.role ?? "")" }
        let limits = AccountLimits.Kind.allCases.map { "\(summary?.limits[$0] ?? -1)" }
        let counts = "\(live.generation != nil) \(live.ids.count) live, \(live.writesMost ?? -1) a minute"
        let facts = "\(summary?.signIns ?? -1) \(summary?.tokens ?? -1) \(summary?.made != nil) \(limits)"
        return "\(counts); \(facts); \(suspension?.reason ?? "\(suspension != nil)"); \(role as Any); \(events)"
    }

    @Test("is what both stores say it is, from each state with each event")
    func product() async throws {
        let memory = InMemoryTodoRepository().stores
        try await StoresKind.redis.with { redis in
            for state in State.allCases {
                for event in Event.allCases {
                    let uid = "\(state)-\(event)"
                    for before in state.events {
                        let answers = (await take(before, uid, memory), await take(before, uid, redis))
                        #expect(answers.0 == answers.1, "\(uid): \(before)")
                    }
                    let answers = (await take(event, uid, memory), await take(event, uid, redis))
                    #expect(answers.0 == answers.1, "\(uid)")
                    let (left, right) = (try await look(uid, memory), try await look(uid, redis))
                    #expect(left == right, "\(uid)")
                }
            }
        }
    }

    @Test("opens nothing while it is suspended, whatever happens meanwhile", arguments: [StoresKind.inMemory, .redis])
    func never(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for event in Event.allCases where ![.resume, .remove, .enroll].contains(event) {
                let uid = "suspended-\(event)"
                for before in State.suspendedOperator.events { _ = await take(before, uid, stores) }
                _ = await take(event, uid, stores)
                _ = await take(.signIn, uid, stores)
                let live = try await stores.sessions.live(of: uid).ids
                let role = try await stores.operators.role(of: uid)
                #expect(live.isEmpty && role == nil, "\(event)")
            }
        }
    }
}
