import EventLoop
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// What may become of an invitation with one use, in each state that it and its people can be in.
@Suite("An invitation in every state", .serialized)
@LoopActor
struct InvitationStateTests {
    /// What was before: the inviter is the host, the use the guest's, and somebody else comes later.
    enum State: CaseIterable {
        case open, taken, abandoned, made, joined, removed, purged, purgedUnmarked
        case expired, takenBack, hostRemoved, hostLeaving, hostSuspended, takenOfSuspended
    }

    enum Event: CaseIterable {
        case look, take, takeOther, join, joinOther, settle, giveBack, end, purge, later
    }

    /// How each event is answered, in their order, and what the invitation is then.
    private static let table: [State: String] = [
        .open: "open:open 1:taken 1:taken made:joined made:joined -:open no:open ended:gone nobody:open open:open",
        .taken:
            "used:taken 1:taken full:taken made:joined full:taken -:joined yes:open ended:gone nobody:taken open:open",
        .abandoned:
            "open:open 1:taken full:taken made:joined made:joined -:joined yes:open ended:gone nobody:taken open:open",
        .made:
            "used:taken 1:taken full:taken again:joined full:taken -:joined yes:open ended:gone purged:joined used:taken",
        .joined:
            "used:joined 0:joined full:joined again:joined full:joined -:joined no:joined ended:gone purged:joined used:joined",
        .removed:
            "used:joined 0:joined full:joined full:joined full:joined -:joined no:joined ended:gone nobody:joined used:joined",
        .purged:
            "used:joined full:joined full:joined full:joined full:joined -:joined no:joined ended:gone nobody:joined used:joined",
        .purgedUnmarked:
            "used:joined full:joined full:joined full:joined full:joined -:joined no:joined ended:gone nobody:joined used:joined",
        .expired: "none:gone none:gone none:gone none:gone none:gone -:gone no:gone ended:gone nobody:gone none:gone",
        .takenBack: "none:gone none:gone none:gone none:gone none:gone -:gone no:gone none:gone nobody:gone none:gone",
        .hostRemoved:
            "none:gone none:gone none:gone none:gone none:gone -:gone no:gone none:gone nobody:gone none:gone",
        .hostLeaving:
            "none:open none:open none:open none:open none:open -:open no:open ended:gone nobody:open none:open",
        .hostSuspended:
            "none:open none:open none:open none:open none:open -:open no:open ended:gone nobody:open none:open",
        .takenOfSuspended:
            "none:taken none:taken none:taken none:taken none:taken -:joined yes:open ended:gone nobody:taken none:taken",
    ]

    @Test("answers every event as its table says, and lets no more than one in", arguments: StoresKind.servers)
    func product(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            var number = 10
            for state in State.allCases {
                let due = try #require(Self.table[state]).split(separator: " ").map(String.init)
                #expect(due.count == Event.allCases.count)
                for (event, due) in zip(Event.allCases, due) {
                    number += 1
                    let scene = InvitationScene(stores, age, number)
                    try await scene.begin(state)
                    let answer = try await scene.play(event)
                    let after = try await scene.after(state)
                    #expect("\(answer):\(after)" == due, "\(state), \(event)")
                }
            }
        }
    }
}

/// A host, an invitation with one use, a guest and somebody else.
@LoopActor
private struct InvitationScene {
    private let (stores, age): (Stores, Aging)
    private let (host, guest, other): (String, String, String)
    private let name: InvitationName
    private var joining: AccountJoining { AccountJoining(stores.invitations) }

    init(_ stores: Stores, _ age: @escaping Aging, _ number: Int) {
        (self.stores, self.age) = (stores, age)
        (host, guest, other) = ("host-\(number)", "guest-\(number)", "other-\(number)")
        name = InvitationName(inviter: host, id: RandomID.next())
    }

    func begin(_ state: InvitationStateTests.State) async throws {
        try await stores.sessions.enroll(host, passwordHash: "$hash")
        let seconds = state == .expired ? 60 : 3600
        _ = try await stores.invitations.invite(InvitationDraft(id: name.id, seconds: seconds), by: host)
        switch state {
        case .open: break
        case .taken: _ = try await stores.invitations.take(name, for: guest)
        case .abandoned:
            _ = try await stores.invitations.take(name, for: guest)
            try await age(host, 130)
        case .made: try await make()
        case .joined: try await join()
        case .removed:
            try await join()
            try await stores.sessions.removeAccount(guest)
        case .purged:
            try await join()
            #expect(try await purge())
        case .purgedUnmarked:
            try await make()
            #expect(try await purge())
        case .expired: try await age(host, 61)
        case .takenBack: try await stores.invitations.endInvitation(name)
        case .hostRemoved: try await stores.sessions.removeAccount(host)
        case .hostLeaving: _ = try await stores.deletions.begin(of: host, after: 3600, since: nil, keeping: nil)
        case .takenOfSuspended:
            _ = try await stores.invitations.take(name, for: guest)
            _ = try await stores.operators.suspend(host, for: "", by: nil)
        case .hostSuspended: _ = try await stores.operators.suspend(host, for: "", by: nil)
        }
    }

    func play(_ event: InvitationStateTests.Event) async throws -> String {
        let store = stores.invitations
        do throws(TodoError) {
            switch event {
            case .look: return try await look()
            case .take: return try await store.take(name, for: guest) == 0 ? "0" : "1"
            case .takeOther: return try await store.take(name, for: other) == 0 ? "0" : "1"
            case .join: return try await come(guest)
            case .joinOther: return try await come(other)
            case .settle:
                try await store.settle(name, for: guest)
                return "-"
            case .giveBack:
                // An inviter who is suspended lists them all the same.
                let use = try await store.invitations(of: host).first { $0.id == name.id }?.came.first
                let isBack = try await store.giveBack(name, of: guest, taken: use?.at ?? 1, ifAbandoned: false)
                return isBack ? "yes" : "no"
            case .end:
                try await store.endInvitation(name)
                return "ended"
            case .purge: return try await purge() ? "purged" : "nobody"
            case .later:
                do { try await age(host, 130) } catch { throw .broken("\(error)") }
                return try await look()
            }
        } catch {
            switch error {
            case .notFound: return "none"
            case .full: return "full"
            default: throw error
            }
        }
    }

    /// What the invitation is, once its inviter is as before.
    func after(_ state: InvitationStateTests.State) async throws -> String {
        switch state {
        case .hostLeaving: try await stores.deletions.withdraw(of: host)
        case .hostSuspended, .takenOfSuspended: _ = try await stores.operators.resume(host, by: nil)
        default: break
        }
        do throws(TodoError) {
            let now = try await stores.invitations.invitation(name)
            return now.left == 1 ? "open" : now.came.first?.joined == true ? "joined" : "taken"
        } catch {
            guard case .notFound = error else { throw error }
            return "gone"
        }
    }

    private func look() async throws(TodoError) -> String {
        try await joining.open(name).left == 1 ? "open" : "used"
    }

    /// As the gateway does: who finds it used up gives back what nobody came by.
    private func come(_ uid: String) async throws(TodoError) -> String {
        _ = try await joining.open(name)
        return try await joining.join(uid, passwordHash: "$hash", by: name) == nil ? "again" : "made"
    }

    private func join() async throws {
        #expect(try await joining.join(guest, passwordHash: "$hash", by: name) != nil)
    }

    /// A worker ended before it could mark the use.
    private func make() async throws {
        let taken = try await stores.invitations.take(name, for: guest)
        #expect(
            try await stores.invitations.enroll(guest, passwordHash: "$hash", by: InvitationUse(name, taken: taken))
                != nil
        )
    }

    private func purge() async throws(TodoError) -> Bool {
        do throws(TodoError) {
            _ = try await stores.deletions.begin(of: guest, after: 0, since: nil, keeping: nil)
        } catch {
            guard case .notFound = error else { throw error }
            return false
        }
        while try await !stores.deletions.advance(guest) {}
        return true
    }
}
