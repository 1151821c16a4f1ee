import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("When another Redis takes over", .serialized)
@LoopActor
struct FailoverTests {
    /// A worker behind a proxy that leads to whichever Redis is the primary, with readers of alice's stream.
    private struct Site {
        let proxy: TCPProxy
        let worker: RunningProgram
        let readers: [StreamClient]
    }

    private func open(_ server: RedisServer, readers count: Int) async throws -> Site {
        let proxy = try TCPProxy(port: freePort(), to: .path(server.folder.path + "/redis.sock"))
        let port = try freePort()
        let worker = try RunningProgram(
            "todomate",
            ["worker", "--redis", "redis://127.0.0.1:\(proxy.port)", "--listen", "127.0.0.1:\(port)"]
        )
        try await eventually("the worker is ready") { worker.errors.contains("message=ready") }
        let readers = (0..<count).map { number in
            StreamClient(uid: "alice", day: nil, port: port, random: SeededRandom(seed: UInt64(number)))
        }
        for reader in readers { reader.start() }
        try await eventually("all read") { readers.allSatisfy { $0.view.id != nil } }
        return Site(proxy: proxy, worker: worker, readers: readers)
    }

    private func close(_ site: Site) async {
        for reader in site.readers { reader.stop() }
        await site.worker.stop()
        site.proxy.close()
    }

    private func add(_ content: String, to server: RedisServer) async throws {
        let todo = "{\"content\":\"alice!\(content)\",\"date\":\"2026-11-20\"}"
        let answer = try await server.cli("FCALL", "todomate_add", "1", "todomate:{alice}", todo)
        #expect(answer.hasPrefix("{"), "\(answer)")
    }

    private func untilAllShow(_ server: RedisServer, _ site: Site) async throws {
        let repository = RedisTodoRepository(server.url)
        defer { repository.close() }
        let snapshot = try await repository.snapshot(of: "alice", in: nil)
        let todos = Dictionary(uniqueKeysWithValues: snapshot.todos.map { ($0.id, $0) })
        try await eventually("all show what Redis holds") {
            site.readers.allSatisfy { $0.view.id == snapshot.id.description && $0.view.todos == todos }
        }
        var checker = RecordChecker()
        for (number, reader) in site.readers.enumerated() { checker.check(reader.record, "reader \(number)") }
        #expect(checker.objections == [])
    }

    @Test("because Sentinel promoted the replica of one that died, views equal the new one")
    func sentinel() async throws {
        let ports = try (0..<3).map { _ in try freePort() }
        let primary = try RedisServer(port: ports[0])
        let replica = try RedisServer(["--replicaof", "127.0.0.1", String(ports[0])], port: ports[1])
        try await primary.start()
        try await replica.start()
        let configuration = primary.folder.appending(path: "sentinel.conf")
        let lines = [
            "port \(ports[2])", "bind 127.0.0.1", "dir \(primary.folder.path)",
            "sentinel monitor todos 127.0.0.1 \(ports[0]) 1", "sentinel down-after-milliseconds todos 2000",
            "sentinel failover-timeout todos 5000",
        ]
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: configuration)
        let sentinel = try RunningProgram("redis-server", [configuration.path, "--sentinel"])
        let site = try await open(primary, readers: 6)
        for number in 1...20 { try await add("\(number)", to: primary) }
        try await untilAllShow(primary, site)
        let log = ["XREVRANGE", "todomate:{alice}:log", "+", "-", "COUNT", "1"]
        let last = try await primary.cli(log)
        try await eventually("the replica has it all") { try await replica.cli(log) == last }
        try await eventually("Sentinel knows the replica") {
            let ask = ["-p", String(ports[2]), "SENTINEL", "replicas", "todos"]
            return try await Program.run("redis-cli", ask).output.contains("slave-repl-offset")
        }

        await primary.crash()
        try await eventually("the replica is the primary", within: .seconds(60)) {
            try await replica.cli("ROLE").hasPrefix("master")
        }
        // What HAProxy or a managed service does for its clients.
        site.proxy.target = .path(replica.folder.path + "/redis.sock")
        site.proxy.closeConnections()
        for number in 21...30 { try await add("\(number)", to: replica) }
        try await untilAllShow(replica, site)

        await close(site)
        await sentinel.stop()
        await replica.stop()
        await primary.stop()
    }

    @Test("that lags behind, what only the old one knew is gone from every view")
    func lagging() async throws {
        let (old, new) = (try RedisServer(), try RedisServer())
        try await old.start()
        try await new.start()
        let site = try await open(old, readers: 4)
        for number in 1...5 { try await add("kept \(number)", to: old) }
        try await untilAllShow(old, site)
        // The new one gets a copy from before the last three.
        for key in ["todos", "days", "log"] {
            let name = "todomate:{alice}:\(key)"
            let line =
                "redis-cli -s \(old.folder.path)/redis.sock DUMP '\(name)' | head -c -1 | "
                + "redis-cli -s \(new.folder.path)/redis.sock -x RESTORE '\(name)' 0"
            let outcome = try await Program.run("sh", ["-c", line])
            #expect(outcome.output == "OK\n")
        }
        for number in 1...3 { try await add("lost \(number)", to: old) }
        try await untilAllShow(old, site)
        site.proxy.target = .path(new.folder.path + "/redis.sock")
        site.proxy.closeConnections()
        try await eventually("the functions are there") {
            try await new.cli("FUNCTION", "LIST").contains("todomate")
        }
        try await untilAllShow(new, site)
        for number in 1...9 { try await add("new \(number)", to: new) }
        try await untilAllShow(new, site)
        await close(site)
        await new.stop()
        await old.stop()
    }
}
