import CommandArguments
import EventLoop
import Foundation
import TodoMate
import TodoMateClient

/// The file in which a board keeps what was seen and what is to be sent, of one person at one server:
/// `$XDG_STATE_HOME/todomate/<server>/<user>.sqlite`, which nobody else can read.
///
/// Where it lies follows the [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/).
struct KeptTodos {
    let path: String
    /// Whose it is.
    let owner: String
    private let address: ServerAddress

    /// - Throws: `CommandError` for who has no home.
    init(of uid: String, at address: ServerAddress, _ environment: [String: String]) throws(CommandError) {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let place = folder("XDG_STATE_HOME") ?? folder("HOME").map({ $0 + "/.local/state" }) else {
            throw CommandError(
                "there is no folder to keep it in: set HOME or XDG_STATE_HOME to an absolute path",
                exitCode: .config
            )
        }
        // An address has neither a slash nor a percent sign behind its scheme; a colon is no trouble, but looks like one.
        let server = address.description.replacing("://", with: "_").replacing(":", with: "_")
        path = "\(place)/todomate/\(server)/\(uid).sqlite"
        (owner, self.address) = (uid, address)
    }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Makes its folder, and looks whether the file is only its owner's.
    func prepare() throws(CommandError) {
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw objection("its folder cannot be made: \(error.localizedDescription)")
        }
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return }
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else {
            throw objection("is not only yours: chmod 600 it, or move it away")
        }
    }

    /// How many changes wait in it to be sent, refused ones among them.
    ///
    /// - Throws: `TodoError` when it cannot be read, as while a board has it open.
    @LoopActor
    func unsent() throws(TodoError) -> Int {
        try TodoClient.pendingChanges(keptIn: path, of: owner, at: address.url).count
    }

    /// Removes it with all that it holds; nothing where there is none.
    @LoopActor
    func remove() throws(TodoError) { try TodoClient.removeFile(path) }

    private func objection(_ reason: String) -> CommandError { CommandError("\(path) \(reason)", exitCode: .config) }
}
