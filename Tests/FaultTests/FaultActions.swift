import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

/// How the longer faults are brought about.
@LoopActor
extension Fault {
    func pass(_ proxy: TCPProxy, _ mode: TCPProxy.Mode, for time: Duration) async {
        proxy.mode = mode
        await LoopTimer.sleep(for: time)
        proxy.mode = .open
    }

    /// A script that never ends: Redis answers all others with -BUSY.
    func beBusy(_ deployment: Deployment, _ time: Duration) async throws {
        await deployment.control("CONFIG", "SET", "busy-reply-threshold", "50")
        var isOver = false
        let script = Task {
            await deployment.control("EVAL", "while true do end", "0")
            isOver = true
        }
        await LoopTimer.sleep(for: time)
        // On a slow machine it may not even have begun: only its end says that it need not be killed any more.
        while !isOver { await deployment.control("SCRIPT", "KILL") }
        _ = await script.value
    }

    /// Redis cuts off subscribers for whom more than 1 KiB is waiting; a message of 64 KiB is more at once.
    func shrinkOutputBuffers(_ deployment: Deployment) async throws {
        await deployment.control("CONFIG", "SET", "client-output-buffer-limit", "pubsub 1024 0 0")
        await deployment.control("PUBLISH", "todomate:{alice}:changes", String(repeating: "x", count: 65_536))
        await deployment.control("CONFIG", "SET", "client-output-buffer-limit", "pubsub 33554432 8388608 60")
    }

    /// Has Redis write its base file anew: only what comes from that is loaded key by key.
    func rewriteLog(_ deployment: Deployment) async throws {
        await deployment.control("BGREWRITEAOF")
        try await eventually("the base file is written") {
            await deployment.control("INFO", "persistence").contains("aof_rewrite_in_progress:0")
        }
    }

    /// Redis answers -LOADING for about a second.
    func loadSlowly(_ deployment: Deployment) async throws {
        try await rewriteLog(deployment)
        await deployment.redis.crash()
        try await deployment.restartRedis(["--key-load-delay", "20000"])
    }

    /// Readers are away while more is written, and then the log is cut so short that it no longer has what they miss.
    func trimLogs(_ deployment: Deployment, _ clients: [StreamClient]) async {
        for client in clients.prefix(clients.count / 2) { client.drop(for: .seconds(3)) }
        await LoopTimer.sleep(for: .milliseconds(600))
        for key in await deployment.control("KEYS", "todomate:*:log").split(separator: "\n") {
            await deployment.control("XTRIM", String(key), "MAXLEN", "2")
        }
    }

    /// The keys of the log of one user who has readers, or of all; waits until there is one.
    func someLogs(_ deployment: Deployment, _ random: inout SeededRandom) async throws -> [String] {
        let candidates = Set(deployment.observed.map { "todomate:{\($0)}:log" })
        var keys: [String] = []
        try await eventually("somebody has a log") {
            let answer = await deployment.control("KEYS", "todomate:*:log").split(separator: "\n")
            keys = answer.map(String.init).filter { $0.hasPrefix("todomate:") }.sorted()
            return !candidates.isDisjoint(with: keys)
        }
        let isAll = Bool.random(using: &random)
        let key = keys.filter(candidates.contains).randomElement(using: &random)
        return isAll ? keys : [key].compactMap(\.self)
    }

    /// The logs are gone while their users have todos. Half of the time nobody hears what is written next: only the log can
    /// tell that it is another one.
    func deleteLogs(_ deployment: Deployment, _ random: inout SeededRandom) async throws {
        let keys = try await someLogs(deployment, &random)
        guard Bool.random(using: &random) else {
            await deployment.control(["DEL"] + keys)
            return
        }
        let number = UInt32.random(in: 0 ... .max, using: &random)
        func add(_ uid: String) -> [String] {
            let todo = "{\"content\":\"\(uid)!unheard-\(number)\",\"date\":\"2026-11-20\"}"
            return deployment.adding(todo, for: uid)
        }
        let users = deployment.observed.filter { keys.contains("todomate:{\($0)}:log") }
        guard deployment.cluster != nil else {
            await deployment.atOnce([["DEL"] + keys, ["CLIENT", "KILL", "TYPE", "pubsub"]] + users.map(add))
            return
        }
        // A step is that of one node, and its commands those of one slot.
        for uid in users {
            let commands = [["DEL", "todomate:{\(uid)}:log"], ["CLIENT", "KILL", "TYPE", "pubsub"], add(uid)]
            await deployment.atOnce(commands, for: uid)
        }
    }

    /// Readers are away while the logs are deleted, and come back when new ones have begun.
    func deleteLogsUnseen(_ deployment: Deployment, _ clients: [StreamClient]) async {
        for client in clients.prefix(clients.count / 2) { client.drop(for: .seconds(3)) }
        await LoopTimer.sleep(for: .milliseconds(300))
        await deployment.control(["DEL"] + (deployment.observed + deployment.others).map { "todomate:{\($0)}:log" })
        await LoopTimer.sleep(for: .milliseconds(300))
    }

    /// Nothing is left of one user, as if there never had been one; the others go on. Half of the time the connections for
    /// messages end in the same moment.
    func forgetUser(_ deployment: Deployment, _ random: inout SeededRandom) async {
        let uid = (deployment.observed + deployment.others).randomElement(using: &random) ?? ""
        let forget = "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end"
        let isUnheard = Bool.random(using: &random)
        await deployment.loseData(of: [uid]) {
            await deployment.atOnce(
                [["EVAL", forget, "0", "todomate:{\(uid)}:*"]]
                    + (isUnheard ? [["CLIENT", "KILL", "TYPE", "pubsub"]] : []),
                for: uid
            )
        }
    }

    /// The connections die without a word; the heartbeat has to find that out.
    func swallow(_ proxy: TCPProxy) async throws {
        proxy.swallowConnections()
        try await eventually("whoever had them finds out", within: .seconds(20)) { !proxy.holdsBroken }
    }

    /// Both of a worker's connections end in the middle of the next reply.
    func cut(_ proxy: TCPProxy) async throws {
        proxy.cutInTheMiddle()
        try await eventually("both were cut") { !proxy.holdsBroken }
    }

    /// As when containers start in any order: a worker is up before the name of its Redis is.
    func loseName(_ deployment: Deployment, _ worker: Int, for time: Duration) async throws {
        try deployment.setResolves(false, worker: worker)
        try await deployment.replace(worker: worker, with: SIGKILL)
        try await eventually("the worker finds no address", within: .seconds(60)) {
            deployment.hasLogged("does not resolve", worker: worker)
        }
        await LoopTimer.sleep(for: time)
        try deployment.setResolves(true, worker: worker)
    }

    func beReadOnly(_ deployment: Deployment, _ time: Duration) async throws {
        await deployment.control("REPLICAOF", "127.0.0.1", "1")
        await LoopTimer.sleep(for: time)
        await deployment.control("REPLICAOF", "NO", "ONE")
    }

    func changePassword(_ deployment: Deployment, _ time: Duration) async throws {
        await deployment.control("CONFIG", "SET", "requirepass", "secret")
        deployment.password = "secret"
        await deployment.control("CLIENT", "KILL", "TYPE", "pubsub")
        await deployment.control("CLIENT", "KILL", "TYPE", "normal")
        await LoopTimer.sleep(for: time)
        await deployment.control("CONFIG", "SET", "requirepass", "")
        deployment.password = nil
    }

    /// For a time the functions see a clock that is ahead, and then again the right one: change ids must go on growing.
    func setClockBack(_ deployment: Deployment, by seconds: Int, after time: Duration) async throws {
        let list = await deployment.control("FUNCTION", "LIST", "LIBRARYNAME", "todomate", "WITHCODE")
        // The code is the last of the values; redis-cli prints it as it is.
        guard let start = list.firstRange(of: "#!lua"), let end = list[start.lowerBound...].firstIndex(of: "\n") else {
            Issue.record("no library: \(list)")
            return
        }
        let (shebang, code) = (list[start.lowerBound...end], list[start.lowerBound...])
        let function = "local function ahead(time) time[1] = time[1] + \(seconds) return time end\n"
        let body = code[shebang.endIndex...].replacing(/(redis\.)?call\('TIME'\)/) { "ahead(\($0.output.0))" }
        #expect(body.contains("ahead("), "the functions ask for the time in another way")
        try await load(shebang + function + body, into: deployment)
        await LoopTimer.sleep(for: time)
        try await load(String(code), into: deployment)
    }

    /// It is too long for an argument of a program.
    private func load(_ library: String, into deployment: Deployment) async throws {
        let client = RedisClient(deployment.url, timeout: .seconds(10))
        defer { client.close() }
        let command = RedisCommand("FUNCTION", "LOAD", "REPLACE", library)
        guard deployment.cluster != nil else {
            let answer = try await client.send(command)
            #expect(answer.string == "todomate")
            return
        }
        // Replicas get it from their primaries.
        for node in try await client.primaries() {
            // Connections may be cut meanwhile.
            try await eventually("a node has loaded it") { (try? await node.send(command))?.string == "todomate" }
        }
    }

    /// Redis comes back without its last writes, and versions are given out a second time.
    func loseTail(_ deployment: Deployment, _ random: inout SeededRandom) async throws {
        try await deployment.loseData {
            await deployment.redis.crash()
            try cutLog(of: deployment.redis, &random)
            try await deployment.restartRedis()
        }
    }

    /// Takes the end of what a server wrote: much of it, or so little that what happened just before may be in it or not.
    func cutLog(of server: RedisServer, _ random: inout SeededRandom) throws {
        let part = Double.random(in: 0.5...0.95, using: &random)
        let bytes: UInt64? = Bool.random(using: &random) ? .random(in: 1...20_000, using: &random) : nil
        let folder = server.folder.appending(path: "appendonlydir")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name.hasSuffix(".incr.aof") {
            let file = try FileHandle(forUpdating: folder.appending(path: name))
            let end = try file.seekToEnd()
            try file.truncate(atOffset: bytes.map { end - min($0, end / 2) } ?? UInt64(Double(end) * part))
            try file.close()
        }
    }
}
