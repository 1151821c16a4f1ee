import EventLoop
import Foundation
import Testing

@testable import TodoMate

@Suite("A feed while what holds some of its people is away")
@LoopActor
struct FeedReaderTests {
    private nonisolated static let patience = Duration.milliseconds(200)

    /// What becomes of a read of somebody.
    enum Trouble: String, CaseIterable, Sendable {
        case none, down, silent, broken
    }

    enum Whose: String, CaseIterable, Sendable {
        case nobody, one, aWholeNode, allFollowed, viewer
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var trouble: Trouble
        var whose: Whose
        var isSplit: Bool
        var testDescription: String {
            "\(whose.rawValue) \(trouble.rawValue), \(isSplit ? "on nodes" : "in one place")"
        }
    }

    private nonisolated static let rows = Trouble.allCases.flatMap { trouble in
        Whose.allCases.flatMap { whose in [true, false].map { Row(trouble: trouble, whose: whose, isSplit: $0) } }
    }

    /// Feeds of people who are each in one kind of trouble, on two nodes or in one place.
    private final class TroubledFeeds: FeedStoreType {
        private let base: any FeedStoreType
        let relations: any RelationStoreType
        var troubles: [String: Trouble] = [:]
        var nodes: [String: String] = [:]
        /// How long reads take that come to something.
        var pause = Duration.zero
        private(set) var asked: [String] = []

        init(_ stores: Stores) { (base, relations) = (stores.feeds, stores.relations) }

        func node(of owner: String) -> String? { nodes[owner] }

        private func meet(_ uid: String) async throws(TodoError) {
            asked.append(uid)
            switch troubles[uid, default: .none] {
            case .none: if pause > .zero { await LoopTimer.sleep(for: pause) }
            case .down: throw .unavailable("its node is down")
            case .broken: throw .broken("its events are no events")
            case .silent:
                await LoopTimer.sleep(for: FeedReaderTests.patience * 2)
                throw .unavailable("its node is silent")
            }
        }

        func feed(of owner: String, for viewer: String, since: Int, limit: Int, before: Int?)
            async throws(TodoError) -> [FeedItem]
        {
            try await meet(owner)
            return try await base.feed(of: owner, for: viewer, since: since, limit: limit, before: before)
        }

        func feedCount(of owner: String, for viewer: String, since: Int) async throws(TodoError) -> Int {
            try await meet(owner)
            return try await base.feedCount(of: owner, for: viewer, since: since)
        }

        func badges(of uid: String, on day: CalendarDate) async throws(TodoError) -> OwnBadges {
            try await meet(uid)
            return try await base.badges(of: uid, on: day)
        }

        func react(_ emoji: String?, to id: String, of owner: String, by person: String) async throws(TodoError)
            -> TodoWrite
        { try await base.react(emoji, to: id, of: owner, by: person) }

        func reactions(to id: String, of owner: String, by person: String?) async throws(TodoError) -> [Reaction] {
            try await base.reactions(to: id, of: owner, by: person)
        }

        func earlier(of uid: String, before day: CalendarDate) async throws(TodoError) -> EarlierTodos {
            try await base.earlier(of: uid, before: day)
        }

        func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week {
            try await base.week(of: uid, until: today)
        }
    }

    /// Runs `body` with alice, who follows these people on node a or b; each of them has added one todo.
    private func withFeeds(
        _ people: [String: String],
        isSplit: Bool = true,
        _ body: (TroubledFeeds, FeedReader) async throws -> Void
    ) async throws {
        let repository = InMemoryTodoRepository()
        let (relations, feeds) = (repository.stores.relations, TroubledFeeds(repository.stores))
        for uid in people.keys.sorted() {
            _ = try await relations.follow(uid, by: "alice")
            _ = try await relations.accept("alice", by: uid)
            let day = CalendarDate(Date(), in: .gmt)
            _ = try await repository.add(TodoDraft(id: "of-\(uid)", date: day, content: "x"), for: uid)
        }
        if isSplit { feeds.nodes = people }
        try await body(feeds, FeedReader(relations: relations, feeds: feeds, patience: Self.patience))
    }

    private func ids(_ page: FeedReader.Page) -> [String] { page.items.map { $0.todo.toModel().uid }.sorted() }

    @Test("has what can be read and says how many are missing; nothing else is kept back, or hidden", arguments: rows)
    func product(_ row: Row) async throws {
        let people = ["bob": "a", "carol": "a", "dave": "b", "eve": "b", "frank": "b"]
        let troubled: [String] =
            switch row.whose {
            case .nobody: []
            case .one: ["dave"]
            case .aWholeNode: ["bob", "carol"]
            case .allFollowed: people.keys.sorted()
            case .viewer: ["alice"]
            }
        try await withFeeds(people, isSplit: row.isSplit) { feeds, reader in
            for uid in troubled { feeds.troubles[uid] = row.trouble }
            let isAway = row.trouble == .down || row.trouble == .silent
            let isLost = row.trouble != .none && !troubled.isEmpty
            let isRefused = isLost && (row.whose == .viewer || !isAway || !row.isSplit)
            let expected = isLost ? people.keys.filter { !troubled.contains($0) }.sorted() : people.keys.sorted()
            let missing = isLost ? troubled.count : nil
            do throws(TodoError) {
                let page = try await reader.page(of: "alice", in: .gmt, limit: 50)
                #expect(!isRefused && ids(page) == expected && page.missing == missing && page.next == nil)
                #expect(page.json.contains(#""missing":"#) == (missing != nil))
            } catch {
                #expect(isRefused)
                if case .unavailable = error { #expect(isAway) } else { #expect(!isAway) }
            }
            do throws(TodoError) {
                let badges = try await reader.badges(of: "alice", in: .gmt)
                #expect(!isRefused && badges.feed == expected.count && badges.missing == missing)
                let read = try? JSONDecoder().decode(Badges.self, from: Data(badges.json.utf8))
                #expect(read == badges)
            } catch {
                #expect(isRefused)
                if case .unavailable = error { #expect(isAway) } else { #expect(!isAway) }
            }
            // What one owner did is read, or not.
            for uid in people.keys {
                let isOpen = !isLost || !troubled.contains(uid) && row.whose != .viewer
                let page = try? await reader.page(of: "alice", by: uid, since: nil, in: .gmt, limit: 50)
                #expect((page != nil) == isOpen && page?.missing == nil)
            }
        }
    }

    /// A hundred people on one node, and one on another.
    private static let crowd = Dictionary(
        uniqueKeysWithValues: (1...100).map { ("user\($0)", "a") } + [("zoe", "b")]
    )

    @Test("costs one wait for a silent node, however many it holds")
    func oneWait() async throws {
        try await withFeeds(Self.crowd) { feeds, reader in
            for (uid, node) in Self.crowd where node == "a" { feeds.troubles[uid] = .silent }
            let begun = ContinuousClock.now
            let page = try await reader.page(of: "alice", in: .gmt, limit: 50)
            #expect(ids(page) == ["zoe"] && page.missing == 100)
            #expect(feeds.asked.filter { $0.hasPrefix("user") }.count == 4)
            #expect(begun.duration(to: .now) < Self.patience * 20)
        }
    }

    @Test("is whole again at the first look once its node is back")
    func back() async throws {
        try await withFeeds(Self.crowd) { feeds, _ in
            let reader = FeedReader(relations: feeds.relations, feeds: feeds)
            for (uid, node) in Self.crowd where node == "a" { feeds.troubles[uid] = .down }
            #expect(try await reader.page(of: "alice", in: .gmt, limit: 150).missing == 100)
            feeds.troubles = [:]
            let page = try await reader.page(of: "alice", in: .gmt, limit: 150)
            #expect(page.items.count == 101 && page.missing == nil)
        }
    }

    @Test("lacks only whose slot is away, where the node answers about all others", arguments: [Trouble.down, .silent])
    func oneSlot(_ trouble: Trouble) async throws {
        try await withFeeds(Self.crowd) { feeds, reader in
            feeds.troubles["user7"] = trouble
            let badges = try await reader.badges(of: "alice", in: .gmt)
            #expect(badges.feed == 100 && badges.missing == 1)
        }
    }

    @Test("waits for as long as its people answer, also where that takes longer than for a silent one")
    func slow() async throws {
        try await withFeeds(Self.crowd) { feeds, _ in
            let patience = Duration.seconds(1)
            let reader = FeedReader(relations: feeds.relations, feeds: feeds, patience: patience)
            feeds.pause = patience / 10
            let badges = try await reader.badges(of: "alice", in: .gmt)
            #expect(badges.feed == 101 && badges.missing == nil)
        }
    }

    @Test(
        "is whole again from its beginning once somebody is back, whichever parts of a walk lacked them",
        arguments: 0..<8
    )
    func walks(_ away: Int) async throws {
        let people = ["bob": "a", "carol": "b", "dave": "a"]
        try await withFeeds(people) { feeds, reader in
            @LoopActor func walk(awayIn parts: Int) async throws -> (uids: [String], wasMissing: Bool) {
                var (uids, wasMissing, next): ([String], Bool, String?) = ([], false, nil)
                for part in 0..<3 {
                    feeds.troubles["carol"] = parts & 1 << part > 0 ? .down : Trouble.none
                    let place = next.flatMap { FeedReader.place($0) }
                    let page = try await reader.page(of: "alice", in: .gmt, limit: 1, after: place)
                    uids += ids(page)
                    wasMissing = wasMissing || page.missing != nil
                    next = page.next
                    if next == nil { break }
                }
                return (uids, wasMissing)
            }
            let whole = try await walk(awayIn: 0)
            #expect(whole.uids == ["dave", "carol", "bob"] && !whole.wasMissing)
            let lacking = try await walk(awayIn: away)
            // In order, nobody twice; whole if it does not say otherwise.
            #expect(lacking.uids == whole.uids.filter { lacking.uids.contains($0) })
            #expect(lacking.wasMissing || lacking.uids == whole.uids)
            #expect(try await walk(awayIn: 0) == whole)
        }
    }
}
