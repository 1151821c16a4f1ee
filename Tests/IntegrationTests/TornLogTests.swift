import EventLoop
import Foundation
import TestServers
import Testing

/// It cuts the file of one server; a lost tail of a node is one of the faults of `scripts/faults --cluster`.
@Suite("A transaction that a crash left half-written in Redis's file", .serialized)
@LoopActor
struct TornLogTests {
    /// The newest part of the append-only file.
    private func log(in folder: URL) throws -> URL {
        let parts = folder.appending(path: "appendonlydir")
        let names = try FileManager.default.contentsOfDirectory(atPath: parts.path)
        return parts.appending(path: try #require(names.filter { $0.hasSuffix(".incr.aof") }.max()))
    }

    /// Takes the last bytes away, as when the machine lost power before they came to the disk.
    private func tear(_ bytes: UInt64, off file: URL) throws {
        let handle = try FileHandle(forUpdating: file)
        try handle.truncate(atOffset: handle.seekToEnd() - bytes)
        try handle.close()
    }

    /// What alice's list holds, as redis-cli has it.
    private func contents(_ server: RedisServer) async throws -> [String] {
        let list = try await server.call("todomate_list", "alice")
        return list.matches(of: /"content":"([^"]*)"/).map { String($0.1) }
    }

    /// Makes one byte wrong where a transaction begins that others follow; returns the whole.
    private func damageTheMiddle(of file: URL) throws -> Data {
        var bytes = try Data(contentsOf: file)
        let begin = Data("*1\r\n$5\r\nMULTI".utf8)
        let middle = try #require(bytes.firstRange(of: begin, in: bytes.count / 2..<bytes.count))
        bytes[middle.lowerBound] = UInt8(ascii: "x")
        try bytes.write(to: file)
        return bytes
    }

    private func kept(beside file: URL) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        return names.filter { $0.hasPrefix(file.lastPathComponent + ".torn-") }
    }

    // In the middle of EXEC, before EXEC, in the middle of a command, and between two.
    @Test("is gone for good, and kept aside", arguments: [1, 14, 20, 40, 80, 300] as [UInt64])
    func container(_ bytes: UInt64) async throws {
        try await withRedis("--appendonly", "yes", "--appendfsync", "always", "--aof-load-truncated", "no") { server in
            _ = try await server.todomate("list", "alice")
            // An id that might be taken for the end of a transaction.
            try await server.add("alice", "milk", id: "EXEC")
            try await server.call("todomate_remove", "alice", "EXEC")
            #expect(try await contents(server) == [])
            await server.crash()
            let file = try log(in: server.folder)
            try tear(bytes, off: file)
            let said = try await server.repairLog()
            #expect(try kept(beside: file).count == 1 && said.contains(file.lastPathComponent), "\(said)")
            #expect(try await server.repairLog() == "", "there is nothing left to repair")
            try await server.start()
            #expect(try await contents(server) == ["milk"])
            try await server.add("alice", "bread", id: "t2")
            let log = try await server.log(of: "alice")
            #expect(log.count == 2)
            await server.crash()
            #expect(try await server.repairLog() == "")
            try await server.start()
            #expect(try await contents(server) == ["milk", "bread"])
            #expect(try await server.log(of: "alice") == log)
        }
    }

    @Test("is not what damage in the middle of the file is taken for")
    func damage() async throws {
        try await withRedis("--appendonly", "yes", "--appendfsync", "always") { server in
            _ = try await server.todomate("list", "alice")
            for content in ["milk", "bread", "tea"] { try await server.add("alice", content) }
            await server.crash()
            let file = try log(in: server.folder)
            let bytes = try damageTheMiddle(of: file)
            #expect(try await server.repairLog().contains("left \(file.path) as it is"))
            #expect(try Data(contentsOf: file) == bytes)
            #expect(try kept(beside: file) == [])
        }
    }

    @Test("is cut off by todomate up as well")
    func up() async throws {
        let folder = DataFolder()
        try await withUp(in: folder) { up in
            try await up.add("milk")
            // An id that might be taken for the end of a transaction.
            let bread = #"{"id":"EXEC","content":"bread","date":"2026-11-20"}"#
            #expect(try await up.cli("FCALL", "todomate_add", "1", "todomate:{alice}", bread).hasPrefix("{"))
        }
        let file = try log(in: folder.url)
        try tear(40, off: file)
        try await withUp(in: folder) { up in
            #expect(up.log("cut off what a crash left") == 1)
            #expect(try kept(beside: file).count == 1)
            try await up.add("tea")
        }
        try await withUp(in: folder) { up in
            #expect(up.log("cut off what a crash left") == 0)
            let list = try await up.cli("FCALL_RO", "todomate_list", "1", "todomate:{alice}")
            #expect(list.contains("milk") && list.contains("tea") && !list.contains("bread"), "\(list)")
            #expect(list.hasPrefix(#"{"id":"2-"#), "\(list)")
        }
    }

    @Test("is not what damage is taken for by todomate up, which lets Redis refuse it")
    func upDamaged() async throws {
        let folder = DataFolder()
        try await withUp(in: folder) { up in
            for content in ["milk", "bread", "tea"] { try await up.add(content) }
        }
        let file = try log(in: folder.url)
        let bytes = try damageTheMiddle(of: file)
        let words = ["up", "--data", folder.url.path, "--http-port", String(try freePort())]
        let outcome = try await Program.run("todomate", words)
        #expect(outcome.ending == .exit(69) && outcome.errors.contains("redis-server does not start"))
        #expect(try Data(contentsOf: file) == bytes)
        #expect(try kept(beside: file) == [])
    }
}
