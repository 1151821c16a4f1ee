import Foundation

/// Ends a connection whose client has not taken all that was for it.
///
/// Closed in the ordinary way, what the kernel has of that would be offered on for minutes, and take memory as long; a reset
/// throws it away.
enum SocketReset {
    static func close(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        Foundation.close(descriptor)
    }
}
