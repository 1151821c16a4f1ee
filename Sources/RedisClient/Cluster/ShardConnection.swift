import EventLoop

/// What a ``ShardConnection`` notifies its owner of.
@LoopActor
protocol ShardConnectionDelegate: AnyObject {
    func shardConnected(_ endpoint: RedisEndpoint)
    func shardLost(_ endpoint: RedisEndpoint, _ change: RedisConnectionChange)
    func shardSubscribed(_ channel: String, at endpoint: RedisEndpoint)
    func shardUnsubscribed(_ channel: String, at endpoint: RedisEndpoint)
    func shardRefused(_ error: RedisServerError, at endpoint: RedisEndpoint)
    func shardPassedFence(_ number: Int, at endpoint: RedisEndpoint)
    /// A message; the bytes are gone when the call returns.
    func shard(_ channel: String, received message: UnsafeBufferPointer<UInt8>, from connection: ShardConnection)
}

/// The RESP2 connection for subscriptions to one node of a cluster.
///
/// Behind each request goes a `PING` with its number: the echo says that the request is over, whatever the node answered and
/// whatever it said by itself in between.
@LoopActor
final class ShardConnection: RedisConnectionDelegate {
    private static let fence = "fence "

    private let endpoint: RedisEndpoint
    private weak var delegate: (any ShardConnectionDelegate)?
    private var connection: RedisConnection?

    init(_ url: RedisURL, _ endpoint: RedisEndpoint, delegate: any ShardConnectionDelegate) {
        self.endpoint = endpoint
        self.delegate = delegate
        let connection = RedisConnection(url.server(endpoint), delegate: self)
        self.connection = connection
        connection.start()
    }

    func send(_ request: ShardRequest) {
        var command = RedisCommand(request.verb == .subscribe ? "SSUBSCRIBE" : "SUNSUBSCRIBE")
        for channel in request.channels { command.append(channel) }
        connection?.send(command)
        sendFence(request.number)
    }

    func sendFence(_ number: Int) { connection?.send(RedisCommand("PING", Self.fence + String(number))) }

    /// Makes a connection anew that seems to deliver nothing.
    func drop(_ reason: String) { connection?.drop(reason) }

    func close() {
        connection?.close()
        connection = nil
    }

    // MARK: RedisConnectionDelegate

    func connectionReady() { delegate?.shardConnected(endpoint) }

    func connectionReceived(_ reply: borrowing RedisReply) {
        if let error = reply.error {
            delegate?.shardRefused(error, at: endpoint)
        } else if reply.isText("smessage", at: 0) {
            let channel = reply.string(at: 1)
            reply.withBytes(at: 2) { delegate?.shard(channel, received: $0, from: self) }
        } else if reply.isText("ssubscribe", at: 0) {
            delegate?.shardSubscribed(reply.string(at: 1), at: endpoint)
        } else if reply.isText("sunsubscribe", at: 0) {
            delegate?.shardUnsubscribed(reply.string(at: 1), at: endpoint)
        } else {
            // As a string by itself where nothing is subscribed to.
            let word = reply.text ?? (reply.isText("pong", at: 0) ? reply.string(at: 1) : "")
            guard word.hasPrefix(Self.fence), let number = Int(word.dropFirst(Self.fence.count)) else { return }
            delegate?.shardPassedFence(number, at: endpoint)
        }
    }

    func connectionMustPing() { connection?.send(RedisCommand("PING")) }

    func connectionLost(_ reason: String) { delegate?.shardLost(endpoint, .lost(reason)) }

    func connectionFailed(_ error: RedisError) { delegate?.shardLost(endpoint, .failed(error)) }
}
