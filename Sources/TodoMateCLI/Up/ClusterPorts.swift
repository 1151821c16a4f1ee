import Foundation
import RedisClient

/// The loopback ports of a node of a private cluster: for clients, and for the other nodes.
struct ClusterPorts {
    let port: Int
    let busPort: Int

    /// Where the first node listens when no other port is asked for.
    private static let usual = 7001
    /// Redis's own distance between the two.
    private static let distance = 10_000

    /// Free ports for so many nodes.
    ///
    /// - Parameters:
    ///   - first: the first port to try, as it was asked for; nil for those that the nodes had, or the usual ones.
    ///   - earlier: the ports that the nodes had.
    static func find(_ count: Int, from first: Int?, earlier: [Int]) throws(NoFreePort) -> [ClusterPorts] {
        var taken: Set<Int> = []
        var found: [ClusterPorts] = []
        for number in 0..<count {
            let wanted = first == nil && number < earlier.count ? earlier[number] : nil
            let port = try free(from: wanted ?? found.last.map { $0.port + 1 } ?? first ?? usual, but: &taken)
            // A high port leaves no room above it.
            let highest = 65_436
            let busPort = try free(from: port + distance <= highest ? port + distance : port - distance, but: &taken)
            found.append(ClusterPorts(port: port, busPort: busPort))
        }
        return found
    }

    private static func free(from first: Int, but taken: inout Set<Int>) throws(NoFreePort) -> Int {
        var next = first
        while true {
            let port = try FreePort.find(from: next, option: "--port")
            if taken.insert(port).inserted { return port }
            next = port + 1
        }
    }
}
