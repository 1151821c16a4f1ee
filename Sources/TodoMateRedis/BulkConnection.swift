import EventLoop
import RedisClient

/// The connection for long reads, so that short ones do not wait behind them. It is opened when it is needed.
@LoopActor
final class BulkConnection {
    private let url: RedisURL
    private let timeout: Duration
    private var client: RedisClient?

    /// The function library, over this connection.
    private(set) lazy var functions: TodoFunctions = {
        let client = RedisClient(url, timeout: timeout)
        self.client = client
        return TodoFunctions(client)
    }()

    init(_ url: RedisURL, timeout: Duration) { (self.url, self.timeout) = (url, timeout) }

    /// Closes the connection, if there is one; reads in progress fail.
    func close() { client?.close() }
}
