import Foundation
import TestServers
import Testing

@testable import TodoMateCLI

@Suite("The ports of a private cluster")
struct ClusterPortsTests {
    /// A socket that has a loopback port, until it is closed.
    private func occupy(_ port: Int) throws -> Int32 {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0 && listen(descriptor, 1) == 0)
        return descriptor
    }

    @Test("are those that it had, but for what somebody else has by now")
    func earlier() throws {
        let earlier = [try freePort(), try freePort(), try freePort()]
        let again = try ClusterPorts.find(3, from: nil, earlier: earlier)
        #expect(again.map(\.port) == earlier)
        let taken = try occupy(earlier[1])
        defer { close(taken) }
        let others = try ClusterPorts.find(3, from: nil, earlier: earlier)
        #expect(others[0].port == earlier[0] && others[1].port != earlier[1] && others[2].port == earlier[2])
    }

    @Test("are all different, also where there is no room above them", arguments: [20_000, 55_500, 65_400])
    func different(_ first: Int) throws {
        let ports = try ClusterPorts.find(9, from: first, earlier: [1, 2, 3])
        #expect(ports.count == 9 && ports.allSatisfy { $0.port >= first })
        #expect(Set(ports.flatMap { [$0.port, $0.busPort] }).count == 18)
        #expect(ports.allSatisfy { $0.busPort <= 65_535 })
    }
}
