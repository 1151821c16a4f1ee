import EventLoop
import Foundation
import TestServers
import Testing

@Suite("todomate up on ground that is taken", .serialized)
@LoopActor
struct UpRefusalTests {
    @Test("takes the next free port and does not touch the Redis that has the first")
    func takenPort() async throws {
        try await withRedis { server in
            let port = try await server.openPort()
            try await server.cli("SET", "precious", "yes")
            try await withUp(in: DataFolder(), "--port", String(port)) { up in
                let own = try #require(up.port)
                #expect(own > port && own < port + 100)
                try await up.add("milk")
                try await eventually("both show it") { up.shown("milk").count == 2 }
                #expect(up.program.output.contains("redis-cli -p \(own) ") && !up.program.output.contains("\(port) "))
            }
            #expect(try await server.cli("KEYS", "*") == "precious")
            #expect(try await server.cli("FUNCTION", "LIST") == "")
            #expect(try await server.cli("PUBSUB", "CHANNELS") == "")
        }
    }

    @Test("leaves a folder alone that another one uses")
    func takenFolder() async throws {
        let folder = DataFolder()
        try await withUp(in: folder) { up in
            let before = try await up.children
            let second = try await Program.run("todomate", ["up", "--data", folder.url.path])
            #expect(second.ending == .exit(69) && second.output == "")
            #expect(second.errors.contains("another 'todomate up' runs in \(folder.url.path)"))
            #expect(second.errors.split(separator: "\n").count == 1)
            #expect(try await up.children == before)
            try await up.add("milk")
            try await eventually("both show it") { up.shown("milk").count == 2 }
        }
    }

    @Test("runs beside another one that has a folder of its own")
    func beside() async throws {
        let port = String(try freePort())
        try await withUp(in: DataFolder(), "--port", port) { first in
            try await withUp(in: DataFolder(), "--port", port) { second in
                #expect(first.port != nil && second.port != nil && first.port != second.port)
                try await first.add("first")
                try await second.add("second")
                try await eventually("each shows its own") {
                    first.shown("first").count == 2 && second.shown("second").count == 2
                }
                #expect(first.shown("second").isEmpty && second.shown("first").isEmpty)
            }
        }
    }

    @Test("says what is wrong with a folder that cannot be used", arguments: ["file", "socket"])
    func badFolder(_ kind: String) async throws {
        let folder = DataFolder()
        let parent = folder.url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data().write(to: folder.url)
        let path = kind == "file" ? folder.url.path : folder.url.path + "/inside"
        let outcome = try await Program.run("todomate", ["up", "--data", path])
        #expect(outcome.ending == .exit(74) && outcome.output == "")
        #expect(outcome.errors.contains(path) && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(!outcome.errors.contains("Error Domain"), "\(outcome.errors)")
    }

    @Test("refuses a secret with which no worker would start")
    func shortSecret() async throws {
        let outcome = try await Program.run(
            "todomate",
            ["up", "--data", DataFolder().url.path],
            environment: ["TODOMATE_SECRET": "short"]
        )
        #expect(outcome.ending == .exit(78) && outcome.output == "")
        #expect(outcome.errors.contains("at least 32 bytes"))
    }

    @Test("says that there is no redis-server")
    func noRedis() async throws {
        let folder = DataFolder()
        let outcome = try await Program.run(
            "todomate",
            ["up", "--data", folder.url.path],
            environment: ["PATH": "/nowhere"]
        )
        #expect(outcome.ending == .exit(69) && outcome.output == "")
        #expect(outcome.errors == "todomate up: redis-server was not found on the PATH: install it\n")
    }

    @Test("gives up, with Redis's own words, on a file that Redis cannot read")
    func brokenFile() async throws {
        let folder = DataFolder()
        let appendOnly = folder.url.appending(path: "appendonlydir")
        try FileManager.default.createDirectory(at: appendOnly, withIntermediateDirectories: true)
        try Data("nonsense\n".utf8).write(to: appendOnly.appending(path: "appendonly.aof.manifest"))
        let words = ["up", "--data", folder.url.path, "--http-port", String(try freePort())]
        let outcome = try await Program.run("todomate", words)
        #expect(outcome.ending == .exit(69) && outcome.output == "")
        #expect(outcome.errors.contains("redis-server does not start"))
        #expect(outcome.errors.contains("manifest file"), "\(outcome.errors)")
        let manifest = try String(contentsOf: appendOnly.appending(path: "appendonly.aof.manifest"), encoding: .utf8)
        #expect(manifest == "nonsense\n", "nothing of it is lost")
    }
}
