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

    /// Whom it names as the one who serves all slots, and since which configuration epoch; itself since the first one, at first.
    public func name(_ primary: FakeClusterNode, inEpoch epoch: Int) {
        meet(primary)
        (state.primary, state.epoch) = (primary.endpoint, epoch)
    }

    /// Has it know another node, which serves nothing.
    public func meet(_ other: FakeClusterNode) { state.others.insert(other.endpoint.port) }

    /// Has it name another node as the owner of every slot when it is asked for a key or a channel, whatever else it says.
    public func pointTo(_ other: FakeClusterNode?) { state.pointsTo = other?.endpoint }

    /// So many functions that write are refused from now on, as by a replica; the others are called and answer nothing.
    public func refuseWrites(_ times: Int) { state.refusalsLeft = times }

    /// Whether functions that write are called from now on, and their answers lost: with the connection, or for good.
    public func loseAnswers(_ way: Loss) { state.loss = way }

    /// How an answer is lost.
    public enum Loss: Sendable, CaseIterable {
        case withConnection, forGood
    }

    /// How many functions that write were called.
    public var writes: Int { state.writes }

    /// How often it has sent somebody on.
    public var redirections: Int { state.redirections }

    /// Has it take commands without carrying them out, until it wakes.
    public func sleep() { state.isAsleep = true }

    /// Carries out what has piled up, and goes on.
    public func wake() { state.wake() }

    /// How many commands have piled up.
    public var piledUp: Int { state.pile.count }

    /// Tells those who are subscribed, whoever serves the channel.
    public func deliver(_ message: String, on channel: String) { state.deliver(message, on: channel) }

    /// How many are subscribed.
    public func hearers(of channel: String) -> Int { state.hearers(of: channel).count }

    @LoopActor
    private final class State {
        private let delivers: Bool
        weak var server: FakeServer?
        var primary: RedisEndpoint?
        var epoch = 1
        /// The ports of those that it knows.
        var others: Set<Int> = []
        var isAsleep = false
        var pointsTo: RedisEndpoint?
        private(set) var redirections = 0
        var refusalsLeft = 0
        var loss: Loss?
        private(set) var writes = 0
        private(set) var pile: [(words: [String], client: FakeServer.Client)] = []

        init(_ delivers: Bool) { self.delivers = delivers }

        func wake() {
            isAsleep = false
            for (words, client) in pile { client.send(answer(words, client)) }
            pile = []
        }

        func answer(_ words: [String], _ client: FakeServer.Client) -> String {
            guard !isAsleep else {
                pile.append((words, client))
                return ""
            }
            let rest = words.dropFirst()
            switch words[0] {
            case "PING":
                let word = rest.first ?? ""
                return client.channels.isEmpty ? FakeServer.text(word) : FakeServer.array(["pong", word])
            case "CLIENT": return "+OK\r\n"
            case "CLUSTER" where rest.first == "INFO":
                return FakeServer.text("cluster_state:ok\r\ncluster_current_epoch:\(epoch)")
            case "CLUSTER" where rest.first == "NODES":
                let ports = others.union([port, server?.endpoint.port ?? 0])
                return FakeServer.text(ports.map { "\(line(ofNodeAt: $0))\n" }.joined())
            case "CLUSTER":
                let node = "*3\r\n\(FakeServer.text("127.0.0.1")):\(port)\r\n\(FakeServer.text("id\(port)"))"
                return "*1\r\n*3\r\n:0\r\n:16383\r\n" + node
            case "SSUBSCRIBE":
                if let pointsTo {
                    redirections += 1
                    return "-MOVED \(HashSlot.of(words[1])) \(pointsTo)\r\n"
                }
                client.channels.formUnion(rest)
                return rest.map { confirmation("ssubscribe", $0) }.joined()
            case "SUNSUBSCRIBE":
                client.channels.subtract(rest)
                return rest.map { confirmation("sunsubscribe", $0) }.joined()
            case "SPUBLISH":
                if delivers { deliver(words[2], on: words[1]) }
                return ":\(hearers(of: words[1]).count)\r\n"
            case "GET":
                guard let pointsTo else { return "$-1\r\n" }
                redirections += 1
                return "-MOVED \(HashSlot.of(words[1])) \(pointsTo)\r\n"
            case "FCALL":
                writes += 1
                if loss == .withConnection { client.close() }
                guard loss == nil else { return "" }
                refusalsLeft -= 1
                return refusalsLeft >= 0 ? "-READONLY You can't write against a read only replica.\r\n" : "$-1\r\n"
            case "FCALL_RO": return "$-1\r\n"
            default: return "-ERR unknown command '\(words[0])'\r\n"
            }
        }

        /// The port of who serves.
        private var port: Int { (primary ?? server?.endpoint)?.port ?? 0 }

        private func line(ofNodeAt other: Int) -> String {
            let role =
                other == port ? "master - 0 0 \(epoch) connected 0-16383" : "slave id\(port) 0 0 \(epoch) connected"
            return "id\(other) 127.0.0.1:\(other)@\(other) \(role)"
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
