import Foundation

/// Closes a connection whose client has not received everything.
///
/// Closed in the ordinary way, the kernel would keep offering the rest for minutes, and hold its memory; a reset
/// discards it.
enum SocketReset {
    /// Whether the kernel still has something that the client has not taken.
    static func hasUnsent(_ descriptor: Int32) -> Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
    }

    static func close(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        Foundation.close(descriptor)
    }
}
