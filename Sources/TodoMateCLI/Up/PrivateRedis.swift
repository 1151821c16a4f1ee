import EventLoop
import Foundation
import RedisClient

/// How `todomate up` runs the redis-server of its own.
struct PrivateRedis: Sendable {
    /// The loopback port it listens on.
    let port: Int
    /// Where the workers reach it.
    let url: String
    /// What to start it with.
    let arguments: [String]
    /// Where it logs.
    let logFile: String

    /// A redis-server that keeps every write in an append-only file in the folder.
    init(port: Int, in folder: DataDirectory) {
        self.port = port
        logFile = folder.file("redis.log")
        let socket = folder.file("redis.sock")
        // The path of a Unix socket has little room; without one, the loopback port will do.
        let hasSocket = socket.utf8.count <= 100
        url = hasSocket ? "unix://" + Self.encoded(socket) : "redis://127.0.0.1:\(port)/0"
        arguments =
            [
                "--bind", "127.0.0.1", "--port", String(port), "--dir", folder.path, "--logfile", logFile,
                "--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--maxmemory-policy", "noeviction",
                "--daemonize", "no",
            ] + (hasSocket ? ["--unixsocket", socket, "--unixsocketperm", "700"] : [])
    }

    private static func encoded(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
    }

    /// The last lines of its log, for when it does not start.
    var lastWords: String {
        let log = (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? ""
        return log.split(separator: "\n").suffix(5).joined(separator: "\n")
    }
}
