import CommandArguments
import Foundation
import TodoMate

/// The sign-in that `todomate login` keeps in a file that nobody else can read: `$XDG_CONFIG_HOME/todomate/login.json`.
///
///     {"isGiven":true,"server":"https:\/\/todo.example.org","token":"…","user":"alice"}
///
/// Where it lies follows the [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/).
struct KeptLogin: Codable, Sendable, Equatable {
    /// Where the server is, without a path.
    var server: String
    /// Who signed in.
    var user: String
    /// What shows it to the server.
    var token: String
    /// Whether the token was there before, and others may have it as well: it is not this machine's to end.
    var isGiven: Bool?

    /// Far more than a login has: a wrong file must not fill the memory.
    private static let mostBytes = 65_536

    /// Where it is kept; nil for who has no home.
    static func path(_ environment: [String: String]) -> String? {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let place = folder("XDG_CONFIG_HOME") ?? folder("HOME").map({ $0 + "/.config" }) else { return nil }
        return place + "/todomate/login.json"
    }

    /// What is kept; nil for nothing.
    ///
    /// - Throws: `CommandError` for a file that others could read or have written, or that is no login.
    static func read(_ environment: [String: String]) throws(CommandError) -> KeptLogin? {
        guard let path = path(environment) else { return nil }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            // Without a file, or a folder for it, nobody has signed in.
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw objection(path, "cannot be opened: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else {
            throw objection(path, "is not only yours: its token acts as you; chmod 600 it, or 'todomate login' again")
        }
        guard let bytes = try? file.read(upToCount: mostBytes),
            let login = try? JSONDecoder().decode(KeptLogin.self, from: bytes),
            let server = ServerAddress(login.server), (try? TodoBounds.uid(login.user)) != nil
        else { throw objection(path, "cannot be read: 'todomate login' writes it anew") }
        return KeptLogin(server: server.description, user: login.user, token: login.token, isGiven: login.isGiven)
    }

    /// Keeps it in place of any other.
    ///
    /// - Returns: the path of its file.
    @discardableResult
    func write(_ environment: [String: String]) throws(CommandError) -> String {
        guard let path = Self.path(environment) else {
            throw CommandError(
                "there is no folder for the login: set HOME or XDG_CONFIG_HOME to an absolute path",
                exitCode: .config
            )
        }
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw Self.objection(folder, "cannot be made: \(error.localizedDescription)")
        }
        // Whoever reads meanwhile finds the old one or the new one, whole.
        let draft = path + ".\(getpid())"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let bytes = try? encoder.encode(self) else { throw Self.objection(path, "cannot be written") }
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Self.objection(draft, "cannot be made: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: bytes)
            try file.synchronize()
        } catch {
            unlink(draft)
            throw Self.objection(draft, "cannot be written: \(error.localizedDescription)")
        }
        guard rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw Self.objection(path, "cannot be written: \(reason)")
        }
        return path
    }

    /// Forgets it; calling it where nothing is kept does nothing.
    static func remove(_ environment: [String: String]) throws(CommandError) {
        guard let path = path(environment) else { return }
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw objection(path, "cannot be removed: \(String(cString: strerror(errno)))")
        }
    }

    private static func objection(_ path: String, _ reason: String) -> CommandError {
        CommandError("\(path) \(reason)", exitCode: .config)
    }
}
