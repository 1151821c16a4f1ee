import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// A Redis with the functions, and both ways to call them.
@LoopActor
private struct Pairs {
    let repository: RedisTodoRepository
    let client: RedisClient
    var relations: RedisRelationStore { repository.relations }
    var shared: RedisSharedTodos { repository.shared }

    /// Calls a function by hand, as somebody would who dies right after.
    @discardableResult
    func call(_ name: String, _ uid: String, _ words: String...) async throws -> RedisValue {
        var command = RedisCommand("FCALL", "todomate_\(name)", "1", "todomate:{\(uid)}")
        for word in words { command.append(word) }
        return try await client.send(command)
    }

    func agree(_ one: String, _ other: String) async throws -> Bool {
        let (left, right) = (
            try await relations.relation(of: one, with: other), try await relations.relation(of: other, with: one)
        )
        return left.following == right.follower && right.following == left.follower
    }

    /// The users who have pairs that are not settled.
    func unsettled() async throws -> [String] {
        let keys = try await client.send(RedisCommand("KEYS", "todomate:*:unsettled")).array ?? []
        return keys.compactMap { $0.string?.firstMatch(of: /\{(.*)\}/).map { String($0.1) } }
    }

    /// Settles all of them.
    func settle() async throws {
        for user in try await unsettled() { try await relations.settle(user) }
    }
}

@LoopActor
private func withPairs(_ body: @escaping @LoopActor (Pairs) async throws -> Void) async throws {
    try await withRedis { server in
        let repository = RedisTodoRepository(server.url)
        let client = RedisClient(server.url)
        defer {
            repository.close()
            client.close()
        }
        try await repository.prepare()
        try await body(Pairs(repository: repository, client: client))
    }
}

@Suite("Following", .serialized)
@LoopActor
struct FollowingTests {
    @Test("is listed as JSON, made anew only once something of the user's has changed")
    func listedOnce() async throws {
        try await withPairs { pairs in
            func reads() async throws -> Int {
                let statistics = try await pairs.client.send(RedisCommand("INFO", "commandstats")).string ?? ""
                return statistics.firstMatch(of: /cmdstat_hgetall:calls=(\d+)/).flatMap { Int($0.1) } ?? 0
            }
            try await pairs.relations.set(AccountPatch(audience: .public), of: "bob")
            try await pairs.relations.set(AccountPatch(audience: .followers), of: "carol")
            #expect(try await pairs.relations.followingJSON(of: "alice") == #"{"following":[]}"#)
            _ = try await pairs.relations.follow("bob", by: "alice", at: 2)
            _ = try await pairs.relations.follow("carol", by: "alice", at: 1.5)
            let bob = #"{"uid":"bob","state":"following","position":2}"#
            func carol(_ state: String) -> String { #"{"uid":"carol","state":"\#(state)","position":1.5}"# }
            let asked = #"{"following":[\#(carol("requested")),\#(bob)]}"#
            #expect(try await pairs.relations.followingJSON(of: "alice") == asked)
            let before = try await reads()
            for _ in 0..<3 { _ = try await pairs.relations.followingJSON(of: "alice") }
            #expect(try await reads() == before)
            // What others do to the list is a change of the user's as well.
            _ = try await pairs.relations.accept("alice", by: "carol")
            let accepted = #"{"following":[\#(carol("following")),\#(bob)]}"#
            #expect(try await pairs.relations.followingJSON(of: "alice") == accepted)
            _ = try await pairs.relations.block("alice", by: "bob")
            #expect(
                try await pairs.relations.followingJSON(of: "alice") == #"{"following":[\#(carol("following"))]}"#
            )
            _ = try await pairs.relations.unfollow("carol", by: "alice")
            #expect(try await pairs.relations.followingJSON(of: "alice") == #"{"following":[]}"#)
        }
    }

    @Test("is at once, asked for, or not to be had, as the other one's audience says", arguments: Visibility.allCases)
    func audiences(_ audience: Visibility) async throws {
        try await withPairs { pairs in
            try await pairs.relations.set(AccountPatch(audience: audience), of: "bob")
            let relation = try await pairs.relations.follow("bob", by: "alice")
            let expected: FollowState =
                switch audience {
                case .public: .following
                case .followers: .requested
                case .private: .none
                }
            #expect(relation.following == expected)
            let access = try await pairs.shared.access(of: "alice", to: "bob")
            #expect(access == (audience == .public ? .followers : audience == .private ? .none : .public))
            #expect(try await pairs.agree("alice", "bob"))
            #expect(try await pairs.unsettled().isEmpty)
        }
    }

    @Test("is accepted, and ends by either, each side being told in its own log")
    func accepted() async throws {
        try await withPairs { pairs in
            _ = try await pairs.relations.set(AccountPatch(visibility: .public), of: "alice")
            let before = try await pairs.repository.latestChangeID(of: "alice")
            _ = try await pairs.relations.follow("bob", by: "alice")
            let requests = try await pairs.relations.followers(of: "bob", in: .requested, limit: 10)
            #expect(requests.followers.map(\.uid) == ["alice"] && requests.count == 1)
            let accepted = try await pairs.relations.accept("alice", by: "bob")
            #expect(accepted.follower == .following)
            #expect(try await pairs.shared.access(of: "alice", to: "bob") == .followers)
            let log = try #require(try await pairs.repository.changes(of: "alice", since: before))
            let states = log.compactMap { change -> FollowState? in
                guard case .relation(let relation)? = change.account else { return nil }
                return relation.following
            }
            #expect(states == [.pending, .requested, .following])
            #expect(log.compactMap { $0.id?.version } == [2, 3, 4])
            _ = try await pairs.relations.unfollow("bob", by: "alice")
            #expect(try await pairs.shared.access(of: "alice", to: "bob") == .public)
            _ = try await pairs.relations.follow("bob", by: "alice")
            _ = try await pairs.relations.dismiss("alice", by: "bob")
            #expect(try await pairs.relations.following(of: "alice").isEmpty)
            await #expect(throws: TodoError.notFound("alice does not ask to follow bob")) {
                _ = try await pairs.relations.accept("alice", by: "bob")
            }
        }
    }

    @Test("is ended by a block, on both sides and for both, and stays so until it is taken back")
    func blocked() async throws {
        try await withPairs { pairs in
            for user in ["alice", "bob"] { try await pairs.relations.set(AccountPatch(audience: .public), of: user) }
            _ = try await pairs.relations.follow("bob", by: "alice")
            _ = try await pairs.relations.follow("alice", by: "bob")
            let relation = try await pairs.relations.block("alice", by: "bob")
            #expect((relation.following, relation.follower, relation.blocked) == (.none, .none, true))
            #expect(try await pairs.shared.access(of: "alice", to: "bob") == .none)
            #expect(try await pairs.agree("alice", "bob"))
            #expect(try await pairs.relations.follow("bob", by: "alice").following == .none)
            await #expect(throws: TodoError.invalid("bob has blocked alice: unblock first")) {
                _ = try await pairs.relations.follow("alice", by: "bob")
            }
            _ = try await pairs.relations.unblock("alice", by: "bob")
            #expect(try await pairs.relations.follow("bob", by: "alice").following == .following)
        }
    }

    @Test(
        "is repaired, whatever died at whatever step",
        arguments: ["follow", "unfollow", "accept", "dismiss", "block"]
    )
    func dies(_ operation: String) async throws {
        try await withPairs { pairs in
            for steps in 0...4 {
                let (one, other) = ("alice\(steps)", "bob\(steps)")
                let actor = ["follow", "unfollow"].contains(operation) ? one : other
                let target = actor == one ? other : one
                if operation != "follow" { _ = try await pairs.relations.follow(other, by: one) }
                if ["unfollow", "block"].contains(operation) { _ = try await pairs.relations.accept(one, by: other) }
                try await pairs.call(operation, actor, target)
                var view = try await pairs.call("pair", actor, target).string ?? ""
                for step in 0..<steps {
                    let (side, with) = step % 2 == 0 ? (target, actor) : (actor, target)
                    view = try await pairs.call("meet", side, with, view).array?.first?.string ?? ""
                }
                // Nobody is left who knows of it.
                try await pairs.settle()
                #expect(try await pairs.agree(one, other), "\(operation), dead after \(steps) steps")
                let relation = try await pairs.relations.relation(of: one, with: other)
                let expected: FollowState =
                    operation == "follow" ? .requested : operation == "accept" ? .following : .none
                #expect(relation.following == expected, "\(operation), dead after \(steps) steps")
                #expect(try await pairs.unsettled().isEmpty)
            }
        }
    }

    @Test(
        "comes together after any order of writes, views of long ago and deaths",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func random(_ seed: UInt64) async throws {
        try await withPairs { pairs in
            var random = SeededRandom(seed: seed)
            var views: [(of: String, text: String)] = []
            for _ in 0..<120 {
                let (one, other) = Bool.random(using: &random) ? ("alice", "bob") : ("bob", "alice")
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    try await pairs.call(
                        "settings",
                        one,
                        #"{"audience":"\#(["public", "followers", "private"].randomElement(using: &random)!)"}"#
                    )
                case 1, 2: _ = try? await pairs.call("follow", one, other)
                case 3: try await pairs.call("unfollow", one, other)
                case 4: _ = try? await pairs.call("accept", one, other)
                case 5: try await pairs.call("dismiss", one, other)
                case 6: try await pairs.call(Bool.random(using: &random) ? "block" : "unblock", one, other)
                case 7: views.append((one, try await pairs.call("pair", one, other).string ?? ""))
                default:
                    guard let view = views.randomElement(using: &random) else { continue }
                    let side = view.of == "alice" ? "bob" : "alice"
                    let answer = try await pairs.call("meet", side, view.of, view.text).array?.first?.string ?? ""
                    views.append((side, answer))
                }
            }
            try await pairs.settle()
            #expect(try await pairs.agree("alice", "bob"))
            #expect(try await pairs.unsettled().isEmpty)
            for (one, other) in [("alice", "bob"), ("bob", "alice")] {
                let relation = try await pairs.relations.relation(of: one, with: other)
                if relation.blocked { #expect(relation.following == .none && relation.follower == .none) }
            }
        }
    }

    @Test(
        "stays refused, whatever whoever refused does before the other side has heard",
        arguments: ["follow", "unfollow", "block", "nothing"]
    )
    func refusalStands(_ next: String) async throws {
        try await withPairs { pairs in
            for user in ["alice", "bob"] { try await pairs.relations.set(AccountPatch(audience: .public), of: user) }
            if next == "unfollow" { _ = try await pairs.relations.follow("alice", by: "bob") }
            _ = try await pairs.relations.follow("bob", by: "alice")
            let old = try await pairs.call("pair", "alice", "bob").string ?? ""
            try await pairs.call("dismiss", "bob", "alice")
            switch next {
            case "block":
                try await pairs.call("block", "bob", "alice")
                try await pairs.call("unblock", "bob", "alice")
                try await pairs.call("follow", "bob", "alice")
            case "nothing": try await pairs.call("meet", "bob", "alice", old)
            default: try await pairs.call(next, "bob", "alice")
            }
            try await pairs.settle()
            #expect(try await pairs.relations.relation(of: "bob", with: "alice").follower == .none)
            #expect(try await pairs.agree("alice", "bob"))
        }
    }

    @Test(
        "ends at once although it was asked for while the clock was wrong",
        arguments: ["following", "requested"],
        ["unfollow", "block", "dismiss", "block by the other"]
    )
    func wrongClock(_ state: String, _ end: String) async throws {
        try await withPairs { pairs in
            // As both sides are when she asked while her clock was a year ahead.
            let asked = String(Int(Date.now.timeIntervalSince1970 * 1_000_000) + 31_536_000_000_000)
            try await pairs.client.send(
                RedisCommand("HSET", "todomate:{alice}:following", "bob", "\(state) \(asked) 1")
            )
            let grant = state == "following" ? "followers" : "requests"
            try await pairs.client.send(RedisCommand("ZADD", "todomate:{bob}:\(grant)", asked, "alice"))
            switch end {
            case "unfollow": _ = try await pairs.relations.unfollow("bob", by: "alice")
            case "block": _ = try await pairs.relations.block("bob", by: "alice")
            case "dismiss": _ = try await pairs.relations.dismiss("alice", by: "bob")
            default: _ = try await pairs.relations.block("alice", by: "bob")
            }
            for (uid, other) in [("alice", "bob"), ("bob", "alice")] {
                let relation = try await pairs.relations.relation(of: uid, with: other)
                #expect(relation.following == .none && relation.follower == .none, "\(relation)")
            }
            #expect(try await pairs.unsettled().isEmpty)
        }
    }

    @Test("is not undone by a view that is delivered minutes late")
    func lateView() async throws {
        try await withPairs { pairs in
            let view = try #require(try await pairs.call("pair", "alice", "bob").string)
            let match = try #require(view.firstMatch(of: /^(.*) (\d+)$/))
            let late = "\(match.1) \((Int(match.2) ?? 0) - 120_000_000)"
            _ = try await pairs.relations.follow("bob", by: "alice")
            _ = try await pairs.relations.accept("alice", by: "bob")
            try await pairs.call("meet", "bob", "alice", late)
            try await pairs.settle()
            #expect(try await pairs.relations.relation(of: "bob", with: "alice").follower == .following)
            #expect(try await pairs.relations.relation(of: "alice", with: "bob").following == .following)
        }
    }

    @Test("is found and repaired when one side was lost or edited by hand")
    func lost() async throws {
        try await withPairs { pairs in
            try await pairs.relations.set(AccountPatch(audience: .public), of: "bob")
            _ = try await pairs.relations.follow("bob", by: "alice")
            _ = try await pairs.relations.follow("bob", by: "carol")
            try await pairs.client.send(RedisCommand("DEL", "todomate:{bob}:followers"))
            try await pairs.client.send(RedisCommand("ZADD", "todomate:{bob}:followers", "5", "dave"))
            for follower in ["alice", "dave"] {
                #expect(try await !pairs.agree(follower, "bob"))
                try await pairs.relations.repair.settle(follower, "bob")
                #expect(try await pairs.agree(follower, "bob"))
            }
            #expect(try await pairs.relations.relation(of: "alice", with: "bob").following == .following)
            #expect(try await pairs.relations.relation(of: "dave", with: "bob").following == .none)
        }
    }

    @Test("takes any place in the order, also a very small one", arguments: ["0.00001", "1e-05", "-2.5E+3", "7"])
    func places(_ place: String) async throws {
        try await withPairs { pairs in
            _ = try await pairs.relations.follow("bob", by: "alice")
            try await pairs.call("arrange", "alice", "bob", place)
            #expect(try await pairs.relations.following(of: "alice").map(\.position) == [Double(place)])
            await #expect(throws: RedisError.self) { try await pairs.call("arrange", "alice", "bob", "0x10") }
        }
    }

    @Test("keeps one's own order, and pages the followers of many, each once")
    func lists() async throws {
        try await withPairs { pairs in
            try await pairs.relations.set(AccountPatch(audience: .public), of: "star")
            for number in 0..<25 {
                _ = try await pairs.relations.follow("star", by: "fan\(number)")
            }
            var (seen, next): ([String], String?) = ([], nil)
            repeat {
                let page = try await pairs.relations.followers(of: "star", in: .following, limit: 7, after: next)
                #expect(page.count == 25)
                seen += page.followers.map(\.uid)
                next = page.next
            } while next != nil
            #expect(seen == (0..<25).reversed().map { "fan\($0)" })
            for other in ["bob", "carol", "dave"] { _ = try await pairs.relations.follow(other, by: "alice") }
            _ = try await pairs.relations.arrange("dave", at: -0.5, by: "alice")
            #expect(try await pairs.relations.following(of: "alice").map(\.uid) == ["dave", "bob", "carol"])
        }
    }

    @Test("is refused to oneself, to no user, and beyond the bounds")
    func refused() async throws {
        try await withPairs { pairs in
            await #expect(throws: TodoError.self) { _ = try await pairs.relations.follow("alice", by: "alice") }
            for other in ["", "a b", "{x}", String(repeating: "a", count: 65), "ä"] {
                await #expect(throws: TodoError.self) { _ = try await pairs.relations.follow(other, by: "alice") }
            }
            var fill = RedisCommand("HSET", "todomate:{alice}:following")
            for number in 0..<5000 {
                fill.append("u\(number)")
                fill.append("following 1 \(number)")
            }
            try await pairs.client.send(fill)
            await #expect(throws: TodoError.full("alice follows 5000 users already: unfollow somebody first")) {
                _ = try await pairs.relations.follow("bob", by: "alice")
            }
        }
    }

    @Test("is accepted from a million, and from nobody beyond them")
    func crowd() async throws {
        try await withPairs { pairs in
            _ = try await pairs.relations.follow("bob", by: "alice")
            let fill = "for number = ARGV[1], ARGV[1] + 9999 do redis.call('ZADD', KEYS[1], number, 'u' .. number) end"
            for first in stride(from: 1, to: 1_000_000, by: 10_000) {
                let command = RedisCommand("EVAL", fill, "1", "todomate:{bob}:followers", String(first))
                try await pairs.client.send(command)
            }
            await #expect(throws: TodoError.full("bob has 1000000 followers already: remove some first")) {
                _ = try await pairs.relations.accept("alice", by: "bob")
            }
            #expect(try await pairs.shared.access(of: "alice", to: "bob") == .public)
            _ = try await pairs.relations.dismiss("u1", by: "bob")
            #expect(try await pairs.relations.accept("alice", by: "bob").follower == .following)
            // No room again: who asks now is refused at once.
            #expect(try await pairs.relations.follow("bob", by: "carol").following == FollowState.none)
            #expect(try await pairs.agree("carol", "bob"))
        }
    }
}
