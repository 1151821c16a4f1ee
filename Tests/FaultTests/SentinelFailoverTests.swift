import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Behind sentinels", .serialized)
@LoopActor
struct SentinelFailoverTests {
    /// A worker behind sentinels with readers of alice's stream, and a repository in this process that writes and observes.
    @LoopActor
    private final class Site {
        let redis: RedisSentinels
        let worker: RunningProgram
        let readers: [StreamClient]
        let repository: RedisTodoRepository
        let observer = RecordingObserver()
        private let container: DIContainer
        private var writing: Task<Void, Never>?
        private var isPaused = false
        private var isWriting = false
        private var count = 0
        /// What was acknowledged.
        private(set) var acknowledged: Set<String> = []
        /// Writes without an answer, or refused.
        private(set) var failures: [TodoError] = []

        init(_ redis: RedisSentinels) async throws {
            self.redis = redis
            let port = try freePort()
            worker = try RunningProgram(
                "todomate",
                ["worker", "--redis", redis.address, "--listen", "127.0.0.1:\(port)", "--observe", "alice", "--json"]
            )
            readers = (0..<3).map {
                StreamClient(uid: "alice", day: nil, port: port, random: SeededRandom(seed: UInt64($0)))
            }
            var url = redis.url
            url.clientName = "todomate"
            repository = RedisTodoRepository(url, timeout: .seconds(30))
            container = DIContainer(repository: repository)
            container.todoRealtimeService.addObserver(observer, for: "alice")
            let worker = worker
            try await eventually("the worker observes") { worker.errors.contains("message=observing") }
            for reader in readers { reader.start() }
            try await eventually("all read") { readers.allSatisfy { $0.view.id != nil } }
            await container.todoRealtimeService.waitUntilFollowing("alice")
        }

        func close() async {
            await pause()
            writing?.cancel()
            container.todoRealtimeService.removeObserver(observer, for: "alice")
            repository.close()
            for reader in readers { reader.stop() }
            await worker.stop()
        }

        /// Adds todos one after the other until it is told to pause.
        func write() {
            isPaused = false
            guard writing == nil else { return }
            writing = Task {
                while !Task.isCancelled {
                    if !isPaused {
                        isWriting = true
                        await add()
                        isWriting = false
                    }
                    await LoopTimer.sleep(for: .milliseconds(5))
                }
            }
        }

        /// Returns when the write under way has been answered, or has not.
        func pause() async {
            isPaused = true
            while isWriting { await LoopTimer.sleep(for: .milliseconds(5)) }
        }

        func untilWritten(_ more: Int) async throws {
            let goal = acknowledged.count + more
            write()
            try await eventually("\(more) more are written", within: .seconds(90)) { acknowledged.count >= goal }
        }

        private func add() async {
            count += 1
            let id = "todo\(count)"
            let draft = TodoDraft(id: id, date: CalendarDate("2026-11-20")!, content: "alice!\(count)")
            do throws(TodoError) {
                _ = try await repository.add(draft, for: "alice")
                acknowledged.insert(id)
            } catch {
                failures.append(error)
            }
        }

        /// Returns once every replica that runs has all that was written.
        func untilInStep(with primary: RedisSentinels.Server) async throws {
            await pause()
            let replicas = redis.runningServers.count - 1
            try await eventually("the replicas have it all", within: .seconds(60)) {
                // Of this connection: the last write has to be its own.
                let words = "SET todomate:step 1\nWAIT \(replicas) 5000\n"
                let line = "printf '\(words)' | redis-cli -p \(primary.endpoint.port) | tail -n 1"
                return try await Program.run("sh", ["-c", line]).output == "\(replicas)\n"
            }
        }

        /// Checks that all who look show what the primary holds, each version once and in order.
        func check(_ primary: RedisSentinels.Server, mayHaveLost: Bool = false) async throws {
            let direct = RedisTodoRepository(primary.redis.url)
            defer { direct.close() }
            let snapshot = try await direct.snapshot(of: "alice", in: nil)
            let todos = Dictionary(uniqueKeysWithValues: snapshot.todos.map { ($0.id, $0) })
            let last = snapshot.id.description
            try await eventually("all show what the primary holds") {
                readers.allSatisfy { $0.view.id == last && $0.view.todos == todos }
            }
            try await eventually("the observer has heard of \(last)") { observer.versions.last == snapshot.id.version }
            try await eventually("the worker has printed \(last)") {
                worker.lines.last?.hasPrefix("{\"id\":\"\(last)\"") == true
            }
            var checker = RecordChecker()
            for (number, reader) in readers.enumerated() { checker.check(reader.record, "reader \(number)") }
            checker.check(lines: worker.lines.filter { !$0.contains("\"reset\"") || mayHaveLost }, "the worker")
            #expect(checker.objections == [])
            guard !mayHaveLost else { return }
            #expect(acknowledged.subtracting(todos.keys) == [], "an acknowledged write is gone")
            let first = observer.versions.first ?? 0
            #expect(observer.versions == Array(first...max(first, snapshot.id.version)), "each version once, in order")
            #expect(!observer.lines.contains("reset alice"))
        }

        /// Returns once nobody is connected to a server that is not the primary any more.
        func untilLeft(_ server: RedisSentinels.Server) async throws {
            try await eventually("all have left \(server.endpoint)") {
                try await !server.cli("CLIENT", "LIST").contains("name=todomate")
            }
        }
    }

    private func withSite(_ body: @LoopActor (Site, RedisSentinels.Server) async throws -> Void) async throws {
        try await withRedisSentinels { redis in
            let site = try await Site(redis)
            do {
                try await site.untilWritten(20)
                try await body(site, redis.servers[0])
            } catch {
                await site.close()
                throw error
            }
            await site.close()
        }
    }

    @Test(
        "a primary that dies loses nothing that its replicas had, also when it comes back as one that thinks it still is"
    )
    func killed() async throws {
        try await withSite { site, first in
            try await site.untilInStep(with: first)
            await first.redis.crash()
            // They wait for the new one.
            try await site.untilWritten(20)
            let second = try await site.redis.successor(of: first)
            await site.pause()
            #expect(site.failures == [])
            try await site.check(second)
            try await first.redis.start()
            try await site.untilWritten(20)
            try await eventually("the old one follows the new one") { try await first.cli("ROLE").hasPrefix("slave") }
            await site.pause()
            try await site.check(second)
            try await site.untilLeft(first)
        }
    }

    @Test("a planned failover without writes for its moment loses nothing, and nobody stays at the old primary")
    func planned() async throws {
        try await withSite { site, first in
            site.write()
            // As the article on deploying says: what is sent meanwhile waits.
            #expect(try await first.cli("CLIENT", "PAUSE", "20000", "WRITE") == "OK")
            try await site.redis.failOver()
            let second = try await site.redis.successor(of: first)
            try await site.untilLeft(first)
            try await site.untilWritten(20)
            await site.pause()
            try await site.check(second)
            try await eventually("the old one lives on as a replica") { try await first.cli("ROLE").hasPrefix("slave") }
        }
    }

    @Test("a failover under writes may lose some, and views and observers then equal the new primary")
    func underWrites() async throws {
        try await withSite { site, first in
            site.write()
            try await site.redis.failOver()
            let second = try await site.redis.successor(of: first)
            try await site.untilWritten(20)
            await site.pause()
            try await site.untilLeft(first)
            try await site.untilInStep(with: second)
            try await site.untilWritten(5)
            await site.pause()
            try await site.check(second, mayHaveLost: true)
        }
    }

    @Test("a primary that hangs is left, and stays left when it wakes up and still takes itself for one")
    func wedged() async throws {
        try await withSite { site, first in
            try await site.untilInStep(with: first)
            first.redis.signal(SIGSTOP)
            try await site.untilWritten(20)
            let second = try await site.redis.successor(of: first)
            first.redis.signal(SIGCONT)
            try await site.untilWritten(20)
            await site.pause()
            try await site.untilLeft(first)
            try await site.check(second)
            try await eventually("it wakes up as a replica") { try await first.cli("ROLE").hasPrefix("slave") }
            try await site.redis.waitUntilReady()
            try await site.untilWritten(5)
            await site.pause()
            try await site.check(second)
        }
    }

    @Test("a first sentinel that refuses, and another that still names the old primary, mislead nobody")
    func misled() async throws {
        try await withSite { site, first in
            try await site.untilInStep(with: first)
            let sentinels = site.redis.sentinels
            var url = site.redis.url
            url.transport = .sentinel([0, 2, 1].map { sentinels[$0].endpoint }, primary: RedisSentinels.name)
            // What it sleeps through it says once more when it wakes, until it hears of it from the others.
            await sentinels[2].program.signal(SIGSTOP)
            #expect(try await first.cli("CLIENT", "PAUSE", "20000", "WRITE") == "OK")
            try await site.redis.failOver()
            let second = try await site.redis.successor(of: first)
            await site.redis.endSentinel()
            await sentinels[2].program.signal(SIGCONT)
            let late = RedisTodoRepository(url, timeout: .seconds(30))
            defer { late.close() }
            try await late.prepare()
            _ = try await late.add(
                TodoDraft(id: "late", date: CalendarDate("2026-11-20")!, content: "late"),
                for: "alice"
            )
            #expect(try await second.cli("HEXISTS", "todomate:{alice}:todos", "late") == "1")
            try await site.untilWritten(20)
            await site.pause()
            try await site.untilLeft(first)
            try await site.check(second)
        }
    }

    @Test("sentinels that end one after the other take nobody with them")
    func sentinelsEnd() async throws {
        try await withSite { site, first in
            await site.redis.endSentinel()
            try await site.untilInStep(with: first)
            await first.redis.crash()
            try await site.untilWritten(20)
            let second = try await site.redis.successor(of: first)
            // Whoever has not heard of the new one by then has nobody left to ask.
            await site.pause()
            try await site.check(second)
            while !site.redis.sentinels.isEmpty {
                await site.redis.endSentinel()
                try await site.untilWritten(5)
            }
            await site.pause()
            #expect(site.failures == [])
            try await site.check(second)
        }
    }
}
