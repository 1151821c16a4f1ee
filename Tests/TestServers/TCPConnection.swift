package import EventLoop
import Foundation

/// A socket on the loop, for clients and proxies of the tests.
@LoopActor
package final class TCPConnection {
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private var unsent: [UInt8] = []
    private var isReading = true

    /// Called with what arrived.
    package var onBytes: (([UInt8]) -> Void)?
    /// Called once when the peer closed, or the connection broke or could not be made.
    package var onEnd: (() -> Void)?

    /// Takes over a connected, or connecting, socket.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        watch = DescriptorWatch(
            descriptor,
            onReadable: { [weak self] in self?.read() },
            onWritable: { [weak self] in self?.flush() }
        )
        watch?.startReading()
    }

    /// Connects to a port of the loopback address.
    package convenience init(port: Int) throws {
        var on: Int32 = 1
        let descriptor = SocketAddress.newSocket(AF_INET)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        try SocketAddress.loopback(port).connect(descriptor)
        self.init(descriptor)
    }

    /// Connects to a Unix socket.
    package convenience init(path: String) throws {
        let descriptor = SocketAddress.newSocket(AF_UNIX)
        try SocketAddress.unix(path).connect(descriptor)
        self.init(descriptor)
    }

    /// The IPv4 address of the other side; empty where there is none.
    package var peer: String {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
        }
        guard status == 0, address.sin_family == AF_INET else { return "" }
        let bytes = withUnsafeBytes(of: address.sin_addr.s_addr) { Array($0) }
        return bytes.map(String.init).joined(separator: ".")
    }

    package var isOpen: Bool { watch != nil }

    package func send(_ bytes: some Sequence<UInt8>) {
        guard isOpen else { return }
        unsent += bytes
        flush()
    }

    /// Leaves what arrives in the socket for now.
    package func pauseReading() { isReading = false }

    package func resumeReading() {
        isReading = true
        read()
    }

    package func close() {
        guard let watch else { return }
        self.watch = nil
        watch.cancel()
        Foundation.close(descriptor)
        onBytes = nil
        onEnd = nil
    }

    private func end() {
        let onEnd = onEnd
        close()
        onEnd?()
    }

    private func read() {
        while isReading, isOpen {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                onBytes?(Array(buffer.prefix(count)))
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return
            } else {
                return end()
            }
        }
    }

    private func flush() {
        guard isOpen, !unsent.isEmpty else { return }
        let count = Foundation.send(descriptor, unsent, unsent.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        if count > 0 { unsent.removeFirst(count) }
        if count < 0, errno != EAGAIN, errno != EINTR, errno != ENOTCONN { return end() }
        if !unsent.isEmpty { watch?.awaitWritable() }
    }
}
