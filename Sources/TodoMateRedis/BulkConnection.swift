import EventLoop
import RedisClient

/// The connection over which much is read: nobody's small question waits behind its answers. It is made when it is needed.
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

    /// Closes the connection, if there is one; whatever is under way fails.
    func close() { client?.close() }
}
