import EventLoop
import Foundation
import HTTPServing
import TestServers
import Testing

@testable import TodoMate
@testable import TodoMateGateway

@Suite("Whether changes come over a stream")
@LoopActor
struct StreamPulseTests {
    /// What asks the store, and what that answers.
    private final class Store {
        var asked = 0
        var silence: Silence?
        /// For how long an answer does not come.
        var pause = Duration.zero

        func ask() async -> Silence? {
            asked += 1
            if pause > .zero { await LoopTimer.sleep(for: pause) }
            return silence
        }
    }

    enum Redis: String, CaseIterable, Sendable {
        case answers, answersLate, isSilent, isSilentOnlyForBob, hangs

        /// What alice's first heartbeat says.
        var isLive: Bool { self != .isSilent && self != .hangs }
    }

    /// Runs `body` with a store and what opens a stream of alice's at a worker that has none.
    private func withStreams(
        _ body: (Store, () throws -> RawConnection) async throws -> Void
    ) async throws {
        let log = Logger(write: { _ in })
        let repository = InMemoryTodoRepository()
        let service = DIContainer(repository: repository).todoRealtimeService
        let context = StreamContext(SharingService(repository.stores, service, log), OpenStreams())
        var configuration = GatewayConfiguration()
        configuration.heartbeat = .seconds(3600)
        let (store, authenticator) = (Store(), Authenticator(signer: nil, allowedOrigins: []))
        let routes = StreamRoutes(
            context,
            authenticator,
            configuration,
            Metrics(log),
            silence: { await store.ask() },
            log
        )
        defer { routes.stop() }
        let router = HTTPRouter()
        routes.add(to: router)
        let server = HTTPServer(router)
        defer { server.close() }
        let port = try server.listen(host: "127.0.0.1", port: 0)
        try await body(store) {
            let reader = try RawConnection(port: port)
            reader.send("GET /v1/users/alice/changes?heartbeat=2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return reader
        }
    }

    private func beats(_ reader: RawConnection) -> [String] {
        reader.text.components(separatedBy: "event: heartbeat\n").dropFirst().compactMap {
            $0.split(separator: "\n").first.map { String($0.dropFirst("data: ".count)) }
        }
    }

    @Test(
        "is said only as far as it was seen, from the first heartbeat of the first stream on",
        arguments: Redis.allCases,
        ["first", "long after another one"]
    )
    func first(_ redis: Redis, _ moment: String) async throws {
        try await withStreams { store, open in
            if moment != "first" {
                let before = try open()
                try await eventually("it says that all is well") { beats(before).contains("{}") }
                before.close()
                // So long an answer counts.
                await LoopTimer.sleep(for: .milliseconds(3200))
            }
            let asked = store.asked
            await LoopTimer.sleep(for: .milliseconds(1200))
            #expect(store.asked == asked, "nobody asks while there is no stream")
            switch redis {
            case .answers: break
            case .answersLate: store.pause = .milliseconds(1500)
            case .isSilent: (store.silence, store.pause) = (Silence(of: ["a node"]), .milliseconds(1500))
            case .isSilentOnlyForBob:
                (store.silence, store.pause) = (Silence(of: ["a node"]) { $0 == "bob" }, .milliseconds(1500))
            case .hangs: store.pause = .seconds(3600)
            }
            let begun = ContinuousClock.now
            let reader = try open()
            defer { reader.close() }
            try await eventually("it says how things stand") { !beats(reader).isEmpty }
            let first = try #require(beats(reader).first)
            #expect(first == (redis.isLive ? "{}" : #"{"live":false}"#))
            // In time for those who wait for a heartbeat; wide, as the others' tests take the processor.
            #expect(begun.duration(to: .now) < .seconds(redis == .hangs ? 8 : 5))
            guard redis != .hangs else { return }
            store.silence = nil
            store.pause = .zero
            try await eventually("all is well") { beats(reader).last == "{}" }
            #expect(!redis.isLive || Set(beats(reader)) == ["{}"])
        }
    }
}
