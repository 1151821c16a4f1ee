import CommandArguments
import Foundation
import RedisClient

extension PrivateStore {
    /// What a data folder holds, with the ports and the password that it needs.
    ///
    /// - Parameters:
    ///   - nodes: how many nodes a cluster has; nil for one Redis.
    ///   - firstPort: the first port to try; nil for none, or in a cluster for those that its nodes had.
    /// - Throws: ``NoFreePort``, and `CommandError` when a file cannot be read, or the password not be written.
    init(in folder: DataDirectory, nodes: Int?, firstPort: Int?) throws {
        guard let nodes else {
            let port = try firstPort.map { try FreePort.find(from: $0, option: "--port") }
            let password = try RedisPassword(in: folder, isNeeded: port != nil)
            self.init(PrivateRedis(in: folder.path, port: port, password: password))
            return
        }
        let addresses = folder.file(DataDirectory.clusterName)
        let ports = try ClusterPorts.find(nodes, from: firstPort, earlier: Self.ports(in: addresses))
        guard let password = try RedisPassword(in: folder, isNeeded: true) else {
            preconditionFailure("a password that is needed is made")
        }
        let servers = ports.enumerated().map { index, ports in
            let own = folder.file(DataDirectory.nodeName(index + 1))
            return PrivateRedis(in: own, port: ports.port, busPort: ports.busPort, password: password)
        }
        self.init(nodes: servers, password: password)
    }

    /// Writes where the nodes of a cluster listen, for commands and for the next start.
    ///
    /// - Throws: `CommandError` when the file cannot be written.
    func writeAddresses(in folder: DataDirectory) throws(CommandError) {
        guard isCluster else { return }
        let addresses = folder.file(DataDirectory.clusterName)
        do {
            try Data((url + "\n").utf8).write(to: URL(fileURLWithPath: addresses), options: .atomic)
        } catch {
            throw CommandError("\(addresses) cannot be written: \(error.localizedDescription)", exitCode: .ioError)
        }
    }

    /// The ports that the nodes had; none the first time.
    private static func ports(in addresses: String) throws(CommandError) -> [Int] {
        guard FileManager.default.fileExists(atPath: addresses),
            case .cluster(let endpoints) = try NearbyRedis.cluster(at: addresses).transport
        else { return [] }
        return endpoints.map(\.port)
    }
}
