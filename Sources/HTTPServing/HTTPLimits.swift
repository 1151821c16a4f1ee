/// How much one client may ask of the server.
public struct HTTPLimits: Sendable {
    /// Most bytes of request line and header fields together.
    public var headerBytes = 8 * 1024
    /// Most header fields.
    public var headerCount = 100
    /// Most bytes of a body.
    public var bodyBytes = 64 * 1024
    /// Seconds without a byte before a connection that has a request to send is closed.
    public var idleSeconds = 10
    /// Most requests under way and streams open at a time.
    public var connections = 50_000
    /// Most bytes that wait for a stream's reader.
    public var streamQueueBytes = 256 * 1024

    /// The usual limits.
    public init() {}
}
