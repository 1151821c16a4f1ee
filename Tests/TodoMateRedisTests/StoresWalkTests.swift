import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// One thing that somebody does, and what they are answered.
@LoopActor
private struct Step {
    /// Everybody.
    static let people = ["alice", "bob", "carol"]
    private static let today = CalendarDate("2026-11-20") ?? .earliest
    private static let emoji = ["👍", "👍\u{FE0F}", "❤️", nil]

    let name: String
    let take: @LoopActor (Stores) async throws(TodoError) -> String

    /// A step by chance; `number` makes it another one each time.
    ///
    /// - Parameter leaving: whether people may decide to delete their accounts, and to keep them.
    static func next(_ number: Int, _ random: inout SeededRandom, leaving: Bool = false) -> Step {
        let (one, other) = (people[number % 3], people[Int.random(in: 0..<3, using: &random)])
        let id = "t\(Int.random(in: 0..<4, using: &random))"
        let visibility = Visibility.allCases[Int.random(in: 0..<3, using: &random)]
        let status = TodoStatus.allCases[Int.random(in: 0..<4, using: &random)]
        let sign = emoji[Int.random(in: 0..<4, using: &random)]
        let relation = { (name: String, take: @escaping Pair) in
            Step(name: "\(one) \(name) \(other)") { stores throws(TodoError) in
                try await take(stores.relations, other, one).json
            }
        }
        switch Int.random(in: 0..<(leaving ? 19 : 15), using: &random) {
        case 0, 1:
            return relation("follows") { store, other, uid throws(TodoError) in try await store.follow(other, by: uid) }
        case 2:
            return relation("leaves") { store, other, uid throws(TodoError) in try await store.unfollow(other, by: uid)
            }
        case 3:
            return relation("accepts") { store, other, uid throws(TodoError) in try await store.accept(other, by: uid) }
        case 4:
            return relation("dismisses") { store, other, uid throws(TodoError) in
                try await store.dismiss(other, by: uid)
            }
        case 5:
            return relation("blocks") { store, other, uid throws(TodoError) in try await store.block(other, by: uid) }
        case 6:
            return relation("unblocks") { store, other, uid throws(TodoError) in try await store.unblock(other, by: uid)
            }
        case 7:
            return relation("arranges") { store, other, uid throws(TodoError) in
                try await store.arrange(other, at: Double(number), by: uid)
            }
        case 8:
            return Step(name: "\(one) is \(visibility)") { stores throws(TodoError) in
                try await stores.relations.set(AccountPatch(audience: visibility), of: one).json
            }
        case 9, 10:
            let draft = TodoDraft(id: id, date: today, content: "\(number)", visibility: visibility)
            return Step(name: "\(one) adds \(id), \(visibility)") { stores throws(TodoError) in
                text(try await stores.todos.add(draft, for: one).todo)
            }
        case 11:
            return Step(name: "\(one) turns \(id) \(status), \(visibility)") { stores throws(TodoError) in
                let patch = TodoPatch(status: status, visibility: visibility)
                return text(try await stores.todos.update(id, of: one, with: patch, expecting: nil).todo)
            }
        case 12:
            return Step(name: "\(one) removes \(id)") { stores throws(TodoError) in
                text(try await stores.todos.remove(id, of: one, expecting: nil).todo)
            }
        case 15, 16:
            return Step(name: "\(one) is about to go") { stores throws(TodoError) in
                _ = try await stores.deletions.begin(of: one, after: 3600, since: nil, keeping: nil)
                try await stores.deletions.advance(one)
                return "going"
            }
        case 17, 18:
            return Step(name: "\(one) comes back") { stores throws(TodoError) in
                try await stores.deletions.withdraw(of: one)
                try await stores.deletions.advance(one)
                return "back"
            }
        default:
            return Step(name: "\(one) reacts to \(other)'s \(id) with \(sign ?? "nothing")") {
                stores throws(TodoError) in
                text(try await stores.feeds.react(sign, to: id, of: other, by: one).todo)
            }
        }
    }

    private typealias Pair = @LoopActor (any RelationStoreType, String, String) async throws(TodoError) -> Relation

    /// A todo but for its version and times, which depend on how many steps a write takes.
    static func text(_ todo: Todo) -> String {
        let reactions = todo.reactions.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }.joined()
        return "\(todo.id) \(todo.content) \(todo.status) \(todo.visibility) \(reactions)"
    }

    func answer(_ stores: Stores) async -> String {
        do throws(TodoError) {
            return try await take(stores)
        } catch {
            // The texts may differ: one knows of Redis.
            return switch error {
            case .invalid: "invalid"
            case .exists: "exists"
            case .notFound: "not found"
            case .full: "full"
            case .leaving: "leaving"
            case .refused: "refused"
            case .reused: "reused"
            case .conflict, .gone, .unavailable, .broken: "\(error)"
            }
        }
    }

    /// All that anybody could see.
    ///
    /// - Parameter tellsSides: whether the store says which of two people hides something from whom.
    static func state(_ stores: Stores, tellsSides: Bool = true) async throws -> [String] {
        var lines: [String] = []
        for one in people {
            let profile = try await stores.relations.profile(of: one)
            lines.append(
                "\(one): \(profile.settings.audience) \(profile.counts.following) \(profile.counts.followers) \(profile.counts.requests) \(profile.counts.todos)"
            )
            for entry in try await stores.relations.following(of: one) {
                lines.append("\(one) -> \(entry.uid) \(entry.state)")
            }
            for list in FollowerList.allCases {
                let page = try await stores.relations.followers(of: one, in: list, limit: 10)
                lines.append("\(one) \(list): \(page.followers.map(\.uid)) \(page.count) \(page.next ?? "")")
            }
            let badges = try await stores.feeds.badges(of: one, on: today)
            lines.append("\(one) has \(badges.today) of \(badges.open), asked by \(badges.requests)")
            for other in people {
                let (sides, snapshot) = try await stores.shared.view(of: one, on: other)
                let seen = snapshot?.todos.map { text($0) } ?? ["nothing"]
                lines.append("\(one) sees of \(other)\(tellsSides ? " as \(sides)" : ""): \(seen)")
                let feed = try await stores.feeds.feed(of: other, for: one, since: 0, limit: 50, before: nil)
                let count = try await stores.feeds.feedCount(of: other, for: one, since: 0)
                lines.append(
                    "\(one) reads of \(other): \(feed.map { "\($0.type) \(text($0.todo.toModel()))" }) \(count)"
                )
                if one != other { lines.append(try await stores.relations.relation(of: one, with: other).json) }
            }
            for id in ["t0", "t1", "t2", "t3"] {
                let reactions = try? await stores.feeds.reactions(to: id, of: one, by: nil)
                lines.append("\(one)'s \(id): \(reactions?.map(\.json).sorted() ?? ["is not there"])")
            }
        }
        return lines
    }
}

@Suite("Stores in memory and in Redis", .serialized)
@LoopActor
struct StoresWalkTests {
    @Test(
        "answer alike, and show everybody the same, after every step of a long walk",
        arguments: [1, 2, 3] as [UInt64]
    )
    func walk(_ seed: UInt64) async throws { try await walk(seed, leaving: false) }

    @Test("do so when people decide to delete their accounts, and come back", arguments: [4, 5, 6, 7] as [UInt64])
    func departures(_ seed: UInt64) async throws { try await walk(seed, leaving: true) }

    private func walk(_ seed: UInt64, leaving: Bool) async throws {
        try await withRedis { server in
            let redis = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { redis.close() }
            try await redis.prepare()
            let memory = InMemoryTodoRepository()
            for stores in leaving ? [memory.stores, redis.stores] : [] {
                stores.relations.isForAccountsAlone = true
                for one in Step.people { try await stores.sessions.enroll(one, passwordHash: "$argon2id$x") }
            }
            var random = SeededRandom(seed: seed)
            var taken: [String] = []
            for number in 0..<200 {
                let step = Step.next(number, &random, leaving: leaving)
                taken.append(step.name)
                let (left, right) = (await step.answer(memory.stores), await step.answer(redis.stores))
                let walk = Comment("\(taken.suffix(12))")
                try #require(left == right, walk)
                let (mine, theirs) = (try await Step.state(memory.stores), try await Step.state(redis.stores))
                try #require(mine == theirs, walk)
            }
        }
    }

    @Test("answer alike over HTTP, where a server has them", arguments: [1, 2] as [UInt64])
    func overHTTP(_ seed: UInt64) async throws {
        try await withHTTPStores { http in
            let memory = InMemoryTodoRepository().stores
            var random = SeededRandom(seed: seed)
            var taken: [String] = []
            for number in 0..<50 {
                let step = Step.next(number, &random)
                taken.append(step.name)
                let (left, right) = (await step.answer(memory), await step.answer(http))
                let walk = Comment("\(taken.suffix(12))")
                try #require(left == right, walk)
                let mine = try await Step.state(memory, tellsSides: false)
                let theirs = try await Step.state(http, tellsSides: false)
                try #require(mine == theirs, walk)
            }
        }
    }
}
