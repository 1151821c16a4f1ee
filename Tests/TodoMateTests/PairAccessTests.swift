import TestServers
import Testing

@testable import TodoMate

/// All that the two sides of a pair hold, and what they say when something of it changes.
private struct Pair: Hashable {
    var audience: Visibility
    /// What the owner's side has for the viewer.
    var follower: FollowState
    var ownerBlocks: Bool
    /// What the viewer's side has for the owner.
    var following: FollowState
    var viewerBlocks: Bool

    static let all: [Pair] = Visibility.allCases.flatMap { audience in
        [FollowState.none, .requested, .following].flatMap { follower in
            FollowState.allCases.flatMap { following in
                [(false, false), (false, true), (true, false), (true, true)].map { ownerBlocks, viewerBlocks in
                    Pair(
                        audience: audience,
                        follower: follower,
                        ownerBlocks: ownerBlocks,
                        following: following,
                        viewerBlocks: viewerBlocks
                    )
                }
            }
        }
    }

    /// The rule in the words of the article, written down once more.
    var access: Access {
        if audience == .private || ownerBlocks || viewerBlocks { return .none }
        return follower == .following && following != .none ? .followers : .public
    }

    /// As the owner's side grants it.
    var granted: Access {
        audience == .private || ownerBlocks ? .none : follower == .following ? .followers : .public
    }

    var read: PairAccess {
        PairAccess(granted: granted, stance: Stance(viewers))
    }

    var owners: Relation {
        Relation(uid: "bob", with: "alice", following: .none, follower: follower, blocked: ownerBlocks)
    }

    var viewers: Relation {
        Relation(uid: "alice", with: "bob", following: following, follower: .none, blocked: viewerBlocks)
    }

    /// What tells of a step from another pair, side by side; nil where one message cannot.
    func message(after before: Pair) -> AccountChange? {
        var (owner, viewer, audience) = (before, before, before)
        (owner.follower, owner.ownerBlocks) = (follower, ownerBlocks)
        (viewer.following, viewer.viewerBlocks) = (following, viewerBlocks)
        audience.audience = self.audience
        switch self {
        case owner: return .relation(owners)
        case viewer: return .relation(viewers)
        case audience:
            let settings = AccountSettings(uid: "bob", audience: self.audience, visibility: .followers, feedSeen: 0)
            return .settings(settings, audienceBefore: before.audience)
        default: return nil
        }
    }
}

@Suite("What a viewer may see of an owner, by both sides")
struct PairAccessTests {
    @Test("is what the owner grants, nothing to who blocks, and no more than strangers see to who does not follow")
    func table() {
        var cases = 0
        for granted in Access.allCases {
            for stance in Stance.allCases {
                let expected: Access =
                    switch (granted, stance) {
                    case (_, .blocked): .none
                    case (.own, .none), (.followers, .none): .public
                    default: granted
                    }
                #expect(PairAccess(granted: granted, stance: stance).access == expected, "\(granted), \(stance)")
                cases += 1
            }
        }
        #expect(cases == 20)
        for pair in Pair.all { #expect(pair.read.access == pair.access, "\(pair)") }
    }

    @Test("is known after any change of either side, or to be read again")
    func hears() {
        var (steps, readings) = (0, 0)
        for before in Pair.all {
            for after in Pair.all {
                guard let message = after.message(after: before) else { continue }
                var sides = before.read
                let mustRead = sides.apply(message, of: "bob", by: "alice")
                steps += 1
                if mustRead {
                    readings += 1
                } else {
                    #expect(after.access == before.access, "\(before) → \(after)")
                    #expect(sides == after.read, "\(before) → \(after)")
                }
                // What leaves the access as it is costs no reading; behind a closed door nobody knows.
                if before.granted != .none, after.access == before.access { #expect(!mustRead, "\(before) → \(after)") }
            }
        }
        #expect(steps > 1000 && readings > 100)
    }

    @Test("passes over what other people do, and what people do for themselves")
    func strangers() {
        for pair in Pair.all {
            for message in [AccountChange.relation(pair.owners), .relation(pair.viewers)] {
                for (owner, viewer) in [("bob", "carol"), ("carol", "alice"), ("alice", "alice"), ("bob", "bob")] {
                    var sides = PairAccess(granted: .followers, stance: .following)
                    let mustRead = sides.apply(message, of: owner, by: viewer)
                    #expect(!mustRead && sides == PairAccess(granted: .followers, stance: .following))
                }
            }
        }
    }

    @Test("ends where the histories do, however much of it was read before it was heard")
    func late() {
        var random = SeededRandom(seed: 20_261_120)
        for _ in 0..<2000 {
            var pairs = [Pair.all.randomElement(using: &random) ?? Pair.all[0]]
            while pairs.count < 8 {
                guard let last = pairs.last, let next = Pair.all.randomElement(using: &random) else { continue }
                if next.message(after: last) != nil { pairs.append(next) }
            }
            // Read in the middle; everything is heard after that, what was there already included.
            var sides = pairs[Int.random(in: pairs.indices, using: &random)].read
            for (index, (before, after)) in zip(pairs, pairs.dropFirst()).enumerated() {
                guard let message = after.message(after: before) else { continue }
                let known = sides.access
                if sides.apply(message, of: "bob", by: "alice") {
                    // What comes after the message may be there already.
                    sides = pairs[Int.random(in: index + 1..<pairs.count, using: &random)].read
                } else {
                    #expect(sides.access == known)
                }
            }
            #expect(sides.access == pairs[pairs.count - 1].access, "\(pairs)")
        }
    }
}
