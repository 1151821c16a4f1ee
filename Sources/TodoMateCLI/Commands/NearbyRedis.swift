import CommandArguments
import Foundation
import RedisClient

/// The Redis of a `todomate up` in the current folder: the default of commands there.
struct NearbyRedis {
    /// Where it is, without its password.
    let url: RedisURL
    /// The file with its password; nil when it wants none.
    let passwordFile: String?

    /// Looks for its socket, or the addresses of its cluster, in `TODOMATE_DATA`, or else `.todomate`; nil when there is none.
    ///
    /// - Throws: `CommandError` for what someone else made, or could have made: they would read what is written.
    init?(_ environment: [String: String]) throws(CommandError) {
        let named = environment[DataDirectory.variable].flatMap { $0.isEmpty ? nil : $0 }
        let folder = URL(fileURLWithPath: named ?? DataDirectory.usualPath).standardizedFileURL.path
        let nodes = DataDirectory.nodeCount(in: folder)
        let isCluster = nodes > 0
        // The addresses stay when their nodes have ended: others may listen there by then.
        if isCluster, !(1...nodes).contains(where: { PrivateRedis.isServed(Self.socket(of: $0, in: folder)) }) {
            return nil
        }
        let place = folder + "/" + (isCluster ? DataDirectory.clusterName : DataDirectory.socketName)
        var facts = stat()
        guard lstat(place, &facts) == 0 else { return nil }
        let kind = isCluster ? S_IFREG : S_IFSOCK
        guard facts.st_mode & S_IFMT == kind, facts.st_uid == geteuid(), Privacy.isOwn(folder) else {
            throw CommandError(
                "\(place) is not only yours, and its maker could read and change the todos: name the Redis that you "
                    + "mean with --redis or TODOMATE_REDIS",
                exitCode: .config
            )
        }
        let password = folder + "/" + DataDirectory.passwordName
        passwordFile = FileManager.default.fileExists(atPath: password) ? password : nil
        guard !isCluster else {
            url = try Self.cluster(at: place)
            return
        }
        guard place.utf8.count <= DataDirectory.longestSocketPath else {
            throw CommandError(
                "the path \(place) is too long for a socket: name the Redis with --redis or TODOMATE_REDIS",
                exitCode: .config
            )
        }
        url = RedisURL(.unix(path: place))
    }

    private static func socket(of node: Int, in folder: String) -> String {
        "\(folder)/\(DataDirectory.nodeName(node))/\(DataDirectory.socketName)"
    }

    /// The cluster whose URL is in a file.
    static func cluster(at path: String) throws(CommandError) -> RedisURL {
        do {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            return try RedisURL(text.trimmingCharacters(in: .whitespacesAndNewlines), passwordFollows: true)
        } catch {
            throw CommandError("\(path) cannot be read: 'todomate up' writes it anew (\(error))", exitCode: .ioError)
        }
    }
}
