/// The host and port of a server.
public struct RedisEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// A name, or an IPv4 or IPv6 address, without brackets.
    public let host: String
    /// Between 1 and 65535.
    public let port: Int

    /// A host and its port.
    public init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// As in `127.0.0.1:6379` or `[::1]:6379`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
