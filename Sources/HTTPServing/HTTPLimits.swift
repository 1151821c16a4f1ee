/// The limits of one client.
public struct HTTPLimits: Sendable {
    /// Most bytes of request line and header fields together.
    public var headerBytes = 8 * 1024
    /// Most header fields.
    public var headerCount = 100
    /// Most bytes of a body.
    public var bodyBytes = 64 * 1024
    /// How long a whole request may take to arrive, from its first byte on; a new connection has as long for that byte.
    public var requestTime = Duration.seconds(10)
    /// How long a request may take to be answered, until the client has taken the last byte.
    public var answerTime = Duration.seconds(60)
    /// How long a connection may wait for its next request.
    public var idleTime = Duration.seconds(60)
    /// How long a server that stops listening waits for the first request of a new connection.
    public var newTime = Duration.milliseconds(500)
    /// Most connections open at a time: idle ones, requests and streams.
    public var connections = 50_000
    /// Most bytes that wait for a stream's reader.
    public var streamQueueBytes = 256 * 1024

    /// The usual limits.
    public init() {}
}
