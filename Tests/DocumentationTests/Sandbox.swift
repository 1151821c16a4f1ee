import EventLoop
import Foundation
import TestServers
import Testing

/// A folder that looks to commands as a built checkout does to a newcomer, with a free port in place of the usual one.
///
/// The commands run word for word; programs of these names stand before the real ones:
///
/// - `redis-cli` goes to the sandbox's Redis where the document names none;
/// - `curl` goes to the sandbox's port where the document means 8080;
/// - `scripts/run` starts what the tests' build made, without building it again;
/// - `swift run` starts what the build made of a snippet or example.
@LoopActor
final class Sandbox {
    private let folder: URL
    private let httpPort: Int
    private var running: [RunningProgram] = []

    /// Runs `body` in a sandbox, and ends what it started, the latest first. Returns how that ended and what it said.
    static func with(
        _ body: @LoopActor (Sandbox) async throws -> Void
    ) async throws -> [(ending: ChildProcess.Ending, errors: String)] {
        let sandbox = try Sandbox()
        do {
            try await body(sandbox)
        } catch {
            _ = await sandbox.end()
            throw error
        }
        return await sandbox.end()
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "todomate-docs-\(UUID().uuidString.prefix(8))")
        httpPort = try freePort()
        let built = Program.builtPrograms.path
        let programs = [
            "bin/redis-cli": """
            [ "$1" = -s ] || set -- -s .todomate/redis.sock "$@"
            PATH=${PATH#*:} exec redis-cli "$@"
            """,
            "bin/curl": "PATH=${PATH#*:} exec curl \"${@//127.0.0.1:8080/127.0.0.1:\(httpPort)}\"",
            "bin/swift": """
            [ "$1" = run ] || { echo "the sandbox has no swift $1" >&2; exit 64; }
            if [ "$2" = --package-path ] && [ "$3" = Examples ]; then
                exec stdbuf -oL "\(Checkout.examplePrograms)/$4"
            fi
            exec "\(built)/$2"
            """,
            "scripts/run": "exec todomate up \"$@\"",
        ]
        for (name, script) in programs {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("#!/bin/bash\n\(script)\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
        // Whoever is asked for a password types this.
        try Data("correct horse battery\ncorrect horse battery\n".utf8).write(to: folder.appending(path: "typed"))
    }

    /// Runs a script to its end.
    func run(_ script: String) async throws -> Program.Outcome {
        var outcome = try await Program.run("bash", arguments(script), environment: environment)
        outcome.output = shown(outcome.output)
        return outcome
    }

    /// Starts a command that goes on, and returns what it has printed so far whenever that is asked for.
    func start(_ command: String) async throws -> @LoopActor () -> String {
        // Not a shell of its own: what ends the program must end the command.
        let script = command.replacing(/^(\w+=\S+ )*/) { "\($0.0)exec " }
        let program = try RunningProgram("bash", arguments(script), environment: environment)
        running.append(program)
        if command.hasPrefix("scripts/run") {
            // A reader takes longer to get to the next command than the workers to be ready for it.
            try await eventually("both workers observe") { program.errors.matches(of: /message=observing/).count == 2 }
        }
        return { self.shown(program.output) }
    }

    private func end() async -> [(ending: ChildProcess.Ending, errors: String)] {
        var endings: [(ChildProcess.Ending, String)] = []
        for program in running.reversed() { endings.append((await program.stop(), program.errors)) }
        try? FileManager.default.removeItem(at: folder)
        return endings
    }

    private func arguments(_ script: String) -> [String] {
        ["-c", "cd \"$0\" && exec <typed; set -euo pipefail\n\(script)", folder.path]
    }

    private var environment: [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return [
            "PATH": "\(folder.path)/bin:\(Program.builtPrograms.path):\(path)",
            // Set to nothing counts as not set: commands find the Redis of the sandbox by its folder.
            "TODOMATE_REDIS": "", "TODOMATE_REDIS_PORT": "", "TODOMATE_DATA": "",
            "TODOMATE_HTTP_PORT": String(httpPort),
        ]
    }

    /// What was printed, with the usual port.
    private func shown(_ text: String) -> String {
        text.replacing("127.0.0.1:\(httpPort)", with: "127.0.0.1:8080")
    }
}
