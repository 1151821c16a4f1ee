import EventLoop
import Foundation
import TestServers
import Testing

/// It is about the one server that is found where none was named.
@Suite("A command that is told of no Redis", .serialized)
@LoopActor
struct NearbyRedisTests {
    /// Runs the command in a folder.
    private func todomate(
        in folder: URL,
        _ arguments: String...,
        environment: [String: String] = [:]
    ) async throws -> Program.Outcome {
        let program = Program.builtPrograms.appending(path: "todomate").path
        let script = "cd \"$0\" && exec \"$@\""
        let nothing = ["TODOMATE_REDIS": "", "TODOMATE_REDIS_PASSWORD_FILE": "", "TODOMATE_DATA": ""]
        return try await Program.run(
            "sh",
            ["-c", script, folder.path, program] + arguments,
            environment: nothing.merging(environment) { $1 }
        )
    }

    @Test("finds that of the todomate up in its folder, and its password", arguments: [false, true])
    func found(_ hasPort: Bool) async throws {
        let folder = DataFolder(".todomate")
        let options = hasPort ? ["--port", String(try freePort())] : ["--observe", "alice"]
        try await withUp(in: folder, options[0], options[1]) { up in
            let here = folder.url.deletingLastPathComponent()
            let added = try await todomate(in: here, "add", "alice", "milk")
            #expect(added.ending == .exit(0), "\(added)")
            try await eventually("both show it") { up.shown("milk").count == 2 }
            // Elsewhere by the folder's name.
            let elsewhere = URL(fileURLWithPath: "/")
            let list = try await todomate(
                in: elsewhere,
                "list",
                "alice",
                environment: ["TODOMATE_DATA": folder.url.path]
            )
            #expect(list.output.contains("milk"), "\(list)")
            let doctor = try await todomate(in: here, "doctor")
            #expect(doctor.output.contains("at \(up.socket), that of the 'todomate up' here"), "\(doctor)")
        }
    }

    @Test("prefers one that it is told of")
    func told() async throws {
        try await withRedis { server in
            try await withUp(in: DataFolder(".todomate")) { up in
                let here = up.folder.deletingLastPathComponent()
                let name = ["TODOMATE_REDIS": "unix://\(server.url)"]
                let added = try await todomate(in: here, "add", "alice", "milk", environment: name)
                #expect(added.ending == .exit(0), "\(added)")
                #expect(try await up.cli("EXISTS", "todomate:{alice}:log") == "0")
                let doctor = try await todomate(in: here, "doctor", "--redis", "unix://\(server.url)")
                #expect(doctor.output.contains("at \(server.url)") && !doctor.output.contains("'todomate up' here"))
            }
        }
    }

    @Test(
        "refuses a socket that somebody else made, or could have",
        arguments: ["socket", "folder", "open", "link", "file"]
    )
    func foreign(_ kind: String) async throws {
        guard Stranger.isThere || ["open", "file"].contains(kind) else {
            try Test.cancel("only root can give files to somebody else")
        }
        let folder = DataFolder(".todomate")
        try await withUp(in: folder) { up in
            let here = DataFolder("here")
            try FileManager.default.createDirectory(at: here.url, withIntermediateDirectories: true)
            let link = here.url.appending(path: ".todomate")
            if kind == "file" {
                try FileManager.default.createDirectory(at: link, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: link.appending(path: "redis.sock").path,
                    withDestinationPath: up.socket
                )
            } else {
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
            }
            if kind == "socket" { chown(up.socket, Stranger.id, Stranger.id) }
            if kind == "folder" { chown(folder.url.path, Stranger.id, Stranger.id) }
            if kind == "link" { lchown(link.path, Stranger.id, Stranger.id) }
            if kind == "open" { chmod(folder.url.path, 0o777) }
            let outcome = try await todomate(in: here.url, "add", "alice", "milk")
            #expect(outcome.ending == .exit(78) && outcome.output == "", "\(outcome)")
            #expect(outcome.errors.contains("is not only yours") && outcome.errors.contains("TODOMATE_REDIS"))
            #expect(try await up.cli("EXISTS", "todomate:{alice}:log") == "0")
        }
    }
}
