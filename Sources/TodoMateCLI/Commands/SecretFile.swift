import CommandArguments
import Foundation

/// Secrets in files, as container engines and systemd hand them over: neither the environment nor the list of processes
/// shows them.
enum SecretFile {
    /// Far more than any secret has: a wrong path must not read a disk.
    private static let mostBytes = 4096

    /// The lines of a file, at least one; a line feed at the end belongs to none.
    ///
    /// - Throws: `CommandError` when it cannot be read or holds no secret; what it holds is in no message.
    static func lines(_ path: String) throws(CommandError) -> [String] {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw objection(path, "it cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { try? file.close() }
        let bytes: Data
        do {
            bytes = try file.read(upToCount: mostBytes + 1) ?? Data()
        } catch {
            throw objection(path, "it cannot be read: name a file")
        }
        guard bytes.count <= mostBytes else { throw objection(path, "it has more than \(mostBytes) bytes") }
        guard var text = String(bytes: bytes, encoding: .utf8), !text.utf8.contains(0) else {
            throw objection(path, "it is not text: write the secret as base64 or hexadecimal digits")
        }
        if text.utf8.last == UInt8(ascii: "\n") { text = String(decoding: text.utf8.dropLast(), as: UTF8.self) }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard !lines.contains(where: \.isEmpty) else { throw objection(path, "it is empty or has an empty line") }
        guard !lines.contains(where: { $0.utf8.last == UInt8(ascii: "\r") }) else {
            throw objection(path, "its lines end with carriage returns: write it with line feeds alone")
        }
        return lines
    }

    private static func objection(_ path: String, _ reason: String) -> CommandError {
        CommandError("the secret file \(path) is of no use: \(reason)", exitCode: .config)
    }
}
