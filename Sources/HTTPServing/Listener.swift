import CLibevent
import EventLoop
import Foundation

/// Opens listening sockets.
@LoopActor
enum Listener {
    /// Long enough for something to be closed, short enough for those who wait.
    private static let pauseWithoutDescriptors = Duration.milliseconds(100)
    /// Listeners that are open: a pause must not wake one that is gone.
    private static var open: Set<OpaquePointer> = []

    /// evhttp's own would have 128, and thousands of readers that reconnect at once would wait for SYN retries.
    private static let backlog: Int32 = 4096

    static func open(host: String, port: Int) throws(HTTPServerError) -> OpaquePointer {
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
        let listener = evconnlistener_new_bind(
            LoopActor.shared.base,
            nil,
            nil,
            options.reduce(0) { $0 | UInt32(bitPattern: Int32($1)) },
            backlog,
            found.pointee.ai_addr,
            Int32(found.pointee.ai_addrlen)
        )
        guard let listener else { throw .cannotListen(host, port, String(cString: strerror(errno))) }
        sendAtOnce(evconnlistener_get_fd(listener))
        open.insert(listener)
        evconnlistener_set_error_cb(listener) { listener, _ in
            guard let listener else { return }
            LoopActor.assumeIsolated { Listener.pause(listener) }
        }
        return listener
    }

    /// Accepted sockets inherit it. Without it the kernel keeps what follows unacknowledged bytes, such as the second event
    /// of a moment or all of a long answer after its first 16 KiB, until the reader acknowledges: 40 ms instead of 1.
    private static func sendAtOnce(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// To be called before evhttp frees a listener.
    static func willClose(_ listener: OpaquePointer) { open.remove(listener) }

    /// No descriptor is left for a connection that waits: the loop would be told of it again and again.
    private static func pause(_ listener: OpaquePointer) {
        evconnlistener_disable(listener)
        Task {
            await LoopTimer.sleep(for: pauseWithoutDescriptors)
            if open.contains(listener) { evconnlistener_enable(listener) }
        }
    }

    /// The port that the system chose.
    static func port(of listener: OpaquePointer) -> Int {
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
