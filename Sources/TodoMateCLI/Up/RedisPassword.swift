import CommandArguments
import Foundation

/// The password of the Redis in a data folder, in a file that its owner alone reads. Where that file is, Redis wants it.
struct RedisPassword: Sendable {
    /// Where it is.
    let path: String
    /// What it is.
    let text: String

    /// The password in the folder, made where it is needed and there is none.
    ///
    /// - Throws: `CommandError` when the file cannot be read or written, or holds no password.
    init?(in folder: DataDirectory, isNeeded: Bool) throws {
        path = folder.file(DataDirectory.passwordName)
        if !FileManager.default.fileExists(atPath: path) {
            guard isNeeded else { return nil }
            var generator = SystemRandomNumberGenerator()
            let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            do {
                try Data((digits + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                throw CommandError(
                    "the password file \(path) cannot be written: \(error.localizedDescription)",
                    exitCode: .ioError
                )
            }
        }
        let lines = try SecretFile.lines(path)
        guard lines.count == 1 else {
            throw CommandError("the password file \(path) has more than one line", exitCode: .config)
        }
        text = lines[0]
    }
}
