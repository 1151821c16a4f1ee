import EventLoop
import Foundation
import RedisClient

/// How `todomate up` runs its own redis-server: on a socket in its folder, and on a loopback port with `--port`.
struct PrivateRedis: Sendable {
    /// The loopback port it listens on; nil for none.
    let port: Int?
    /// The path of its socket.
    let socket: String
    /// The password of its clients; nil for none.
    let password: RedisPassword?
    private let folder: DataDirectory

    /// A redis-server that keeps every write in an append-only file in the folder.
    init(in folder: DataDirectory, port: Int?, password: RedisPassword?) {
        socket = folder.file(DataDirectory.socketName)
        (self.folder, self.port, self.password) = (folder, port, password)
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
        let arguments = [
            "--bind", "127.0.0.1", "--unixsocket", socket, "--unixsocketperm", "600", "--dir", folder.path,
            "--logfile", folder.file(DataDirectory.logName), "--appendonly", "yes", "--appendfsync", "everysec",
            "--aof-load-truncated", "no", "--save", "", "--maxmemory-policy", "noeviction", "--daemonize", "no",
        ]
        guard let password else { return try ChildProcess("redis-server", ["--port", "0"] + arguments) }
        // By its standard input, as anyone can read command lines; the port with it, so that neither is set without the other.
        let settings = "requirepass \(Self.quoted(password.text))\nport \(port ?? 0)\n"
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(settings.utf8))
        try pipe.fileHandleForWriting.close()
        defer { try? pipe.fileHandleForReading.close() }
        // It says that it reads its input before it knows its log; what is wrong with it goes to the standard error.
        let (input, output) = (pipe.fileHandleForReading, FileHandle.nullDevice)
        return try ChildProcess("redis-server", ["-"] + arguments, input: input, output: output)
    }

    /// A word of a configuration file of Redis; see sdssplitargs in its sds.c.
    private static func quoted(_ word: String) -> String {
        "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Whether a server already listens on its socket; two servers must never write one file.
    var isServed: Bool {
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
        let log = (try? String(contentsOfFile: folder.file(DataDirectory.logName), encoding: .utf8)) ?? ""
        return log.split(separator: "\n").suffix(5).joined(separator: "\n")
    }
}
