import CommandArguments
import Foundation
import TerminalUI

/// Where an export goes: standard output, or a file that appears only once it is whole.
final class ArchiveWriter {
    private static let chunk = 262_144

    private let path: String?
    private let temporary: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isFinished = false
    /// Whether the output was closed by its reader.
    private(set) var isAbandoned = false

    /// - Parameter path: nil for standard output.
    /// - Throws: `CommandError` when the file cannot be made.
    init(_ path: String?) throws(CommandError) {
        self.path = path
        buffer.reserveCapacity(Self.chunk * 2)
        guard let path else {
            (temporary, descriptor) = ("", STDOUT_FILENO)
            return
        }
        temporary = "\(path).\(getpid()).part"
        // Todos, and perhaps password hashes, are the owner's business.
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    deinit {
        guard path != nil else { return }
        close(descriptor)
        if !isFinished { unlink(temporary) }
    }

    /// Adds a line.
    func write(_ line: some Collection<UInt8>) throws(CommandError) {
        buffer.append(contentsOf: line)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.chunk { try flush() }
    }

    /// Writes what is left, and gives the file its name.
    func finish() throws(CommandError) {
        try flush()
        guard let path else { return }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw Self.failure(path) }
        isFinished = true
    }

    private func flush() throws(CommandError) {
        defer { buffer.removeAll(keepingCapacity: true) }
        let terminal = Terminal(descriptor: descriptor, environment: [:])
        guard !isAbandoned, !buffer.isEmpty, !terminal.write(bytes: buffer) else { return }
        // A reader that has seen enough, such as `head`, is no error.
        guard path == nil, errno == EPIPE else { throw Self.failure(path ?? "standard output") }
        isAbandoned = true
    }

    private static func failure(_ path: String) -> CommandError {
        CommandError("\(path) cannot be written: \(String(cString: strerror(errno)))", exitCode: .ioError)
    }
}
