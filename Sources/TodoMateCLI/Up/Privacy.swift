import CommandArguments
import Foundation

/// What other users of this machine may do with a file, folder or socket.
enum Privacy {
    /// Whether anyone but its owner, who must be this user, has rights to it; a link counts as what it leads to.
    ///
    /// - Throws: `CommandError` when it, or a link in its place, belongs to someone else, or it does not exist.
    static func isOpenToOthers(_ path: String) throws -> Bool {
        guard let (entry, target) = owners(path) else {
            throw CommandError("\(path) cannot be inspected: \(String(cString: strerror(errno)))", exitCode: .ioError)
        }
        guard entry.st_uid == geteuid(), target.st_uid == geteuid() else {
            throw CommandError(
                "\(path) belongs to someone else, who could read and change the todos: name a folder of your own with "
                    + "--data, or make all of it yours with chown",
                exitCode: .config
            )
        }
        return target.st_mode & 0o077 != 0
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

    /// Whether it, and a link in its place, is this user's and can be changed by no one else.
    static func isOwn(_ path: String) -> Bool {
        guard let (entry, target) = owners(path) else { return false }
        return entry.st_uid == geteuid() && target.st_uid == geteuid() && target.st_mode & 0o022 == 0
    }

    /// What has that name, and for a link what it leads to: someone else may have made either.
    private static func owners(_ path: String) -> (entry: stat, target: stat)? {
        var (entry, target) = (stat(), stat())
        return lstat(path, &entry) == 0 && stat(path, &target) == 0 ? (entry, target) : nil
    }
}
