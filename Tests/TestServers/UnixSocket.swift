import Foundation

/// Connections to Unix sockets, made without the loop.
enum UnixSocket {
    /// A descriptor of a new connection, to be closed by the caller; nil where nobody listens.
    static func connect(to path: String) -> Int32? {
        let descriptor = SocketAddress.newSocket(AF_UNIX)
        guard descriptor >= 0 else { return nil }
        do {
            try SocketAddress.unix(path).connect(descriptor)
        } catch {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
