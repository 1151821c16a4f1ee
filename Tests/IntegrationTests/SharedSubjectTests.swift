import EventLoop
import Foundation
import Observing
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// An event that crosses processes.
private struct Reading: Codable, Sendable, Equatable {
    var celsius: Double
    var place = "서울"
}

/// Writes down what it is told.
@LoopActor
private final class Display: @LoopActor Observer {
    private(set) var readings: [Reading] = []
    var onReading: (() -> Void)?
    nonisolated init() {}

    func receive(_ event: Reading) {
        readings.append(event)
        onReading?()
    }
}

/// Stations on a Redis of some kind, each as if in a process of its own: with connections of its own.
@LoopActor
private func withStations(
    on kind: RedisKind,
    _ names: String...,
    body: @LoopActor ([SharedSubject<Reading>]) async throws -> Void
) async throws {
    try await withRedis(on: kind) { server in
        let stations = names.map { SharedSubject<Reading>($0, redis: server.url, timeout: .seconds(30)) }
        defer { for station in stations { station.close() } }
        try await body(stations)
    }
}

/// The same, with the Redis beside them.
@LoopActor
private func withStations(
    on kind: RedisKind,
    _ names: String...,
    body: @LoopActor (any TestRedis, [SharedSubject<Reading>]) async throws -> Void
) async throws {
    try await withRedis(on: kind) { server in
        let stations = names.map { SharedSubject<Reading>($0, redis: server.url, timeout: .seconds(30)) }
        defer { for station in stations { station.close() } }
        try await body(server, stations)
    }
}

@Suite("A shared subject")
@LoopActor
struct SharedSubjectTests {
    @Test(
        "tells the observers of a topic in every process, in one order, and no others",
        arguments: RedisKind.allCases
    )
    func topics(_ kind: RedisKind) async throws {
        try await withStations(on: kind, "weather", "weather") { stations in
            let (here, there, elsewhere) = (Display(), Display(), Display())
            stations[0].add(here, for: "seoul")
            stations[1].add(there, for: "seoul")
            stations[1].add(elsewhere, for: "busan")
            for station in stations { await station.waitUntilSubscribed(to: "seoul") }
            await stations[1].waitUntilSubscribed(to: "busan")
            for number in 1...20 {
                let heard = try await stations[number % 2].post(Reading(celsius: Double(number)), to: "seoul")
                #expect(heard == 2)
            }
            let heard = try await stations[0].post(Reading(celsius: -1), to: "busan")
            #expect(heard == 1)
            let expected = (1...20).map { Reading(celsius: Double($0)) }
            try await eventually("all came") { there.readings.count == 20 && here.readings.count == 20 }
            try await eventually("the other topic's came") { elsewhere.readings.count == 1 }
            #expect(here.readings == expected && there.readings == expected)
            #expect(elsewhere.readings == [Reading(celsius: -1)])
            withExtendedLifetime((here, there, elsewhere)) {}
        }
    }

    @Test("keeps subjects of other names apart", arguments: RedisKind.allCases)
    func names(_ kind: RedisKind) async throws {
        try await withStations(on: kind, "weather", "forecast") { stations in
            let (weather, forecast) = (Display(), Display())
            stations[0].add(weather, for: "seoul")
            stations[1].add(forecast, for: "seoul")
            for station in stations { await station.waitUntilSubscribed(to: "seoul") }
            for number in 1...3 { try await stations[0].post(Reading(celsius: Double(number)), to: "seoul") }
            try await stations[1].post(Reading(celsius: 4), to: "seoul")
            try await eventually("all came") { weather.readings.count == 3 && forecast.readings.count == 1 }
            #expect(forecast.readings.map(\.celsius) == [4])
        }
    }

    @Test("goes on where its topic's slot has gone, and when the primary of it was replaced")
    func movedTopic() async throws {
        try await withRedisCluster(replicas: 1) { cluster in
            let stations = (0..<2).map { _ in
                SharedSubject<Reading>("weather", redis: cluster.url, timeout: .seconds(30))
            }
            defer { for station in stations { station.close() } }
            let display = Display()
            stations[1].add(display, for: "seoul")
            await stations[1].waitUntilSubscribed(to: "seoul")
            let channel = try await channel(cluster)
            @LoopActor func untilHeard(_ celsius: Double) async throws {
                // What is posted while nobody is subscribed reaches nobody: a shared subject keeps nothing.
                try await eventually("\(celsius) came", within: .seconds(60)) {
                    _ = try? await stations[0].post(Reading(celsius: celsius), to: "seoul")
                    return display.readings.last?.celsius == celsius
                }
            }
            try await untilHeard(1)
            let owner = try await cluster.owner(of: channel)
            let target = try #require(try await cluster.primaries().first { $0.id != owner.id })
            try await cluster.move(HashSlot.of(channel), to: target)
            try await untilHeard(2)
            await target.server.crash()
            try await untilHeard(3)
        }
    }

    /// The one channel that is subscribed to beside those of probes.
    private func channel(_ cluster: RedisCluster) async throws -> String {
        var channels: [String] = []
        for node in try await cluster.primaries() {
            channels += try await node.cli("PUBSUB", "SHARDCHANNELS", "*seoul*").split(separator: "\n").map(String.init)
        }
        return try #require(channels.first { !$0.isEmpty }, "\(channels)")
    }

    @Test("hears what is published by hand, and drops and counts what is no event", arguments: RedisKind.allCases)
    func published(_ kind: RedisKind) async throws {
        try await withStations(on: kind, "weather") { server, stations in
            let display = Display()
            stations[0].add(display, for: "seoul")
            await stations[0].waitUntilSubscribed(to: "seoul")
            let noEvents = [
                "", "x", "{}", "[]", "null", #"{"celsius":"warm","place":"x"}"#, #"{"celsius":1,"place":"x"}}"#,
            ]
            for message in noEvents { try await server.publish(message, on: "todomate:shared:weather:seoul") }
            let event = #"{"place":"부산","celsius":7,"more":1}"#
            #expect(try await server.publish(event, on: "todomate:shared:weather:seoul") == 1)
            try await eventually("the event came") { !display.readings.isEmpty }
            #expect(display.readings == [Reading(celsius: 7, place: "부산")])
            #expect(stations[0].dropped == noEvents.count)
        }
    }

    @Test("works again after its connections were cut", arguments: RedisKind.allCases)
    func cut(_ kind: RedisKind) async throws {
        try await withStations(on: kind, "weather", "weather") { server, stations in
            let (here, there) = (Display(), Display())
            stations[0].add(here, for: "seoul")
            stations[1].add(there, for: "seoul")
            for station in stations { await station.waitUntilSubscribed(to: "seoul") }
            try await stations[0].post(Reading(celsius: 1), to: "seoul")
            try await eventually("the first came") { there.readings.count == 1 && here.readings.count == 1 }
            for kind in ["pubsub", "normal"] { try await server.cli("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes") }
            try await eventually("both listen again") {
                try await server.subscribers(of: "todomate:shared:weather:seoul") == 2
            }
            for station in stations { await station.waitUntilSubscribed(to: "seoul") }
            let heard = try await stations[1].post(Reading(celsius: 2), to: "seoul")
            #expect(heard == 2)
            try await eventually("the next came") { there.readings.count == 2 && here.readings.count == 2 }
            #expect(here.readings.map(\.celsius) == [1, 2] && there.readings.map(\.celsius) == [1, 2])
        }
    }

    @Test("listens to a topic only while somebody observes it", arguments: RedisKind.allCases)
    func lifetime(_ kind: RedisKind) async throws {
        try await withStations(on: kind, "weather") { server, stations in
            let station = stations[0]
            let first = Display()
            var second: Display? = Display()
            station.add(first, for: "seoul")
            station.add(try #require(second), for: "seoul")
            station.add(first, for: "seoul")
            await station.waitUntilSubscribed(to: "seoul")
            try await eventually("it listens") { try await server.channels() == ["todomate:shared:weather:seoul"] }
            station.remove(first, for: "seoul")
            let heard = try await station.post(Reading(celsius: 1), to: "seoul")
            #expect(heard == 1)
            try await eventually("the second was told") { second?.readings.count == 1 }
            #expect(first.readings.isEmpty)
            second = nil
            // A dead observer is noticed though no event comes.
            try await eventually("it listens no more") { try await server.channels().isEmpty }
            station.add(first, for: "seoul")
            await station.waitUntilSubscribed(to: "seoul")
            try await station.post(Reading(celsius: 3), to: "seoul")
            try await eventually("it is told again") { first.readings.map(\.celsius) == [3] }
        }
    }

    @Test("lets an observer leave, join and post inside its own callback", arguments: RedisKind.allCases)
    func reentrance(_ kind: RedisKind) async throws {
        try await withStations(on: kind, "weather") { stations in
            let station = stations[0]
            let (leaving, joining) = (Display(), Display())
            leaving.onReading = {
                station.remove(leaving, for: "seoul")
                station.add(joining, for: "seoul")
                Task { try await station.post(Reading(celsius: 2), to: "seoul") }
            }
            station.add(leaving, for: "seoul")
            await station.waitUntilSubscribed(to: "seoul")
            try await station.post(Reading(celsius: 1), to: "seoul")
            try await eventually("the answer came") { joining.readings.contains(Reading(celsius: 2)) }
            #expect(leaving.readings.map(\.celsius) == [1])
            leaving.onReading = nil
        }
    }

    @Test("uses a repository's connections, and leaves them open when it is closed")
    func overRepository() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { repository.close() }
            try await repository.prepare()
            let (station, display) = (SharedSubject<Reading>("weather", over: repository), Display())
            var lost: [String] = []
            station.onLoss = { lost.append($0) }
            station.add(display, for: "seoul")
            await station.waitUntilSubscribed(to: "seoul")
            #expect(try await station.post(Reading(celsius: 1), to: "seoul") == 1)
            try await eventually("it came") { display.readings.map(\.celsius) == [1] }
            let clients = try await server.cli("CLIENT", "LIST").split(separator: "\n")
            #expect(clients.count == 3, "two of the repository, and redis-cli itself")
            try await server.cli("CLIENT", "KILL", "TYPE", "pubsub")
            try await eventually("the loss is told") { lost == ["seoul"] }
            await station.waitUntilSubscribed(to: "seoul")
            station.close()
            try await eventually("it listens no more") { try await server.cli("PUBSUB", "CHANNELS") == "" }
            await #expect(throws: Never.self) { _ = try await repository.latestChangeID(of: "alice") }
        }
    }

    @Test("says why it cannot post")
    func unreachable() async throws {
        let url = try RedisURL("unix:///nowhere/redis.sock")
        let station = SharedSubject<Reading>("weather", redis: url, timeout: .milliseconds(200))
        defer { station.close() }
        await #expect(throws: SharedSubjectError.self) { try await station.post(Reading(celsius: 1), to: "seoul") }
        await #expect(throws: SharedSubjectError.self) { try await station.post(Reading(celsius: .nan), to: "seoul") }
    }
}
