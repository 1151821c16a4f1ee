import Foundation

/// The folder in which `todomate up` keeps its Redis; one `up` at a time may use it.
final class DataDirectory: Sendable {
    /// The folder's absolute path.
    let path: String
    private let lock: Int32

    /// Makes the folder, readable by its owner alone, and takes it for this process.
    ///
    /// - Throws: `CommandError` when it cannot be made, or another `up` has it.
    init(_ path: String) throws {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = cause.flatMap {
                $0.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32($0.code))) : nil
            }
            throw CommandError(
                "the folder \(url.path) cannot be made: \(reason ?? error.localizedDescription)",
                exitCode: .ioError
            )
        }
        self.path = url.path
        let descriptor = open(url.path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandError(
                "the folder \(url.path) cannot be written: \(String(cString: strerror(errno)))",
                exitCode: .ioError
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            let advice = "stop it first, or name another folder with --data"
            throw CommandError("another 'todomate up' runs in \(url.path): \(advice)", exitCode: .unavailable)
        }
        lock = descriptor
    }

    deinit { close(lock) }

    /// A file in the folder.
    func file(_ name: String) -> String { path + "/" + name }
}
