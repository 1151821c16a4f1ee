import CommandArguments
import Foundation

/// Files of JSON that say how a worker is to work.
enum SettingsFile {
    /// Far more than any of them has: a wrong path must not read a disk.
    private static let mostBytes = 1_048_576

    /// What a file holds.
    static func bytes(of path: String) throws(CommandError) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandError("\(path) cannot be opened: \(String(cString: strerror(errno)))", exitCode: .config)
        }
        defer { try? file.close() }
        guard let bytes = try? file.read(upToCount: mostBytes + 1), bytes.count <= mostBytes else {
            throw CommandError("\(path) is no file of at most \(mostBytes) bytes", exitCode: .config)
        }
        return Array(bytes)
    }

    /// Where a file is that another one names.
    static func path(of name: String, beside other: String) -> String {
        URL(fileURLWithPath: name, relativeTo: URL(fileURLWithPath: other).deletingLastPathComponent()).path
    }

    /// - Throws: `CommandError` when everybody on this machine may read a file.
    static func checkIsPrivate(_ path: String) throws(CommandError) {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & 0o004 != 0 else { return }
        throw CommandError(
            "everybody on this machine may read \(path), where a password belongs: take that away with 'chmod o-r \(path)'",
            exitCode: .config
        )
    }
}
