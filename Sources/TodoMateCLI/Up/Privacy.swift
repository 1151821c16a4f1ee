import Foundation

/// What other users of this machine may do with a file, folder or socket.
enum Privacy {
    /// Whether anybody but its owner, who must be this user, has rights to it; where a link leads counts.
    ///
    /// - Throws: `CommandError` when it belongs to somebody else, or is not there.
    static func isOpenToOthers(_ path: String) throws -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            throw CommandError("\(path) cannot be looked at: \(String(cString: strerror(errno)))", exitCode: .ioError)
        }
        guard facts.st_uid == geteuid() else {
            throw CommandError(
                "\(path) belongs to somebody else, who could read and change the todos: name a folder of your own with "
                    + "--data, or make all of it yours with chown",
                exitCode: .config
            )
        }
        return facts.st_mode & 0o077 != 0
    }

    /// Takes the rights of all but its owner.
    static func shutOthersOut(of path: String) throws {
        var facts = stat()
        guard stat(path, &facts) == 0, chmod(path, facts.st_mode & 0o700) == 0 else {
            throw CommandError(
                "others may read \(path), and that cannot be changed: \(String(cString: strerror(errno)))",
                exitCode: .ioError
            )
        }
    }

    /// Whether it is there and this user's, links on the way to it included, so that nobody else put it there.
    static func isOwn(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_uid == geteuid() && stat(path, &facts) == 0
            && facts.st_uid == geteuid() && facts.st_mode & 0o022 == 0
    }
}
