import CommandArguments
import Foundation

/// What other users of this machine may do with a file, folder or socket.
enum Privacy {
    /// Whether anybody but its owner, who must be this user, has rights to it; where a link leads counts.
    ///
    /// - Throws: `CommandError` when it, or a link in its place, belongs to somebody else, or it is not there.
    static func isOpenToOthers(_ path: String) throws -> Bool {
        guard let (entry, target) = owners(path) else {
            throw CommandError("\(path) cannot be looked at: \(String(cString: strerror(errno)))", exitCode: .ioError)
        }
        guard entry.st_uid == geteuid(), target.st_uid == geteuid() else {
            throw CommandError(
                "\(path) belongs to somebody else, who could read and change the todos: name a folder of your own with "
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

    /// Whether it, and a link in its place, is this user's, and nobody else can change it.
    static func isOwn(_ path: String) -> Bool {
        guard let (entry, target) = owners(path) else { return false }
        return entry.st_uid == geteuid() && target.st_uid == geteuid() && target.st_mode & 0o022 == 0
    }

    /// What is there under that name, and what it leads to where it is a link: somebody else may have made either.
    private static func owners(_ path: String) -> (entry: stat, target: stat)? {
        var (entry, target) = (stat(), stat())
        return lstat(path, &entry) == 0 && stat(path, &target) == 0 ? (entry, target) : nil
    }
}
