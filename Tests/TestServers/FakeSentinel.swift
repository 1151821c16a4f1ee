public import EventLoop
import Foundation
public import RedisClient
import Testing

/// Answers like a sentinel, whatever the test has it say.
@LoopActor
public final class FakeSentinel {
    public let endpoint: RedisEndpoint
    /// Whom it names; nil for one that does not know the name.
    public var primary: RedisEndpoint?
    /// Of what it names.
    public var epoch: Int
    /// Whether it takes connections and says nothing.
    public var isHanging = false
    /// What it wants before it answers; nil for nothing.
    public var password: String?
    /// How many questions for the primary it was asked.
    public private(set) var questions = 0

    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private var clients: [ObjectIdentifier: Client] = [:]

    public init(_ primary: RedisEndpoint?, epoch: Int = 0) throws {
        (self.primary, self.epoch) = (primary, epoch)
        endpoint = RedisEndpoint(host: "127.0.0.1", port: try freePort())
        #if os(Linux)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(endpoint.port).bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isBound && listen(descriptor, 16) == 0)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        watch = DescriptorWatch(descriptor, onReadable: { [weak self] in self?.accept() }, onWritable: {})
        watch?.startReading()
    }

    /// Whether somebody listens to it.
    public var isHeard: Bool { clients.values.contains { $0.isSubscribed } }

    /// Publishes that another server is the primary now.
    public func announce(from old: RedisEndpoint, to new: RedisEndpoint) {
        let words = "todos \(old.host) \(old.port) \(new.host) \(new.port)"
        for client in clients.values where client.isSubscribed {
            client.send(Self.array(["message", "+switch-master", words]))
        }
    }

    /// Ends its connections, and takes no others. Calling it again does nothing.
    public func close() {
        guard let watch else { return }
        self.watch = nil
        watch.cancel()
        Foundation.close(descriptor)
        for client in clients.values { client.close() }
        clients = [:]
    }

    private func accept() {
        while true {
            let accepted = Foundation.accept(descriptor, nil, nil)
            guard accepted >= 0 else { return }
            let client = Client(accepted)
            let key = ObjectIdentifier(client)
            client.onCommand = { [weak self, weak client] in
                guard let self, let client, !isHanging else { return }
                client.send(answer($0, of: client))
            }
            client.onEnd = { [weak self] in self?.clients[key] = nil }
            clients[key] = client
        }
    }

    private func answer(_ words: [String], of client: Client) -> String {
        let command = words.prefix(2).joined(separator: " ").uppercased()
        if words[0].uppercased() == "AUTH" {
            guard let password else { return "-ERR AUTH <password> called without any password configured\r\n" }
            client.isLetIn = words.last == password
            return client.isLetIn ? "+OK\r\n" : "-WRONGPASS invalid username-password pair or user is disabled.\r\n"
        }
        guard password == nil || client.isLetIn else { return "-NOAUTH Authentication required.\r\n" }
        switch command {
        case "PING": return client.isSubscribed ? Self.array(["pong", ""]) : "+PONG\r\n"
        case "CLIENT SETNAME": return "+OK\r\n"
        case "SENTINEL MASTER":
            questions += 1
            guard primary != nil else { return "-ERR No such master with that name\r\n" }
            return Self.array(["name", words[2], "config-epoch", String(epoch)])
        case "SENTINEL GET-MASTER-ADDR-BY-NAME":
            return primary.map { Self.array([$0.host, String($0.port)]) } ?? "*-1\r\n"
        case _ where words[0].uppercased() == "SUBSCRIBE":
            client.isSubscribed = true
            return words.dropFirst().map { "*3\r\n\(Self.text("subscribe"))\(Self.text($0)):1\r\n" }.joined()
        default: return "-ERR unknown command '\(words[0])'\r\n"
        }
    }

    private static func text(_ word: String) -> String { "$\(word.utf8.count)\r\n\(word)\r\n" }

    private static func array(_ words: [String]) -> String { "*\(words.count)\r\n" + words.map(text).joined() }

    /// Somebody who asks.
    @LoopActor
    private final class Client {
        private let descriptor: Int32
        private var watch: DescriptorWatch?
        private var received = ""
        var isLetIn = false
        var isSubscribed = false
        var onCommand: (([String]) -> Void)?
        var onEnd: (() -> Void)?

        init(_ descriptor: Int32) {
            self.descriptor = descriptor
            watch = DescriptorWatch(descriptor, onReadable: { [weak self] in self?.read() }, onWritable: {})
            watch?.startReading()
        }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            guard watch != nil else { return }
            // Small enough for any socket's buffer.
            _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }

        func close() {
            guard let watch else { return }
            self.watch = nil
            watch.cancel()
            Foundation.close(descriptor)
        }

        private func read() {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            guard count > 0 else {
                close()
                onEnd?()
                return
            }
            received += String(decoding: bytes.prefix(count), as: UTF8.self)
            while let words = takeCommand() { onCommand?(words) }
        }

        /// The words of the next whole command: `*2`, then `$4`, `PING`, and so on, a line each.
        private func takeCommand() -> [String]? {
            let lines = received.components(separatedBy: "\r\n")
            guard let head = lines.first, let count = Int(head.dropFirst()), lines.count > 2 * count + 1 else {
                return nil
            }
            received = lines.dropFirst(2 * count + 1).joined(separator: "\r\n")
            return (0..<count).map { lines[2 * $0 + 2] }
        }
    }
}
