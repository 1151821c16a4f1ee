import CommandArguments
import Foundation

/// The folder in which `todomate up` keeps its Redis: its owner's alone, and one `up` at a time may use it.
final class DataDirectory: Sendable {
    /// Where it is by default.
    static let usualPath = ".todomate"
    /// What names another one.
    static let variable = "TODOMATE_DATA"
    /// What Redis keeps its todos in.
    static let appendOnlyName = "appendonlydir"
    static let logName = "redis.log"
    static let socketName = "redis.sock"
    static let passwordName = "password"
    /// Holds the URL of a cluster.
    static let clusterName = "cluster"
    private static let lockName = "lock"
    /// The most bytes that the path of a Unix socket can have.
    static let longestSocketPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// The folder's absolute path.
    let path: String
    /// What others could read or enter until now.
    let tightened: [String]
    private let lock: Int32

    /// Makes the folder, or takes one that belongs to this user, for this process, and shuts others out of it.
    ///
    /// - Parameter nodes: how many nodes of a cluster it is to hold, each in a folder of its own; nil for one Redis.
    /// - Throws: `CommandError` when it cannot be made, is someone else's or holds other things, or another `up` uses it.
    init(_ path: String, nodes: Int? = nil) throws {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        try Self.checkLength(of: path, nodes)
        try Self.make(path)
        var tightened: [String] = []
        if try Privacy.isOpenToOthers(path) {
            try Self.checkUse(of: path)
            try Privacy.shutOthersOut(of: path)
            tightened.append(path)
        }
        let descriptor = open(path + "/" + Self.lockName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandError(
                "the folder \(path) cannot be written: \(String(cString: strerror(errno)))",
                exitCode: .ioError
            )
        }
        // From here on deinit closes it, also when an error is thrown.
        (self.path, lock) = (path, descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            self.tightened = tightened
            let advice = "stop it first, or name another folder with --data"
            throw CommandError("another 'todomate up' runs in \(path): \(advice)", exitCode: .unavailable)
        }
        do {
            for file in Self.files(of: path) where try Privacy.isOpenToOthers(file) {
                try Privacy.shutOthersOut(of: file)
                tightened.append(file)
            }
            self.tightened = tightened
        } catch {
            self.tightened = tightened
            throw error
        }
        try Self.checkContent(of: path, nodes)
        for number in 1...max(nodes ?? 1, 1) where nodes != nil { try Self.make(file(Self.nodeName(number))) }
    }

    deinit { close(lock) }

    /// A file in the folder.
    func file(_ name: String) -> String { path + "/" + name }

    /// The folder of a node of a cluster.
    static func nodeName(_ number: Int) -> String { "node-\(number)" }

    /// The number of nodes whose data are in a folder; 0 for one Redis, or nothing.
    static func nodeCount(in path: String) -> Int {
        (1...9).prefix { FileManager.default.fileExists(atPath: "\(path)/\(nodeName($0))") }.count
    }

    private static func checkContent(of path: String, _ nodes: Int?) throws {
        let advice =
            "or name another folder with --data; 'todomate export' and 'todomate import' carry todos from one to the other"
        let found = nodeCount(in: path)
        if nodes != nil, found == 0, FileManager.default.fileExists(atPath: "\(path)/\(appendOnlyName)") {
            throw CommandError(
                "\(path) holds the todos of one Redis: leave --cluster out, \(advice)",
                exitCode: .config
            )
        }
        guard found > 0, found != nodes else { return }
        throw CommandError(
            "\(path) holds the todos of a cluster of \(found) nodes: start it with --cluster \(found), \(advice)",
            exitCode: .config
        )
    }

    private static func checkLength(of path: String, _ nodes: Int?) throws {
        let name = nodes == nil ? socketName : "\(nodeName(9))/\(socketName)"
        let most = longestSocketPath - name.utf8.count - 1
        guard path.utf8.count <= most else {
            throw CommandError(
                "the path \(path) is too long for the socket of Redis in it: name one of at most \(most) bytes with --data, "
                    + "which may be a symbolic link to it",
                exitCode: .config
            )
        }
    }

    private static func make(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: path),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let reason = cause.flatMap {
                $0.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32($0.code))) : nil
            }
            throw CommandError(
                "the folder \(path) cannot be made: \(reason ?? error.localizedDescription)",
                exitCode: .ioError
            )
        }
    }

    /// Refuses a folder whose rights are not ours to take: a home, `/tmp` or `/`, named by mistake.
    private static func checkUse(of path: String) throws {
        let names = Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
        let known: Set = [appendOnlyName, logName, socketName, passwordName, lockName, clusterName]
        guard names.contains(appendOnlyName) || names.contains(nodeName(1)) || names.isSubset(of: known) else {
            throw CommandError(
                "others may enter \(path), and it holds other things than todos: name a folder of its own with --data, "
                    + "or keep the others out with chmod 700",
                exitCode: .config
            )
        }
    }

    /// All files that are, or once were, a part of it.
    private static func files(of path: String) -> [String] {
        let folders = [appendOnlyName] + (1...9).map { nodeName($0) }
        let parts = folders.flatMap { folder in
            let names = FileManager.default.enumerator(atPath: "\(path)/\(folder)")?.compactMap { $0 as? String }
            return [folder] + (names ?? []).map { "\(folder)/\($0)" }
        }
        let names = [lockName, logName, passwordName, clusterName] + parts
        return names.map { "\(path)/\($0)" }.filter { access($0, F_OK) == 0 }
    }
}
