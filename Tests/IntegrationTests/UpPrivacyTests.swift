import EventLoop
import Foundation
import TestServers
import Testing

/// Another user of this machine, as whom root may run programs.
enum Stranger {
    static let id: UInt32 = 65_534

    /// Whether these tests run as root.
    static var isThere: Bool { geteuid() == 0 }

    static func run(_ program: String, _ arguments: String...) async throws -> Program.Outcome {
        let user = ["--reuid=\(id)", "--regid=\(id)", "--clear-groups", "--", program]
        return try await Program.run("setpriv", user + arguments)
    }
}

@Suite("What todomate up keeps from other users of the machine", .serialized)
@LoopActor
struct UpPrivacyTests {
    /// A folder beside which others may look around.
    private func folderInTheOpen() throws -> DataFolder {
        let folder = DataFolder()
        let parent = folder.url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        chmod(parent.path, 0o755)
        return folder
    }

    /// What others have rights to, of all that there is.
    private func open(in folder: DataFolder) throws -> [String] {
        let parts = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        #expect(parts.contains("redis.log") && parts.contains { $0.hasPrefix("appendonlydir/") }, "\(parts)")
        return try ([""] + parts).filter { try mode($0, in: folder) & 0o077 != 0 }
    }

    private func mode(_ name: String, in folder: DataFolder) throws -> UInt32 {
        var facts = stat()
        try #require(lstat(folder.url.appending(path: name).path, &facts) == 0, "\(name)")
        return facts.st_mode & 0o7777
    }

    /// What it says of a folder that it must not take; with it, it would say that there is no redis-server.
    private func refused(_ folder: DataFolder) async throws -> Program.Outcome {
        let nowhere = ["PATH": "/nowhere"]
        return try await Program.run("todomate", ["up", "--data", folder.url.path], environment: nowhere)
    }

    @Test("is all of its folder, and its Redis has no port")
    func modes() async throws {
        let folder = try folderInTheOpen()
        try await withUp(in: folder) { up in
            try await up.add("milk")
            #expect(try open(in: folder) == [])
            #expect(try mode("", in: folder) == 0o700)
            #expect(try mode("redis.sock", in: folder) == 0o600)
            #expect(try mode("redis.log", in: folder) == 0o600)
            #expect(try mode("appendonlydir", in: folder) == 0o700)
            #expect(try await up.cli("INFO", "server").contains("tcp_port:0"))
            #expect(up.log("others could read") == 0)
        }
    }

    @Test(
        "is neither read nor written by one",
        .enabled(if: Stranger.isThere, "only root can run programs as another user"),
        arguments: [false, true]
    )
    func stranger(_ hasPort: Bool) async throws {
        let folder = try folderInTheOpen()
        let options = hasPort ? ["--port", String(try freePort())] : ["--observe", "alice"]
        try await withUp(in: folder, options[0], options[1]) { up in
            try await up.add("milk")
            let beside = folder.url.deletingLastPathComponent().appending(path: "beside")
            try Data("seen".utf8).write(to: beside)
            chmod(beside.path, 0o644)
            #expect(try await Stranger.run("cat", beside.path).output == "seen", "what is not private is readable")
            for name in FileManager.default.enumerator(atPath: folder.url.path)?.compactMap({ $0 as? String }) ?? [] {
                let outcome = try await Stranger.run("cat", folder.url.appending(path: name).path)
                #expect(outcome.output == "" && outcome.errors.contains("Permission denied"), "\(name): \(outcome)")
            }
            #expect(try await Stranger.run("ls", folder.url.path).output == "")
            let socket = try await Stranger.run("redis-cli", "-s", up.socket, "PING")
            #expect(socket.errors.contains("Permission denied") && !socket.output.contains("PONG"), "\(socket)")
            let setting = try await up.cli("CONFIG", "GET", "port")
            let port = try #require(setting.split(separator: "\n").last)
            #expect((port != "0") == hasPort)
            if port != "0" {
                let answer = try await Stranger.run("redis-cli", "-p", String(port), "KEYS", "*")
                #expect(answer.output.hasPrefix("NOAUTH"), "\(answer)")
                let processes = try await Stranger.run("ps", "-eo", "args")
                #expect(processes.output.contains("redis-server"))
                #expect(!up.password.isEmpty && !processes.output.contains(up.password))
            }
        }
    }

    @Test("is the port that was asked for without the password, which stays the same")
    func port() async throws {
        let folder = try folderInTheOpen()
        var password = ""
        for _ in 1...2 {
            let first = String(try freePort())
            try await withUp(in: folder, "--port", first) { up in
                let port = String(try #require(up.port))
                #expect(up.program.lines.first?.hasPrefix("Open the board") == true, "\(up.program.lines)")
                #expect(try await Program.run("redis-cli", ["-p", port, "PING"]).output.hasPrefix("NOAUTH"))
                #expect(try await Program.run("redis-cli", ["-s", up.socket, "PING"]).output.hasPrefix("NOAUTH"))
                #expect(password.isEmpty || up.password == password)
                password = up.password
                #expect(password.count == 64 && password.allSatisfy(\.isHexDigit))
                #expect(try open(in: folder) == [])
                #expect(try mode("password", in: folder) == 0o600)
                let login = ["REDISCLI_AUTH": password]
                let answer = try await Program.run("redis-cli", ["-p", port, "PING"], environment: login)
                #expect(answer.output == "PONG\n")
                try await up.add("milk")
                try await eventually("both show it") { up.shown("milk").count == 2 }
                try await up.waitUntilWritten()
                // What is started again has the password as well.
                for number in try await up.children["redis-server"] ?? [] { kill(number, SIGKILL) }
                try await eventually("Redis is back") {
                    up.log("starting it again") == 1 ? try await up.cli("PING") == "PONG" : false
                }
                #expect(try await Program.run("redis-cli", ["-p", port, "PING"]).output.hasPrefix("NOAUTH"))
                try await up.add("tea")
                try await eventually("both show it") { up.shown("tea").count >= 2 }
            }
        }
        // The password holds where nobody asks for the port any more, for those who were told of it.
        try await withUp(in: folder) { up in
            #expect(up.port == nil && up.password == password)
            let facts = try await up.cli("INFO", "server")
            #expect(facts.contains("tcp_port:0"))
            let answer = try await Program.run("redis-cli", ["-s", up.socket, "PING"])
            #expect(answer.output.hasPrefix("NOAUTH"))
        }
    }

    @Test("is the password, which stands on no command line even before Redis hides its own")
    func commandLines() async throws {
        let folder = try folderInTheOpen()
        let programs = folder.url.deletingLastPathComponent()
        let (server, path) = (programs.appending(path: "redis-server"), ProcessInfo.processInfo.environment["PATH"])
        let script = "#!/bin/sh\necho \"$0 $*\" >>\"$0.calls\"\nPATH=${PATH#*:} exec redis-server \"$@\"\n"
        try Data(script.utf8).write(to: server)
        chmod(server.path, 0o755)
        let search = ["PATH": "\(programs.path):\(path ?? "")"]
        try await withUp(in: folder, "--port", String(try freePort()), environment: search) { up in
            var lines = try String(contentsOfFile: server.path + ".calls", encoding: .utf8)
            #expect(lines.contains("--unixsocket"))
            for number in try await up.children["todomate"] ?? [] {
                lines += try String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
            }
            #expect(lines.contains("worker-2"))
            #expect(!up.password.isEmpty && !lines.contains(up.password))
        }
    }

    @Test("is what an earlier version left open, with all that is in it", arguments: ["go+rX", "go+rwX"])
    func earlier(_ rights: String) async throws {
        let folder = try folderInTheOpen()
        try await withUp(in: folder) { up in try await up.add("kept") }
        _ = try await Program.run("chmod", ["-R", rights, folder.url.path])
        #expect(try open(in: folder).count > 4)
        try await withUp(in: folder) { up in
            #expect(up.log("others could read or enter what was kept") == 1)
            let left = try open(in: folder)
            #expect(left == [])
            let list = try await up.cli("FCALL_RO", "todomate_list", "1", "todomate:{alice}")
            #expect(list.contains("\"kept\""))
        }
    }

    @Test(
        "is not looked for in a folder of somebody else, nor among files of theirs",
        .enabled(if: Stranger.isThere, "needs root")
    )
    func foreign() async throws {
        for name in ["", "appendonlydir", "password", "redis.log"] {
            let folder = try folderInTheOpen()
            let place = folder.url.appending(path: name)
            let container = name == "" || name == "appendonlydir" ? place : folder.url
            try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
            if name == "password" { try Data("known\n".utf8).write(to: place) }
            if name == "redis.log" {
                // Redis would write into another file of its owner's.
                let letter = folder.url.deletingLastPathComponent().appending(path: "letter")
                try Data().write(to: letter)
                try FileManager.default.createSymbolicLink(at: place, withDestinationURL: letter)
            }
            lchown(place.path, Stranger.id, Stranger.id)
            let outcome = try await refused(folder)
            #expect(outcome.ending == .exit(78) && outcome.output == "")
            #expect(outcome.errors.contains("belongs to someone else"), "\(outcome.errors)")
            #expect(outcome.errors.contains("--data") && outcome.errors.split(separator: "\n").count == 1)
        }
    }

    @Test("is no reason to lock others out of a folder of another use")
    func otherUse() async throws {
        let folder = try folderInTheOpen()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data().write(to: folder.url.appending(path: "letter"))
        chmod(folder.url.path, 0o755)
        let outcome = try await refused(folder)
        #expect(outcome.ending == .exit(78) && outcome.errors.contains("holds other things than todos"))
        #expect(try mode("", in: folder) == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["letter"])
    }

    @Test("is refused, rather than put on a port, where the path is too long for a socket; a link to it will do")
    func longPath() async throws {
        let folder = DataFolder(String(repeating: "long-", count: 30))
        let outcome = try await refused(folder)
        #expect(outcome.ending == .exit(78) && outcome.output == "")
        #expect(outcome.errors.contains("too long for the socket"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let link = DataFolder()
        try FileManager.default.createDirectory(
            at: link.url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(at: link.url, withDestinationURL: folder.url)
        try await withUp(in: link) { up in
            try await up.add("milk")
            try await eventually("both show it") { up.shown("milk").count == 2 }
            #expect(try mode("", in: folder) == 0o700)
        }
    }
}
