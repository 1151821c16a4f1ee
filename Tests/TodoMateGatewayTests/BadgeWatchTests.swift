import EventLoop
import Foundation
import HTTPServing
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

    private let log = Logger(write: { _ in })

    /// Runs `body` with a Redis, and what boards are made of, at a time of its choice.
    private func withDoor(
        at time: Date,
        _ body: (RedisServer, RedisTodoRepository, BoardDoor, Screen) async throws -> Void
    ) async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { repository.close() }
            try await repository.prepare()
            let service = DIContainer(repository: repository).todoRealtimeService
            let screen = Screen(time)
            let (relations, feeds) = (repository.relations, repository.feeds)
            let door = BoardDoor(repository, service, relations, repository.views, feeds, log, now: { screen.time })
            try await body(server, repository, door, screen)
        }
    }

    /// Runs `body` with a Redis, and the badges of alice, to be opened.
    private func withBadges(
        at time: Date = Date(),
        in zone: TimeZone = .gmt,
        _ body: (RedisServer, RedisTodoRepository, BadgeWatch, Screen) async throws -> Void
    ) async throws {
        try await withDoor(at: time) { server, repository, door, screen in
            let watch = BadgeWatch("alice", zone: zone, door: door, now: door.now) { screen.badges.append($0) }
            defer { watch.close() }
            try await body(server, repository, watch, screen)
        }
    }

    private func add(_ repository: RedisTodoRepository, _ uid: String, _ date: String) async throws {
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
            #expect(screen.badges.last == Badges(today: 1, more: way == "by a change" ? 3 : 2))
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
            #expect(screen.badges.map(\.today) == [2, 1, 2, 0])
        }
    }

    @Test("turn on an open stream without any other sign of life")
    func stream() async throws {
        let midnight = try Date("2018-11-04T03:00:00Z", strategy: .iso8601)
        try await withDoor(at: midnight - 1) { _, repository, door, screen in
            for date in ["2018-11-03", "2018-11-03", "2018-11-04"] { try await add(repository, "alice", date) }
            var configuration = GatewayConfiguration()
            configuration.heartbeat = .seconds(3600)
            let authenticator = Authenticator(signer: nil, allowedOrigins: [])
            let routes = StreamRoutes(door, authenticator, configuration, Metrics(log), log)
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
            try await eventually("the morning's") { reader.text.contains(#""today":1,"feed":0,"requests":0,"more":2"#) }
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
