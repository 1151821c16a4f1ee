package import Foundation

/// A process that this one started, and that ends when this one does.
///
/// Where `setpriv` (util-linux) is installed, the kernel sends the child SIGTERM when this process ends, even by a crash. The
/// child has its own process group: Ctrl-C in the terminal reaches this process only.
@LoopActor
package final class ChildProcess {
    /// How the process came to its end.
    package enum Ending: Sendable, Equatable, CustomStringConvertible {
        /// It returned this code.
        case exit(Int32)
        /// This signal ended it.
        case signal(Int32)

        /// One line for people.
        package var description: String {
            switch self {
            case .exit(let code): "exit code \(code)"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    private let process: Process
    private var ending: Ending?
    private var waiters: [UnsafeContinuation<Ending, Never>] = []

    /// Starts `executable`, looked up on the `PATH` when its name has no slash.
    ///
    /// - Parameters:
    ///   - executable: a path, or a name to look up.
    ///   - arguments: what follows the name on the command line.
    ///   - environment: set on top of this process's own.
    ///   - input: what it reads from its standard input; nil for nothing.
    ///   - output: where its standard output goes; nil for this process's own.
    ///   - errors: where its standard error goes; nil for this process's own.
    /// - Throws: ``ChildProcessError``.
    package init(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: FileHandle? = nil,
        output: FileHandle? = nil,
        errors: FileHandle? = nil
    ) throws(ChildProcessError) {
        guard let path = Self.find(executable) else { throw .notFound(executable) }
        process = Process()
        if let setpriv = Self.find("setpriv") {
            process.executableURL = URL(fileURLWithPath: setpriv)
            process.arguments = ["--pdeathsig", "TERM", "--", path] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
        }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input ?? FileHandle.nullDevice
        if let output { process.standardOutput = output }
        if let errors { process.standardError = errors }
        process.terminationHandler = { [weak self] process in
            let ending: Ending =
                process.terminationReason == .exit
                ? .exit(process.terminationStatus) : .signal(process.terminationStatus)
            Task { @LoopActor in self?.ended(ending) }
        }
        do {
            // On the loop's thread, which never ends: the kernel watches the thread that started the child.
            try process.run()
        } catch {
            throw .notStarted(executable, "\(error)")
        }
    }

    /// Its number.
    package var pid: Int32 { process.processIdentifier }

    /// Whether it has not ended.
    package var isRunning: Bool { ending == nil }

    /// Sends it a signal, unless it has ended.
    package func signal(_ number: Int32) {
        if isRunning { kill(pid, number) }
    }

    /// Returns when it has ended.
    package func waitUntilEnded() async -> Ending {
        if let ending { return ending }
        return await withUnsafeContinuation { waiters.append($0) }
    }

    /// Sends SIGTERM, and SIGKILL when it is still there after `grace`; returns when it has ended.
    @discardableResult
    package func stop(grace: Duration = .seconds(5)) async -> Ending {
        signal(SIGTERM)
        let timer = LoopTimer { [weak self] in self?.signal(SIGKILL) }
        timer.start(after: grace)
        defer { timer.cancel() }
        return await waitUntilEnded()
    }

    private func ended(_ ending: Ending) {
        self.ending = ending
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume(returning: ending) }
    }

    /// The path of an executable, as a shell would find it.
    package nonisolated static func find(_ name: String) -> String? {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// Why a process could not be started.
package enum ChildProcessError: Error, Sendable, CustomStringConvertible {
    /// There is no such program.
    case notFound(String)
    /// The system refused.
    case notStarted(String, String)

    /// One line for people.
    package var description: String {
        switch self {
        case .notFound(let name): "\(name) was not found on the PATH: install it"
        case .notStarted(let name, let reason): "\(name) could not be started: \(reason)"
        }
    }
}
