import Foundation
import Synchronization
import Testing

/// What was given out: who has asked for a port may not listen on it yet. On Linux each is marked for other processes as well.
private let given = Mutex<Set<Int>>([])

/// Below those that the system gives to connections, which would take one between its being given and being listened on;
/// 10,000 above lies a node's bus port, which has to be below them too.
private let ports = 10_240..<22_768

/// A TCP port of the loopback address that nobody listens on at the moment, and that nobody was given before.
public func freePort() throws -> Int {
    let port = try ports.shuffled().first { port in
        try isUnused(port) && given.withLock { $0.insert(port).inserted } && isMarked(port)
    }
    return try #require(port)
}

/// Takes a name for the port that only one process can have and that ends with it, as test processes run beside each other.
private func isMarked(_ port: Int) throws -> Bool {
    #if os(Linux)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A name that begins with a zero byte has no file: unix(7), "abstract".
        let name = [0] + Array("todomate-test-port-\(port)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let isOurs = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
        if !isOurs { close(descriptor) }
        return isOurs
    #else
        return true
    #endif
}

private func isUnused(_ port: Int) throws -> Bool {
    #if os(Linux)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var isReused: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
    address.sin_port = in_port_t(port).bigEndian
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
