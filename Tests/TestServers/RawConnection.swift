public import EventLoop
import Foundation
public import Testing

/// A TCP connection to this machine that sends any bytes, well-formed or not, and keeps what comes back.
@LoopActor
public final class RawConnection {
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private var unsent: [UInt8] = []
    private var received: [UInt8] = []
    /// Whether the other side has closed the connection, or reset it.
    public private(set) var isEnded = false
    /// Whether it was reset, so that bytes may have been lost.
    public private(set) var isReset = false
    private let waiters = Waiters()
    /// Called when bytes have come, or the end.
    public var onReceive: (() -> Void)?
    /// The port of its own side, by which the system tells it from others.
    public let ownPort: Int
    /// How many bytes have come.
    public var receivedBytes: Int { received.count }

    /// Connects to a port of the loopback address.
    ///
    /// - Parameter reads: whether to read what comes; a client that does not fills its socket.
    public init(port: Int, reads: Bool = true) throws {
        descriptor = SocketAddress.newSocket(AF_INET)
        if !reads {
            var bytes: Int32 = 4096
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        do {
            try SocketAddress.loopback(port).connect(descriptor)
        } catch {
            Foundation.close(descriptor)
            throw error
        }
        ownPort = SocketAddress.ownPort(descriptor)
        watch = DescriptorWatch(
            descriptor,
            onReadable: { [weak self] in self?.readable() },
            onWritable: { [weak self] in self?.flush() }
        )
        if reads { watch?.startReading() }
    }

    /// A watch that nobody owns any more would keep the loop busy until the last test.
    isolated deinit { close() }

    /// Sends a text.
    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes, as soon as the socket takes them.
    public func send(_ bytes: [UInt8]) {
        unsent += bytes
        flush()
    }

    /// What has come so far.
    public var text: String { String(decoding: received, as: UTF8.self) }

    /// The last of what has come so far, at most so many bytes of it: quick to look at, however much there is.
    public func tail(_ count: Int) -> String { String(decoding: received.suffix(count), as: UTF8.self) }

    /// What follows `prefix` in the lines that begin with it, up to the last empty line: of whole events alone.
    public func lines(after prefix: String) -> [String] {
        let prefix = Array(prefix.utf8)
        return received.withUnsafeBufferPointer { bytes in
            var (found, line) = ([String](), 0)
            var whole = 0
            // Regular expressions would hold up the loop for seconds.
            while let start = bytes.baseAddress.map({ $0 + line }), let end = memchr(start, 0x0A, bytes.count - line) {
                let length = UnsafeRawPointer(end) - UnsafeRawPointer(start)
                let text = UnsafeBufferPointer(start: start, count: length)
                if length == 0 { whole = found.count }
                if text.starts(with: prefix) {
                    found.append(String(decoding: text.dropFirst(prefix.count), as: UTF8.self))
                }
                line += length + 1
            }
            return Array(found.prefix(whole))
        }
    }

    /// The status codes of the answers so far, in order; `100 Continue` included.
    public var statuses: [Int] { text.matches(of: #/HTTP/1\.[01] (\d{3}) /#).compactMap { Int($0.1) } }

    /// Waits until the other side has closed the connection, and records a failure when it does not.
    public func waitUntilEnded(
        within limit: Duration = .seconds(60),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        var isLate = false
        let timer = LoopTimer {
            isLate = true
            self.waiters.resumeAll()
        }
        timer.start(after: limit)
        defer { timer.cancel() }
        await waiters.wait { isEnded || isLate }
        if !isEnded { Issue.record("within \(limit): the connection is closed", sourceLocation: sourceLocation) }
    }

    /// Tells the other side that no more is to come.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Begins to read, after a time without.
    public func startReading() { watch?.startReading() }

    /// Ends the connection.
    public func close() {
        guard let watch else { return }
        self.watch = nil
        watch.cancel()
        Foundation.close(descriptor)
    }

    private func flush() {
        guard let watch, !unsent.isEmpty else { return }
        let count = unsent.withUnsafeBytes {
            Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        if count > 0 { unsent.removeFirst(count) }
        if count < 0, errno != EAGAIN { return unsent.removeAll() }
        if !unsent.isEmpty { watch.awaitWritable() }
    }

    /// Reads all that is there, without a turn of the loop between.
    public func drain() { while receive() {} }

    private func readable() {
        _ = receive()
        onReceive?()
    }

    /// Whether something came.
    private func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        received += bytes.prefix(max(count, 0))
        guard count <= 0 else { return true }
        guard count == 0 || errno != EAGAIN && errno != EINTR else { return false }
        isReset = count < 0
        isEnded = true
        close()
        waiters.resumeAll()
        return false
    }
}
