import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

@Suite("Readers spread over the workers", .serialized)
@LoopActor
struct BalanceTests {
    /// `scripts/soak --rollout` sets the number of streams, and then workers keep their own pace.
    @Test("again after a rolling restart, and miss nothing")
    func rollout() async throws {
        let asked = ProcessInfo.processInfo.environment["TODOMATE_ROLLOUT_STREAMS"].flatMap { Int($0) }
        let (readers, workers) = (asked ?? 200, asked == nil ? 2 : 3)
        try await withBalanceSite(users: readers / 10, pace: asked == nil ? "200ms" : nil) { site in
            for _ in 0..<workers { try await site.startWorker() }
            site.write(every: asked == nil ? .milliseconds(20) : .milliseconds(25))
            try await site.open(readers)
            for _ in 0..<workers { try await site.replaceOldest() }
            let listener = site.listener
            try await eventually("all are back", within: .seconds(60)) {
                listener.streams.count == workers && listener.streams.values.reduce(0, +) == readers
            }
            let (restarted, before) = (ContinuousClock.now, listener.streams.values.sorted())
            #expect(!listener.isBalanced(readers, workers: workers), "the worker that came last has few: \(before)")
            try await eventually("somebody lets go", within: .seconds(120)) { site.hasLogged("letting streams go") }
            let began = ContinuousClock.now
            if asked == nil {
                // In the middle of it, they hear nothing of each other for a moment.
                try await site.command(RedisCommand("CLIENT", "KILL", "TYPE", "pubsub"))
            }
            try await eventually("all have about as many, and nobody is let go", within: .seconds(600)) {
                listener.isBalanced(readers, workers: workers) && site.episodes == 0
            }
            let ended = ContinuousClock.now
            try await site.settle()
            #expect(site.objections.isEmpty, "\(site.objections.prefix(5))")
            #expect(site.told > 0 && site.letGo > 0)
            print(
                """
                \(readers) streams, \(workers) workers: \(before) after the restart; \(began - restarted) later streams were \
                let go, for \(ended - began); \(listener.streams.values.sorted()) in the end. \(site.letGo) streams were let \
                go, and \(site.told) changes told, each once and in order
                """
            )
        }
    }

    @Test("not into the arms of a worker that hangs, whatever else is said on the channel")
    func stoppedWorker() async throws {
        try await withBalanceSite(users: 6, pace: "200ms") { site in
            try await site.startWorker()
            try await site.open(60)
            let listener = site.listener
            try await eventually("it is heard") { listener.streams.values.contains(60) }
            let first = try #require(listener.streams.first { $0.value == 60 }?.key)
            for _ in 0..<2 { try await site.startWorker() }
            try await eventually("all are heard") { listener.streams.count == 3 }
            let hanging = site.workers[2]
            await hanging.signal(SIGSTOP)
            let noise = [
                "", "x", "{}", "[]", "{\"worker\":\"\",\"streams\":0}", "{\"worker\":\"w\",\"streams\":-1}",
                "{\"worker\":\"w\",\"streams\":1e300}", "{\"worker\":\"w\",\"streams\":9223372036854775807}",
                String(repeating: "[", count: 100_000),
            ]
            for message in noise {
                try await site.command(RedisCommand("PUBLISH", "todomate:shared:workers:load", message))
            }
            // Longer than it takes to be called silent, and to be calm again after that.
            let count = listener.heard[first] ?? 0
            try await eventually("the first has had time", within: .seconds(60)) {
                (listener.heard[first] ?? 0) > count + 20
            }
            #expect(listener.streams[first] == 60 && !site.hasLogged("letting streams go"))
            await hanging.signal(SIGCONT)
            try await eventually("all have about as many", within: .seconds(60)) {
                listener.isBalanced(60, workers: 3)
            }
            try await site.settle()
            #expect(site.objections.isEmpty, "\(site.objections.prefix(5))")
        }
    }
}
