import EventLoop
import Foundation
import RedisClient

/// How `todomate up` runs a redis-server of its own: on a socket in its folder, and on a loopback port with `--port` or as a node of
/// a cluster.
struct PrivateRedis: Sendable {
    /// The loopback port it listens on; nil for none.
    let port: Int?
    /// The loopback port where it listens for the other nodes of its cluster; nil where it is in none.
    let busPort: Int?
    /// The path of its socket.
    let socket: String
    /// The password of its clients; nil for none.
    let password: RedisPassword?
    /// The folder with all that it keeps.
    let folder: String

    /// A redis-server that keeps every write in an append-only file in the folder.
    init(in folder: String, port: Int?, busPort: Int? = nil, password: RedisPassword?) {
        socket = "\(folder)/\(DataDirectory.socketName)"
        (self.folder, self.port, self.busPort, self.password) = (folder, port, busPort, password)
    }

    /// Where workers and commands reach it, fit for every shell as it is.
    var url: String {
        let plain = CharacterSet(charactersIn: "/-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        return "unix://" + (socket.addingPercentEncoding(withAllowedCharacters: plain) ?? socket)
    }

    /// The same, with the password.
    var redisURL: RedisURL {
        var url = RedisURL(.unix(path: socket))
        url.password = password?.text
        return url
    }

    /// Starts it.
    @LoopActor
    func start() throws -> ChildProcess {
        let arguments =
            [
                "--bind", "127.0.0.1", "--unixsocket", socket, "--unixsocketperm", "600", "--dir", folder,
                "--logfile", log, "--appendonly", "yes", "--appendfsync", "everysec",
                "--aof-load-truncated", "no", "--save", "", "--maxmemory-policy", "noeviction", "--daemonize", "no",
            ] + clusterArguments
        guard let password else { return try ChildProcess("redis-server", ["--port", "0"] + arguments) }
        // By its standard input, as anyone can read command lines; the port with it, so that neither is set without the other.
        let text = Self.quoted(password.text)
        let others = busPort == nil ? "" : "masterauth \(text)\n"
        let settings = "requirepass \(text)\n\(others)port \(port ?? 0)\n"
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(settings.utf8))
        try pipe.fileHandleForWriting.close()
        defer { try? pipe.fileHandleForReading.close() }
        // It says that it reads its input before it knows its log; what is wrong with it goes to the standard error.
        let (input, output) = (pipe.fileHandleForReading, FileHandle.nullDevice)
        return try ChildProcess("redis-server", ["-"] + arguments, input: input, output: output)
    }

    /// What makes it a node. Users do not depend on each other: while a node is away, the others serve theirs.
    private var clusterArguments: [String] {
        guard let busPort else { return [] }
        return [
            "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-port", String(busPort),
            "--cluster-announce-ip", "127.0.0.1", "--cluster-node-timeout", "5000",
            "--cluster-require-full-coverage", "no",
        ]
    }

    private var log: String { "\(folder)/\(DataDirectory.logName)" }

    /// A word of a configuration file of Redis; see sdssplitargs in its sds.c.
    private static func quoted(_ word: String) -> String {
        "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Whether a server already listens on its socket; two servers must never write one file.
    var isServed: Bool { Self.isServed(socket) }

    /// Whether a server listens on a socket.
    static func isServed(_ socket: String) -> Bool {
        #if os(Linux)
            let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// The last lines of its log, for when it does not start.
    var lastWords: String {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(5).joined(separator: "\n")
    }
}
