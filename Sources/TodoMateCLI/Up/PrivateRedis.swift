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
    private let socketPath: String?

    /// A redis-server that keeps every write in an append-only file in the folder.
    init(port: Int, in folder: DataDirectory) {
        self.port = port
        logFile = folder.file("redis.log")
        let socket = folder.file("redis.sock")
        // The path of a Unix socket has little room; without one, the loopback port will do.
        let hasSocket = socket.utf8.count <= 100
        socketPath = hasSocket ? socket : nil
        url = hasSocket ? "unix://" + Self.encoded(socket) : "redis://127.0.0.1:\(port)/0"
        arguments =
            [
                "--bind", "127.0.0.1", "--port", String(port), "--dir", folder.path, "--logfile", logFile,
                "--appendonly", "yes", "--appendfsync", "everysec", "--aof-load-truncated", "no", "--save", "",
                "--maxmemory-policy", "noeviction", "--daemonize", "no",
            ] + (hasSocket ? ["--unixsocket", socket, "--unixsocketperm", "700"] : [])
    }

    /// Whether somebody already listens on its socket; two servers must never write one file.
    var isServed: Bool {
        guard let socketPath else { return false }
        #if os(Linux)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
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
