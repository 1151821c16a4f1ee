import CommandArguments
import Foundation
import TerminalUI

/// The file that is imported, to be read more than once: what comes from a pipe is copied into a nameless file first.
final class ImportSource {
    private let descriptor: Int32
    /// How many bytes it has.
    let size: Int

    /// - Parameter path: nil for standard input.
    /// - Throws: `CommandError` when it cannot be read.
    init(_ path: String?) throws(CommandError) {
        let name = path ?? "standard input"
        let opened = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? dup(STDIN_FILENO)
        guard opened >= 0 else { throw Self.failure(name) }
        var status = stat()
        guard fstat(opened, &status) == 0 else { throw Self.failure(name) }
        if status.st_mode & S_IFMT == S_IFREG {
            (descriptor, size) = (opened, Int(status.st_size))
        } else {
            defer { close(opened) }
            (descriptor, size) = try Self.copy(of: opened, name)
        }
        try refuseCompressed(name)
    }

    deinit { close(descriptor) }

    /// Reads it from the beginning.
    func lines(longest: Int) -> LineReader {
        lseek(descriptor, 0, SEEK_SET)
        return LineReader(descriptor, longest: longest)
    }

    private func refuseCompressed(_ name: String) throws(CommandError) {
        var start = [UInt8](repeating: 0, count: 4)
        pread(descriptor, &start, start.count, 0)
        let readers: [(magic: [UInt8], program: String)] = [
            ([0x1F, 0x8B], "zcat"), ([0x28, 0xB5, 0x2F, 0xFD], "zstdcat"), ([0xFD, 0x37, 0x7A, 0x58], "xzcat"),
        ]
        guard let program = readers.first(where: { start.starts(with: $0.magic) })?.program else { return }
        throw CommandError("\(name) is compressed: use '\(program) FILE | todomate import'", exitCode: .dataError)
    }

    private static func copy(of source: Int32, _ name: String) throws(CommandError) -> (descriptor: Int32, size: Int) {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/todomate-import.XXXXXX".utf8CString)
        let copy = mkstemp(&template)
        guard copy >= 0 else { throw failure("a temporary file for \(name)") }
        unlink(template)
        var size = 0
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                guard count == 0 else { throw failure(name) }
                return (copy, size)
            }
            guard Terminal(descriptor: copy, environment: [:]).write(bytes: Array(buffer.prefix(count))) else {
                throw failure("the temporary file for \(name)")
            }
            size += count
        }
    }

    private static func failure(_ name: String) -> CommandError {
        CommandError("\(name) cannot be read: \(String(cString: strerror(errno)))", exitCode: .ioError)
    }
}
