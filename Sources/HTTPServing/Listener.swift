import CLibevent
import EventLoop
import Foundation

/// A listening socket, and those that come in by it.
///
/// It keeps itself alive until ``close()``.
@LoopActor
final class Listener {
    /// Long enough for something to be closed, short enough for those who wait.
    private static let pauseWithoutDescriptors = Duration.milliseconds(100)
    /// With the usual 128, thousands of readers that reconnect at once would wait for SYN retries.
    private static let backlog: Int32 = 4096

    private var listener: OpaquePointer?
    private let onAccepted: (_ descriptor: Int32, _ address: String) -> Void

    /// Listens.
    ///
    /// - Parameters:
    ///   - host: a numeric IPv4 or IPv6 address.
    ///   - port: 0 for any free one.
    ///   - onAccepted: takes each connected socket over, and the peer's address.
    init(
        host: String,
        port: Int,
        onAccepted: @escaping (_ descriptor: Int32, _ address: String) -> Void
    ) throws(HTTPServerError) {
        self.onAccepted = onAccepted
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
            throw .cannotListen(host, port, "'\(host)' is not an IP address")
        }
        defer { freeaddrinfo(found) }
        let options = [LEV_OPT_CLOSE_ON_FREE, LEV_OPT_CLOSE_ON_EXEC, LEV_OPT_REUSEABLE, LEV_OPT_REUSEABLE_PORT]
        listener = evconnlistener_new_bind(
            LoopActor.shared.base,
            { @Sendable _, descriptor, address, length, context in
                guard let context else { return }
                let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
                let peer = Listener.address(address, length)
                LoopActor.assumeIsolated { listener.onAccepted(descriptor, peer) }
            },
            Unmanaged.passUnretained(self).toOpaque(),
            options.reduce(0) { $0 | UInt32(bitPattern: Int32($1)) },
            Self.backlog,
            found.pointee.ai_addr,
            Int32(found.pointee.ai_addrlen)
        )
        guard let listener else { throw .cannotListen(host, port, String(cString: strerror(errno))) }
        // libevent calls in until `close`.
        _ = Unmanaged.passRetained(self)
        Self.tune(evconnlistener_get_fd(listener))
        evconnlistener_set_error_cb(listener) { @Sendable _, context in
            guard let context else { return }
            let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
            LoopActor.assumeIsolated { listener.pause() }
        }
    }

    /// Stops listening. Calling it again does nothing.
    func close() {
        guard let listener else { return }
        self.listener = nil
        evconnlistener_free(listener)
        Unmanaged.passUnretained(self).release()
    }

    /// Sets what accepted sockets inherit.
    private static func tune(_ descriptor: Int32) {
        // Without it the kernel keeps what follows unacknowledged bytes, such as the second event of a moment or all of a long
        // response after its first 16 KiB, until the reader acknowledges.
        set(TCP_NODELAY, to: 1, on: descriptor)
        // Bounds what the kernel takes for a client that does not read, which would be megabytes. Unlike SO_SNDBUF, it bounds
        // neither what is on its way to one that does nor how fast that goes.
        set(TCP_NOTSENT_LOWAT, to: Int32(FrameQueue.fairBytes), on: descriptor)
    }

    private static func set(_ option: Int32, to value: Int32, on descriptor: Int32) {
        var value = value
        setsockopt(descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// No descriptor is left for a waiting connection: the loop would report it again and again.
    private func pause() {
        if let listener { evconnlistener_disable(listener) }
        Task {
            await LoopTimer.sleep(for: Self.pauseWithoutDescriptors)
            if let listener { evconnlistener_enable(listener) }
        }
    }

    /// A peer's address as people write it.
    private nonisolated static func address(_ address: UnsafeMutablePointer<sockaddr>?, _ length: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
            let count = socklen_t(text.count)
            let isKnown = getnameinfo(address, socklen_t(length), text.baseAddress, count, nil, 0, NI_NUMERICHOST) == 0
            guard isKnown, let start = text.baseAddress else { return "" }
            return String(cString: start)
        }
    }

    /// The port that the system chose.
    var port: Int {
        guard let listener else { return 0 }
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard getsockname(evconnlistener_get_fd(listener), generic, &length) == 0 else { return 0 }
                var service = [CChar](repeating: 0, count: 32)
                getnameinfo(generic, length, nil, 0, &service, socklen_t(service.count), NI_NUMERICSERV)
                return Int(String(decoding: service.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)) ?? 0
            }
        }
    }
}
