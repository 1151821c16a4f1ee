import EventLoop
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// What comes back when a block is undone.
@Suite("A block that is undone", .serialized)
@LoopActor
struct BlockUndoTests {
    /// What happens between the block and its undoing; alice blocks bob.
    enum Meanwhile: CaseIterable {
        case nothing, plain, blockedBack, blockedBackOnce, closed, blockedAgain, left
    }

    @Test(
        "brings back both sides as they were, where each still lets it",
        arguments: StoresKind.allCases
    )
    func product(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let relations = stores.relations
            var number = 0
            for meanwhile in Meanwhile.allCases {
                // Who deletes an account is in no list of a client's.
                if meanwhile == .left, kind == .http { continue }
                for (follows, isFollowed) in [(true, true), (true, false), (false, true), (false, false)] {
                    number += 1
                    let (alice, bob) = ("alice-\(number)", "bob-\(number)")
                    for (one, other, isThere) in [(alice, bob, follows), (bob, alice, isFollowed)] where isThere {
                        _ = try await relations.follow(other, by: one, at: 7.5)
                        _ = try await relations.accept(one, by: other)
                    }
                    _ = try await relations.block(bob, by: alice)
                    try await happen(meanwhile, stores, alice, bob)
                    let after = try await relations.unblock(bob, by: alice, bringingBack: meanwhile != .plain)
                    let due = Self.due(meanwhile, follows, isFollowed)
                    let scene: Comment = "\(meanwhile), follows: \(follows), is followed: \(isFollowed)"
                    #expect([after.following, after.follower] == due, scene)
                    let other = try await relations.relation(of: bob, with: alice)
                    if meanwhile != .left { #expect([other.follower, other.following] == due, scene) }
                    #expect(!after.blocked)
                    guard meanwhile == .nothing else { continue }
                    for (one, isThere) in [(alice, follows), (bob, isFollowed)] {
                        let places = try await relations.following(of: one).map(\.position)
                        #expect(places == (isThere ? [7.5] : []), scene)
                    }
                    // It is done once: who is removed asks from then on.
                    _ = try await relations.dismiss(bob, by: alice)
                    #expect(try await relations.follow(alice, by: bob).following == .requested, scene)
                }
            }
        }
    }

    @Test("brings back no access that was refused since an earlier block", arguments: StoresKind.allCases)
    func refused(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let relations = stores.relations
            for isRefused in [true, false] {
                let (alice, bob) = ("alice-\(isRefused)", "bob-\(isRefused)")
                for (one, other) in [(alice, bob), (bob, alice)] {
                    _ = try await relations.follow(other, by: one)
                    _ = try await relations.accept(one, by: other)
                }
                _ = try await relations.block(bob, by: alice)
                _ = try await relations.unblock(bob, by: alice)
                _ = try await relations.follow(bob, by: alice)
                if isRefused {
                    _ = try await relations.dismiss(alice, by: bob)
                    _ = try await relations.follow(bob, by: alice)
                }
                _ = try await relations.block(bob, by: alice)
                let after = try await relations.unblock(bob, by: alice, bringingBack: true)
                #expect(after.following == .requested && after.follower == .none, "refused: \(isRefused)")
                let other = try await relations.relation(of: bob, with: alice)
                #expect(other.follower == .requested && other.following == .none, "refused: \(isRefused)")
            }
        }
    }

    private static func due(_ meanwhile: Meanwhile, _ follows: Bool, _ isFollowed: Bool) -> [FollowState] {
        switch meanwhile {
        case .nothing: [follows ? .following : .none, isFollowed ? .following : .none]
        case .plain, .blockedBack, .blockedAgain: [.none, .none]
        // What bob granted went with his own block, and so did his wish.
        case .blockedBackOnce: [follows ? .requested : .none, .none]
        case .closed: [.none, isFollowed ? .following : .none]
        // As of a name that nobody has.
        case .left: [follows ? .requested : .none, .none]
        }
    }

    private func happen(_ meanwhile: Meanwhile, _ stores: Stores, _ alice: String, _ bob: String) async throws {
        let relations = stores.relations
        switch meanwhile {
        case .nothing, .plain: break
        case .blockedBack: _ = try await relations.block(alice, by: bob)
        case .blockedBackOnce:
            _ = try await relations.block(alice, by: bob)
            _ = try await relations.unblock(alice, by: bob)
        case .closed: try await relations.set(AccountPatch(audience: .private), of: bob)
        case .blockedAgain:
            _ = try await relations.unblock(bob, by: alice)
            _ = try await relations.block(bob, by: alice)
        case .left:
            try await stores.sessions.enroll(bob, passwordHash: "$argon2id$one")
            _ = try await stores.deletions.begin(of: bob, after: 3600, since: nil, keeping: nil)
        }
    }
}
