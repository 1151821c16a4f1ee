public import EventLoop
public import RedisClient

/// Answers like a node of a cluster of which it knows one primary; what is published there is delivered only if the test wants it.
@LoopActor
public final class FakeClusterNode {
    public let endpoint: RedisEndpoint
    private let server: FakeServer
    private let state: State

    /// - Parameter delivers: whether subscribers are given what is published.
    public init(delivers: Bool) throws {
        let state = State(delivers)
        self.state = state
        server = try FakeServer { state.answer($0, $1) }
        endpoint = server.endpoint
        state.server = server
    }

    public func close() { server.close() }

    /// Whom it names as the one who serves all slots; itself at first.
    public func name(_ primary: FakeClusterNode) { state.primary = primary.endpoint }

    /// Tells those who are subscribed, whoever serves the channel.
    public func deliver(_ message: String, on channel: String) { state.deliver(message, on: channel) }

    /// How many are subscribed.
    public func hearers(of channel: String) -> Int { state.hearers(of: channel).count }

    @LoopActor
    private final class State {
        private let delivers: Bool
        weak var server: FakeServer?
        var primary: RedisEndpoint?

        init(_ delivers: Bool) { self.delivers = delivers }

        func answer(_ words: [String], _ client: FakeServer.Client) -> String {
            let rest = words.dropFirst()
            switch words[0] {
            case "PING":
                let word = rest.first ?? ""
                return client.channels.isEmpty ? FakeServer.text(word) : FakeServer.array(["pong", word])
            case "CLIENT": return "+OK\r\n"
            case "CLUSTER" where rest.first == "INFO":
                return FakeServer.text("cluster_state:ok\r\ncluster_current_epoch:1")
            case "CLUSTER":
                let port = (primary ?? server?.endpoint)?.port ?? 0
                let node = "*3\r\n\(FakeServer.text("127.0.0.1")):\(port)\r\n\(FakeServer.text("id"))"
                return "*1\r\n*3\r\n:0\r\n:16383\r\n" + node
            case "SSUBSCRIBE":
                client.channels.formUnion(rest)
                return rest.map { confirmation("ssubscribe", $0) }.joined()
            case "SUNSUBSCRIBE":
                client.channels.subtract(rest)
                return rest.map { confirmation("sunsubscribe", $0) }.joined()
            case "SPUBLISH":
                if delivers { deliver(words[2], on: words[1]) }
                return ":\(hearers(of: words[1]).count)\r\n"
            default: return "-ERR unknown command '\(words[0])'\r\n"
            }
        }

        func hearers(of channel: String) -> [FakeServer.Client] {
            (server?.clients ?? []).filter { $0.channels.contains(channel) }
        }

        func deliver(_ message: String, on channel: String) {
            for hearer in hearers(of: channel) { hearer.send(FakeServer.array(["smessage", channel, message])) }
        }

        private func confirmation(_ verb: String, _ channel: String) -> String {
            "*3\r\n\(FakeServer.text(verb))\(FakeServer.text(channel)):1\r\n"
        }
    }
}
