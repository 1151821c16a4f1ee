import Foundation
import Synchronization
import Testing

/// What was given out: who has asked for a port may not listen on it yet.
private let given = Mutex<Set<Int>>([])

/// A TCP port of the loopback address that nobody listens on at the moment, and that nobody was given before.
public func freePort() throws -> Int {
    while true {
        let port = try unusedPort()
        if given.withLock({ $0.insert(port).inserted }) { return port }
    }
}

private func unusedPort() throws -> Int {
    #if os(Linux)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
    }
    try #require(isBound)
    return Int(in_port_t(bigEndian: address.sin_port))
}
