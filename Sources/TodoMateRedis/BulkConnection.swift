import EventLoop
import RedisClient
import TodoMate

/// The connection for long reads, so that short ones do not wait behind them. It is opened when it is needed.
@LoopActor
final class BulkConnection {
    private let url: RedisURL
    private let timeout: Duration
    /// The client for short reads.
    private let other: RedisClient
    private let device: WritingDevice?
    private var client: RedisClient?

    /// The function library, over this connection.
    private(set) lazy var functions: TodoFunctions = {
        let client = RedisClient(url, timeout: timeout, sharing: other)
        self.client = client
        return TodoFunctions(client, device: device)
    }()

    init(_ url: RedisURL, timeout: Duration, device: WritingDevice?, beside other: RedisClient) {
        (self.url, self.timeout, self.device, self.other) = (url, timeout, device, other)
    }

    /// Closes the connection, if there is one; reads in progress fail.
    func close() { client?.close() }
}
