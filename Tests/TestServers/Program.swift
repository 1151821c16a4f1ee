public import EventLoop
public import Foundation

/// Runs a program to its end.
public enum Program {
    /// What a program left behind.
    public struct Outcome: Sendable {
        /// What it wrote to standard output.
        public var output: String
        /// What it wrote to standard error.
        public var errors: String
        /// How it ended.
        package var ending: ChildProcess.Ending
    }

    /// Runs a program and returns what it wrote.
    public static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        let program = try await RunningProgram(name, arguments, environment: environment)
        let ending = await program.waitUntilEnded()
        return Outcome(output: program.output, errors: program.errors, ending: ending)
    }

    /// The folder that the build puts programs into; `TODOMATE_PROGRAMS` names that of another build.
    public static var builtPrograms: URL {
        if let folder = ProcessInfo.processInfo.environment["TODOMATE_PROGRAMS"] { return URL(fileURLWithPath: folder) }
        // The test runner lies there as well.
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/", !FileManager.default.isExecutableFile(atPath: folder.path + "/todomate") {
            folder.deleteLastPathComponent()
        }
        return folder
    }
}

/// A program that runs while the test goes on; what it writes goes to files in a temporary folder.
public final class RunningProgram: Sendable {
    private let child: ChildProcess
    private let folder: URL

    /// Starts a program: one that the build made, or one on the `PATH`.
    @LoopActor
    public init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "todomate-run-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = try ["output", "errors"].map { name in
            try Data().write(to: folder.appending(path: name))
            return try FileHandle(forWritingTo: folder.appending(path: name))
        }
        self.folder = folder
        defer { for file in files { try? file.close() } }
        let built = Program.builtPrograms.path + "/" + name
        child = try ChildProcess(
            FileManager.default.isExecutableFile(atPath: built) ? built : name,
            arguments,
            environment: environment,
            output: files[0],
            errors: files[1]
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What it has written to standard output so far.
    public var output: String { text("output") }

    /// What it has written to standard error so far.
    public var errors: String { text("errors") }

    /// The whole lines of its output so far.
    public var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Its number.
    public var pid: Int32 { get async { await child.pid } }

    /// Sends it a signal.
    public func signal(_ number: Int32) async { await child.signal(number) }

    /// Returns when it has ended.
    @discardableResult
    package func waitUntilEnded() async -> ChildProcess.Ending { await child.waitUntilEnded() }

    /// Ends it with SIGTERM, and with SIGKILL after a time that is long for all that a program has to end itself.
    @discardableResult
    package func stop() async -> ChildProcess.Ending { await child.stop(grace: .seconds(20)) }

    private func text(_ name: String) -> String {
        (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
    }
}
