import Foundation

/// Where a socket connects to or listens.
public enum SocketAddress {
    case loopback(Int)
    case unix(String)

    /// A call of the system failed.
    public struct SystemError: Error { public var call: String, code: Int32 }

    /// A new TCP or Unix socket.
    public static func newSocket(_ family: Int32) -> Int32 {
        #if os(Linux)
            socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(family, SOCK_STREAM, 0)
        #endif
    }

    /// Connects; a socket that does not block may still be connecting when this returns.
    public func connect(_ descriptor: Int32) throws {
        let status = withPointer { Foundation.connect(descriptor, $0, $1) }
        guard status == 0 || errno == EINPROGRESS else { throw SystemError(call: "connect", code: errno) }
    }

    /// Binds and listens.
    public func listen(_ descriptor: Int32) throws {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard withPointer({ bind(descriptor, $0, $1) }) == 0, Foundation.listen(descriptor, 512) == 0 else {
            throw SystemError(call: "bind", code: errno)
        }
    }

    /// The port that the system has given to this side of a connection by IPv4; 0 where it is none.
    public static func ownPort(_ descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return status == 0 ? Int(in_port_t(bigEndian: address.sin_port)) : 0
    }

    private func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch self {
        case .loopback(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
            return rebound(&address, body)
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { room in
                room.copyBytes(from: path.utf8.prefix(room.count - 1))
            }
            return rebound(&address, body)
        }
    }

    private func rebound<Address, Result>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
