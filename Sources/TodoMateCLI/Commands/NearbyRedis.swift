import CommandArguments
import Foundation
import RedisClient

/// The Redis of a `todomate up` in the current folder: the default of commands there.
struct NearbyRedis {
    /// The path of its socket.
    let socket: String
    /// The file with its password; nil when it wants none.
    let passwordFile: String?

    /// Looks for its socket in `TODOMATE_DATA`, or else `.todomate`; nil when there is none.
    ///
    /// - Throws: `CommandError` for a socket that someone else made, or could have made: they would read what is written.
    init?(_ environment: [String: String]) throws(CommandError) {
        let named = environment[DataDirectory.variable].flatMap { $0.isEmpty ? nil : $0 }
        let folder = URL(fileURLWithPath: named ?? DataDirectory.usualPath).standardizedFileURL.path
        socket = folder + "/" + DataDirectory.socketName
        var facts = stat()
        guard lstat(socket, &facts) == 0 else { return nil }
        guard facts.st_mode & S_IFMT == S_IFSOCK, facts.st_uid == geteuid(), Privacy.isOwn(folder) else {
            throw CommandError(
                "\(socket) is not only yours, and its maker could read and change the todos: name the Redis that you "
                    + "mean with --redis or TODOMATE_REDIS",
                exitCode: .config
            )
        }
        guard socket.utf8.count <= DataDirectory.longestSocketPath else {
            throw CommandError(
                "the path \(socket) is too long for a socket: name the Redis with --redis or TODOMATE_REDIS",
                exitCode: .config
            )
        }
        let password = folder + "/" + DataDirectory.passwordName
        passwordFile = FileManager.default.fileExists(atPath: password) ? password : nil
    }
}
