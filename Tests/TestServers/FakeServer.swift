public import EventLoop
import Foundation
public import RedisClient
import Testing

/// Answers in Redis's protocol whatever the test has it say.
@LoopActor
public final class FakeServer {
    public let endpoint: RedisEndpoint
    /// Those who are connected.
    public var clients: [Client] { Array(byIdentity.values) }
    private let descriptor: Int32
    private let answer: (_ words: [String], _ client: Client) -> String
    private var watch: DescriptorWatch?
    private var byIdentity: [ObjectIdentifier: Client] = [:]

    /// - Parameter answer: what to answer to a command; nothing for an empty text.
    public init(_ answer: @escaping (_ words: [String], _ client: Client) -> String) throws {
        self.answer = answer
        endpoint = RedisEndpoint(host: "127.0.0.1", port: try freePort())
        descriptor = SocketAddress.newSocket(AF_INET)
        try SocketAddress.loopback(endpoint.port).listen(descriptor)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        watch = DescriptorWatch(descriptor, onReadable: { [weak self] in self?.accept() }, onWritable: {})
        watch?.startReading()
    }

    /// Ends its connections, and takes no others. Calling it again does nothing.
    public func close() {
        guard let watch else { return }
        self.watch = nil
        watch.cancel()
        Foundation.close(descriptor)
        for client in clients { client.close() }
        byIdentity = [:]
    }

    private func accept() {
        while true {
            let accepted = Foundation.accept(descriptor, nil, nil)
            guard accepted >= 0 else { return }
            let client = Client(accepted)
            let key = ObjectIdentifier(client)
            client.onCommand = { [weak self, weak client] in
                guard let self, let client else { return }
                client.send(answer($0, client))
            }
            client.onEnd = { [weak self] in self?.byIdentity[key] = nil }
            byIdentity[key] = client
        }
    }

    /// A bulk string.
    public nonisolated static func text(_ word: String) -> String { "$\(word.utf8.count)\r\n\(word)\r\n" }

    /// An array of bulk strings.
    public nonisolated static func array(_ words: [String]) -> String {
        "*\(words.count)\r\n" + words.map(text).joined()
    }

    /// Somebody who asks.
    @LoopActor
    public final class Client {
        private let descriptor: Int32
        private var watch: DescriptorWatch?
        private var received = ""
        /// Whether it has said the password.
        public var isLetIn = false
        /// What it has subscribed to.
        public var channels: Set<String> = []
        fileprivate var onCommand: (([String]) -> Void)?
        fileprivate var onEnd: (() -> Void)?

        fileprivate init(_ descriptor: Int32) {
            self.descriptor = descriptor
            watch = DescriptorWatch(descriptor, onReadable: { [weak self] in self?.read() }, onWritable: {})
            watch?.startReading()
        }

        public func send(_ text: String) {
            let bytes = Array(text.utf8)
            guard watch != nil else { return }
            // Small enough for any socket's buffer.
            _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }

        /// Ends the connection.
        public func close() {
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
