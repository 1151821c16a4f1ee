import EventLoop
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// What becomes of the first wish to follow between whoever came by an invitation and whoever made it.
@Suite("A welcome", .serialized)
@LoopActor
struct InvitationWelcomeTests {
    /// What happened before the wish, once the guest's account was made.
    enum Story: CaseIterable {
        case nothing, severalUses, unwelcome, takenBack, expired, hostSuspended, hostLeaving, hostRemoved, hostPrivate
        case hostPublic, blocked, blockedOnce, unfollowed, dismissed, refused, renamed, guestRemoved, guestBlocked
    }

    /// The guest's wish to follow the host, and the host's to follow the guest, who lets that be.
    private static let table: [Story: (guest: FollowState, host: FollowState)] = [
        .nothing: (.following, .following), .severalUses: (.requested, .following),
        .unwelcome: (.requested, .following), .takenBack: (.requested, .requested),
        // As long as the invitation lasts, for both.
        .expired: (.requested, .requested),
        // Who is suspended and who leaves shows nothing to anybody new.
        .hostSuspended: (.requested, .following), .hostLeaving: (.requested, .none),
        .hostRemoved: (.requested, .requested), .hostPrivate: (.none, .following),
        .hostPublic: (.following, .following),
        .blocked: (.none, .none), .blockedOnce: (.requested, .requested),
        // A wish is answered once.
        .unfollowed: (.requested, .requested), .dismissed: (.requested, .requested), .refused: (.requested, .requested),
        // Somebody else's account, of the same name.
        .renamed: (.requested, .requested),
        // Nobody is there any more who would let anybody in.
        .guestRemoved: (.following, .requested), .guestBlocked: (.none, .none),
    ]

    private static let hash = "$argon2id$one"

    @Test("answers the first wish alone, and only while it stands", arguments: StoresKind.servers)
    func product(_ kind: StoresKind) async throws {
        try await kind.withAging { stores, age in
            for (number, story) in Story.allCases.enumerated() {
                let due = try #require(Self.table[story])
                for isGuest in [true, false] {
                    let (host, guest) = ("host-\(number)-\(isGuest)", "guest-\(number)-\(isGuest)")
                    try await begin(story, stores, age, host, guest)
                    let (follower, followed) = isGuest ? (guest, host) : (host, guest)
                    let state = try? await stores.relations.follow(followed, by: follower).following
                    #expect(
                        state ?? .none == (isGuest ? due.guest : due.host),
                        "\(story), \(isGuest ? "guest" : "host")"
                    )
                    let other = try await stores.relations.relation(of: followed, with: follower)
                    if story != .hostLeaving { #expect(other.follower == state ?? .none, "\(story): both sides") }
                }
            }
        }
    }

    private func begin(
        _ story: Story,
        _ stores: Stores,
        _ age: Aging,
        _ host: String,
        _ guest: String
    ) async throws {
        try await stores.sessions.enroll(host, passwordHash: Self.hash)
        var draft = InvitationDraft(id: RandomID.next(), uses: story == .severalUses ? 2 : 1, seconds: 60)
        draft.welcome = [.severalUses, .unwelcome].contains(story) ? nil : true
        let made = try await stores.invitations.invite(draft, by: host)
        #expect(made.welcome == draft.welcome)
        let (name, relations) = (InvitationName(inviter: host, id: made.id), stores.relations)
        let joining = AccountJoining(stores.invitations)
        #expect(try await joining.join(guest, passwordHash: Self.hash, by: name, welcoming: true) != nil)
        let (byGuest, byHost) = ((guest, host), (host, guest))
        switch story {
        case .nothing, .severalUses, .unwelcome: break
        case .takenBack: try await stores.invitations.endInvitation(name)
        case .expired: try await age(host, 61)
        case .hostSuspended: _ = try await stores.operators.suspend(host, for: "", by: nil)
        case .hostLeaving: _ = try await stores.deletions.begin(of: host, after: 3600, since: nil, keeping: nil)
        case .hostRemoved: try await stores.sessions.removeAccount(host)
        case .hostPrivate: try await relations.set(AccountPatch(audience: .private), of: host)
        case .hostPublic: try await relations.set(AccountPatch(audience: .public), of: host)
        case .blocked: _ = try await relations.block(guest, by: host)
        case .guestBlocked: _ = try await relations.block(host, by: guest)
        case .blockedOnce:
            for (one, other) in [byGuest, byHost] {
                _ = try await relations.block(other, by: one)
                _ = try await relations.unblock(other, by: one)
            }
        case .unfollowed:
            for (one, other) in [byGuest, byHost] {
                #expect(try await relations.follow(other, by: one).following == .following)
                _ = try await relations.unfollow(other, by: one)
            }
        case .dismissed:
            for (one, other) in [byGuest, byHost] {
                #expect(try await relations.follow(other, by: one).following == .following)
                _ = try await relations.dismiss(one, by: other)
            }
        case .refused:
            for (one, other) in [byGuest, byHost] {
                try await relations.set(AccountPatch(audience: .private), of: other)
                #expect(try await relations.follow(other, by: one).following == FollowState.none)
                try await relations.set(AccountPatch(audience: .followers), of: other)
            }
        case .guestRemoved: try await stores.sessions.removeAccount(guest)
        case .renamed:
            try await stores.sessions.removeAccount(guest)
            try await stores.sessions.enroll(guest, passwordHash: Self.hash)
        }
    }

    @Test("tells each side once, however often it is asked for at the same moment", arguments: StoresKind.servers)
    func once(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            var draft = InvitationDraft(id: RandomID.next(), seconds: 60)
            draft.welcome = true
            let made = try await stores.invitations.invite(draft, by: "alice")
            let name = InvitationName(inviter: "alice", id: made.id)
            _ = try await AccountJoining(stores.invitations).join("bob", passwordHash: Self.hash, by: name)
            async let first = stores.relations.follow("alice", by: "bob")
            async let second = stores.relations.follow("alice", by: "bob")
            #expect(try await [first.following, second.following].contains(.following))
            #expect(try await stores.relations.relation(of: "alice", with: "bob").follower == .following)
            let requests = try await stores.relations.followers(of: "alice", in: .requested, limit: 10, after: nil)
            #expect(requests.count == 0)
            #expect(try await stores.invitations.invitation(name).came.first?.answered == true)
        }
    }

    @Test("answers a wish of before the guest came", arguments: StoresKind.servers)
    func earlier(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            stores.relations.isForAccountsAlone = true
            #expect(try await stores.relations.follow("bob", by: "alice").following == .requested)
            #expect(try await stores.relations.follow("carol", by: "alice").following == .requested)
            let draft = InvitationDraft(id: RandomID.next(), uses: 2, seconds: 60)
            let name = InvitationName(inviter: "alice", id: try await stores.invitations.invite(draft, by: "alice").id)
            for (guest, welcomes) in [("bob", true), ("carol", false)] {
                let joining = AccountJoining(stores.invitations)
                _ = try await joining.join(guest, passwordHash: Self.hash, by: name, welcoming: welcomes)
                try await stores.relations.settleWishes(for: guest)
                let state = try await stores.relations.relation(of: "alice", with: guest).following
                #expect(state == (welcomes ? .following : .requested), "\(guest)")
            }
        }
    }

    @Test("is for one person", arguments: StoresKind.servers)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: Self.hash)
            var draft = InvitationDraft(id: RandomID.next(), uses: 2)
            draft.welcome = true
            await expect("invalid") { _ = try await stores.invitations.invite(draft, by: "alice") }
        }
    }
}
