import Foundation

/// Finds a TCP port of this machine that is not in use.
enum FreePort {
    /// The first free port from `first` on.
    ///
    /// - Parameter option: the option that gives `first`, which the error names.
    static func find(from first: Int, option: String) throws(NoFreePort) -> Int {
        guard let port = (first..<min(first + 100, 65_536)).first(where: isFree) else {
            throw NoFreePort(first: first, option: option)
        }
        return port
    }

    /// Whether the loopback port can be bound.
    static func isFree(_ port: Int) -> Bool {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // As redis-server does: a port of which only old, closed connections are left is free.
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// A hundred ports in a row are in use.
struct NoFreePort: Error, CustomStringConvertible {
    let first: Int
    let option: String

    var description: String { "no free port from \(first) on: name another with \(option)" }
}
