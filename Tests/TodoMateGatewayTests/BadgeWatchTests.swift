import EventLoop
import Foundation
import TestServers
import Testing
import TodoMateRedis

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

    /// Runs `body` with a Redis, and the badges of alice in Greenwich, to be opened.
    private func withBadges(
        at time: Date = Date(),
        _ body: (RedisServer, RedisTodoRepository, BadgeWatch, Screen) async throws -> Void
    ) async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { repository.close() }
            try await repository.prepare()
            let service = DIContainer(repository: repository).todoRealtimeService
            let log = Logger(write: { _ in })
            let door = BoardDoor(repository, service, repository.relations, repository.feeds, log)
            let screen = Screen(time)
            let watch = BadgeWatch("alice", zone: .gmt, door: door, now: { screen.time }) { screen.badges.append($0) }
            defer { watch.close() }
            try await body(server, repository, watch, screen)
        }
    }

    private func add(_ repository: RedisTodoRepository, _ uid: String, _ date: String) async throws {
        let day = try #require(CalendarDate(date))
        _ = try await repository.add(TodoDraft(date: day, content: "x"), for: uid)
    }

    @Test("are those of another day as soon as it has begun", arguments: ["by the heartbeat", "by a change"])
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
            #expect(screen.badges.last == Badges(today: 1, more: way == "by a change" ? 3 : 2))
        }
    }

    @Test("are whole when they show first, and do not climb from nothing")
    func first() async throws {
        try await withBadges { server, repository, watch, screen in
            let today = CalendarDate(screen.time, in: .gmt).description
            for owner in ["bob", "carol", "dave"] {
                _ = try await repository.relations.follow(owner, by: "alice")
                _ = try await repository.relations.accept("alice", by: owner)
                for _ in 1...3 { try await add(repository, owner, today) }
            }
            // Longer than the numbers are waited for: they are asked for while nothing has been read yet.
            try await server.cli("CLIENT", "PAUSE", "600")
            watch.open()
            watch.schedule()
            try await eventually("they show") { !screen.badges.isEmpty }
            #expect(screen.badges.first == Badges(feed: 9))
        }
    }
}

extension Badges {
    fileprivate init(today: Int = 0, feed: Int = 0, more: Int = 0) {
        self.init(OwnBadges(today: today, open: today + more, requests: 0, feedSeen: 0), feed: feed)
    }
}
