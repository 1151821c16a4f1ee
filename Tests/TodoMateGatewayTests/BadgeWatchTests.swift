import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing

@testable import TodoMate
@testable import TodoMateGateway

@Suite("The badges of an open board")
@LoopActor
struct BadgeWatchTests {
    /// All that a watch told, and the clock that it goes by.
    private final class Screen {
        var time: Date
        var badges: [Badges] = []

        init(_ time: Date) { self.time = time }
    }

    private let log = Logger(write: { _ in })

    /// Runs `body` with what boards are made of, at a time of its choice, and with a gate before what they read.
    private func withContext(
        at time: Date,
        _ body: (StoreGate, InMemoryTodoRepository, StreamContext, Screen) async throws -> Void
    ) async throws {
        let repository = InMemoryTodoRepository()
        let service = DIContainer(repository: repository).todoRealtimeService
        let (screen, gate) = (Screen(time), StoreGate())
        let sharing = SharingService(repository.stores.behind(gate), service, log, now: { screen.time })
        try await body(gate, repository, StreamContext(sharing, OpenStreams()), screen)
    }

    /// Runs `body` with the badges of alice, to be opened.
    private func withBadges(
        at time: Date = Date(),
        in zone: TimeZone = .gmt,
        _ body: (StoreGate, InMemoryTodoRepository, BadgeWatch, Screen) async throws -> Void
    ) async throws {
        try await withContext(at: time) { gate, repository, context, screen in
            let watch = BadgeWatch("alice", zone: zone, from: context.sharing) { screen.badges.append($0) }
            defer { watch.close() }
            try await body(gate, repository, watch, screen)
        }
    }

    private func add(_ repository: InMemoryTodoRepository, _ uid: String, _ date: String) async throws {
        let day = try #require(CalendarDate(date))
        _ = try await repository.add(TodoDraft(date: day, content: "x"), for: uid)
    }

    @Test("are those of another day as soon as it has begun", arguments: ["by the clock", "by a change"])
    func midnight(_ way: String) async throws {
        let evening = try Date("2026-11-20T23:59:59Z", strategy: .iso8601)
        try await withBadges(at: evening) { _, repository, watch, screen in
            for date in ["2026-11-20", "2026-11-20", "2026-11-21"] { try await add(repository, "alice", date) }
            watch.open()
            try await eventually("the evening's") { screen.badges.last == Badges(today: 2, more: 1) }
            screen.time = evening + 2
            if way == "by a change" {
                try await add(repository, "alice", "2026-11-22")
            } else {
                watch.turnDay()
            }
            try await eventually("the morning's") { screen.badges.count > 1 }
            #expect(screen.badges.last == Badges(today: 3, more: way == "by a change" ? 1 : 0))
        }
    }

    @Test(
        "turn at the moment at which a day ends, and back when the clock is set back",
        arguments: [
            ("GMT", "2026-11-20", "2026-11-21", "2026-11-21T00:00:00Z"),
            // Midnight is skipped; so is a day.
            ("America/Sao_Paulo", "2018-11-03", "2018-11-04", "2018-11-04T03:00:00Z"),
            ("Pacific/Apia", "2011-12-29", "2011-12-31", "2011-12-30T10:00:00Z"),
        ]
    )
    func moment(_ name: String, _ before: String, _ after: String, _ midnight: String) async throws {
        let zone = try #require(TimeZone(identifier: name))
        let midnight = try Date(midnight, strategy: .iso8601)
        try await withBadges(at: midnight - 3600, in: zone) { _, repository, watch, screen in
            for date in [before, before, after] { try await add(repository, "alice", date) }
            watch.open()
            try await eventually("the evening's") { screen.badges == [Badges(today: 2, more: 1)] }
            screen.time = midnight - 1
            watch.turnDay()
            screen.time = midnight
            watch.turnDay()
            try await eventually("the morning's") { screen.badges.count > 1 }
            screen.time = midnight - 1
            watch.turnDay()
            try await eventually("the evening's again") { screen.badges.count > 2 }
            screen.time = midnight + 40 * 86_400
            watch.turnDay()
            try await eventually("another month's") { screen.badges.count > 3 }
            #expect(screen.badges.map(\.today) == [2, 3, 2, 3])
        }
    }

    @Test("turn on an open stream without any other sign of life")
    func stream() async throws {
        let midnight = try Date("2018-11-04T03:00:00Z", strategy: .iso8601)
        try await withContext(at: midnight - 1) { _, repository, context, screen in
            for date in ["2018-11-03", "2018-11-03", "2018-11-04"] { try await add(repository, "alice", date) }
            var configuration = GatewayConfiguration()
            configuration.heartbeat = .seconds(3600)
            let authenticator = Authenticator(signer: nil, allowedOrigins: [])
            let routes = StreamRoutes(context, authenticator, configuration, Metrics(log), log)
            defer { routes.stop() }
            let router = HTTPRouter()
            routes.add(to: router)
            let server = HTTPServer(router)
            defer { server.close() }
            let reader = try RawConnection(port: try server.listen(host: "127.0.0.1", port: 0))
            defer { reader.close() }
            let target = "/v1/changes?users=alice&viewer=alice&zone=America/Sao_Paulo"
            reader.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await eventually("the evening's") { reader.text.contains(#""today":2,"feed":0,"requests":0,"more":1"#) }
            screen.time = midnight
            try await eventually("the morning's") { reader.text.contains(#""today":3,"feed":0,"requests":0,"more":0"#) }
        }
    }

    @Test("are whole when they show first, and do not climb from nothing")
    func first() async throws {
        try await withBadges { gate, repository, watch, screen in
            let (today, relations) = (CalendarDate(screen.time, in: .gmt).description, repository.stores.relations)
            for owner in ["bob", "carol", "dave"] {
                _ = try await relations.follow(owner, by: "alice")
                _ = try await relations.accept("alice", by: owner)
                for _ in 1...3 { try await add(repository, owner, today) }
            }
            gate.isHeld = true
            watch.open()
            watch.schedule()
            // Longer than the numbers are waited for: they are asked for while nothing has been read yet.
            await LoopTimer.sleep(for: .milliseconds(600))
            #expect(screen.badges.isEmpty)
            gate.isHeld = false
            try await eventually("they show") { !screen.badges.isEmpty }
            #expect(screen.badges.first == Badges(feed: 9))
        }
    }

    @Test(
        "come without those whose node is away, say how many they are, and are whole once they are back",
        arguments: ["not read", "silent"],
        ["before", "afterwards"]
    )
    func missing(_ way: String, _ moment: String) async throws {
        try await withBadges { gate, repository, watch, screen in
            let (today, relations) = (CalendarDate(screen.time, in: .gmt).description, repository.stores.relations)
            for owner in ["bob", "carol"] {
                _ = try await relations.follow(owner, by: "alice")
                _ = try await relations.accept("alice", by: owner)
                try await add(repository, owner, today)
            }
            @LoopActor func turn(isAway: Bool) {
                if way == "silent" {
                    watch.hear(isAway ? Silence(of: ["a node"]) { $0 == "bob" } : nil)
                } else {
                    gate.away = isAway ? ["bob"] : []
                    // As after a connection that was lost.
                    if watch.isOpen { watch.todosReset(for: "alice") }
                }
            }
            if moment == "before" { turn(isAway: true) }
            watch.open()
            if moment == "afterwards" {
                try await eventually("all show") { screen.badges == [Badges(feed: 2)] }
                turn(isAway: true)
            }
            try await eventually("somebody is missing") { screen.badges.last?.missing == 1 }
            // Of whom they know something they go on telling it.
            let isKnown = moment == "afterwards" || way == "silent"
            try await eventually("the others count") { screen.badges.last?.feed == (isKnown ? 2 : 1) }
            turn(isAway: false)
            try await eventually("all show again") { screen.badges.last == Badges(feed: 2) }
        }
    }

    @Test("read an owner once at a time, however much is written meanwhile")
    func slowRead() async throws {
        try await withBadges { gate, repository, watch, screen in
            let (today, relations) = (CalendarDate(screen.time, in: .gmt).description, repository.stores.relations)
            _ = try await relations.follow("bob", by: "alice")
            _ = try await relations.accept("alice", by: "bob")
            watch.open()
            try await eventually("they show") { screen.badges.last == Badges() }
            gate.isHeld = true
            for _ in 1...4 {
                // What is removed and comes again under its id has to be read.
                _ = try await repository.add(
                    TodoDraft(id: "t", date: #require(CalendarDate(today)), content: "x"),
                    for: "bob"
                )
                _ = try await repository.update("t", of: "bob", with: TodoPatch(visibility: .private), expecting: nil)
                _ = try await repository.update("t", of: "bob", with: TodoPatch(visibility: .followers), expecting: nil)
                _ = try await repository.remove("t", of: "bob", expecting: nil)
                // Longer than the pause before a read.
                await LoopTimer.sleep(for: .milliseconds(150))
            }
            try await add(repository, "bob", today)
            #expect(gate.feeds.now == 1 && gate.feeds.most == 1)
            gate.isHeld = false
            try await eventually("the end is right") { screen.badges.last == Badges(feed: 1) }
            #expect(gate.feeds.most == 1)
        }
    }

    /// What one of two may do, alice being the one whose badges are looked at.
    enum Step: CaseIterable, Sendable {
        case follow, unfollow, block, unblock
        case accept, dismiss, blockHer, unblockHer, followHer, unfollowHer, close, openUp

        func take(_ relations: any RelationStoreType, alice: String, bob: String) async {
            // What is refused, such as to accept who does not ask, is a step as well.
            do throws(TodoError) {
                switch self {
                case .follow: _ = try await relations.follow(bob, by: alice)
                case .unfollow: _ = try await relations.unfollow(bob, by: alice)
                case .block: _ = try await relations.block(bob, by: alice)
                case .unblock: _ = try await relations.unblock(bob, by: alice)
                case .accept: _ = try await relations.accept(alice, by: bob)
                case .dismiss: _ = try await relations.dismiss(alice, by: bob)
                case .blockHer: _ = try await relations.block(alice, by: bob)
                case .unblockHer: _ = try await relations.unblock(alice, by: bob)
                case .followHer: _ = try await relations.follow(alice, by: bob)
                case .unfollowHer: _ = try await relations.unfollow(alice, by: bob)
                case .close: try await relations.set(AccountPatch(audience: .private), of: bob)
                case .openUp: try await relations.set(AccountPatch(audience: .public), of: bob)
                }
            } catch {}
        }
    }

    private static let states: [[Step]] = [
        [], [.follow], [.follow, .accept], [.follow, .accept, .dismiss], [.follow, .accept, .close],
        [.follow, .accept, .followHer], [.followHer], [.block], [.blockHer], [.openUp, .follow],
    ]

    @Test("end right whatever the two were to each other and then did", arguments: ["while it opens", "afterwards"])
    func pairs(_ moment: String) async throws {
        try await withContext(at: Date()) { _, repository, context, _ in
            let relations = repository.stores.relations
            let reader = FeedReader(relations: relations, feeds: repository.stores.feeds)
            let today = CalendarDate(Date(), in: .gmt).description
            var pairs: [(alice: String, bob: String, screen: Screen, watch: BadgeWatch, steps: [Step])] = []
            for (index, (state, number)) in Self.states.indices.flatMap({ index in
                Step.allCases.indices.map { (index, $0) }
            }).enumerated() {
                let (alice, bob, screen) = ("alice\(index)", "bob\(index)", Screen(Date()))
                try await add(repository, bob, today)
                for step in Self.states[state] { await step.take(relations, alice: alice, bob: bob) }
                let watch = BadgeWatch(alice, zone: .gmt, from: context.sharing) { screen.badges.append($0) }
                // One step, and another one right after it.
                let steps = [Step.allCases[number], Step.allCases[(number + state) % Step.allCases.count]]
                pairs.append((alice, bob, screen, watch, steps))
            }
            defer { for pair in pairs { pair.watch.close() } }
            func check() async throws {
                for pair in pairs {
                    try await eventually("\(pair.alice) after \(pair.steps)") {
                        try await reader.badges(of: pair.alice, in: .gmt) == pair.screen.badges.last
                    }
                }
            }
            for pair in pairs { pair.watch.open() }
            if moment == "afterwards" { try await check() }
            for pair in pairs {
                for step in pair.steps {
                    await step.take(relations, alice: pair.alice, bob: pair.bob)
                    await LoopActor.giveWay()
                }
            }
            try await check()
            // What is still to come would show with the next change at the latest.
            for pair in pairs { try await add(repository, pair.alice, today) }
            try await check()
        }
    }

    @Test("take over what is told while whom one follows is read, though it was read before")
    func toldMeanwhile() async throws {
        try await withBadges { gate, repository, watch, screen in
            try await add(repository, "bob", CalendarDate(screen.time, in: .gmt).description)
            try await repository.stores.relations.set(AccountPatch(audience: .public, visibility: .public), of: "bob")
            let day = try #require(CalendarDate(CalendarDate(screen.time, in: .gmt).description))
            _ = try await repository.add(TodoDraft(date: day, content: "for all", visibility: .public), for: "bob")
            watch.open()
            try await eventually("they show") { screen.badges.last == Badges() }
            gate.isHeld = true
            watch.todosReset(for: "alice")
            try await eventually("it is read") { watch.isReadingFollowing }
            // The store does not know of it: what is being read was there before it.
            let relation = Relation(uid: "alice", with: "bob", following: .following, follower: .none, blocked: false)
            let message = #"{"id":"1-1763677123456789","type":"relation","relation":\#(relation.json)}"#
            watch.accountChanged(try TodoChange(message: Array(message.utf8), uid: "alice"))
            gate.isHeld = false
            try await eventually("what a stranger sees of bob counts") { screen.badges.last == Badges(feed: 1) }
        }
    }

    @Test(
        "ask no more than a few times for two hundred changes in a row",
        arguments: ["a stranger", "somebody followed", "the viewer"]
    )
    func burst(_ who: String) async throws {
        try await withContext(at: Date()) { gate, repository, context, screen in
            let relations = repository.stores.relations
            try await add(repository, "bob", CalendarDate(screen.time, in: .gmt).description)
            try await relations.set(AccountPatch(audience: .public), of: "bob")
            _ = try await relations.follow("bob", by: "alice")
            let pair =
                switch who {
                case "the viewer": ("alice", "carol")
                case "somebody followed": ("bob", "alice")
                default: ("mallory", "alice")
                }
            let watch = BadgeWatch("alice", zone: .gmt, from: context.sharing) { screen.badges.append($0) }
            defer { watch.close() }
            watch.open()
            try await eventually("they show") { screen.badges.last == Badges(feed: 1) }
            let (start, before) = (ContinuousClock.now, gate.reads)
            for _ in 0..<100 {
                _ = try await relations.follow(pair.1, by: pair.0)
                _ = try await relations.unfollow(pair.1, by: pair.0)
                // As over a network: there is time to ask between them.
                await LoopTimer.sleep(for: .milliseconds(5))
            }
            // The own numbers four times a second, and what comes after longer and longer pauses.
            let most = 20 + Int(start.duration(to: .now) / .milliseconds(250))
            #expect(gate.reads - before <= most)
            _ = try await relations.follow(pair.1, by: pair.0)
            let reader = FeedReader(relations: relations, feeds: repository.stores.feeds)
            try await eventually("the end is right") {
                try await reader.badges(of: "alice", in: .gmt) == screen.badges.last
            }
        }
    }
}

extension Badges {
    fileprivate init(today: Int = 0, feed: Int = 0, more: Int = 0) {
        self.init(OwnBadges(today: today, open: today + more, requests: 0, feedSeen: 0), feed: feed)
    }
}
