public import EventLoop
public import RedisClient

/// Answers like a sentinel, whatever the test has it say.
@LoopActor
public final class FakeSentinel {
    public let endpoint: RedisEndpoint
    /// Whom it names; nil for one that does not know the name.
    public var primary: RedisEndpoint?
    /// Of what it names.
    public var epoch: Int
    /// Whether it takes connections and says nothing.
    public var isHanging = false
    /// What it wants before it answers; nil for nothing.
    public var password: String?
    /// How many questions for the primary it was asked.
    public private(set) var questions = 0

    private var server: FakeServer?

    public init(_ primary: RedisEndpoint?, epoch: Int = 0) throws {
        (self.primary, self.epoch) = (primary, epoch)
        // Known before the server is: whoever it is named to connects later.
        let answering = Answering()
        let server = try FakeServer { answering.sentinel?.answer($0, of: $1) ?? "" }
        endpoint = server.endpoint
        self.server = server
        answering.sentinel = self
    }

    @LoopActor
    private final class Answering { weak var sentinel: FakeSentinel? }

    /// Whether somebody listens to it.
    public var isHeard: Bool { server?.clients.contains { !$0.channels.isEmpty } ?? false }

    /// Publishes that another server is the primary now.
    public func announce(from old: RedisEndpoint, to new: RedisEndpoint) {
        let words = "todos \(old.host) \(old.port) \(new.host) \(new.port)"
        for client in server?.clients ?? [] where !client.channels.isEmpty {
            client.send(FakeServer.array(["message", "+switch-master", words]))
        }
    }

    /// Ends its connections, and takes no others. Calling it again does nothing.
    public func close() { server?.close() }

    private func answer(_ words: [String], of client: FakeServer.Client) -> String {
        guard !isHanging else { return "" }
        let command = words.prefix(2).joined(separator: " ").uppercased()
        if words[0].uppercased() == "AUTH" {
            guard let password else { return "-ERR AUTH <password> called without any password configured\r\n" }
            client.isLetIn = words.last == password
            return client.isLetIn ? "+OK\r\n" : "-WRONGPASS invalid username-password pair or user is disabled.\r\n"
        }
        guard password == nil || client.isLetIn else { return "-NOAUTH Authentication required.\r\n" }
        switch command {
        case "PING": return !client.channels.isEmpty ? FakeServer.array(["pong", ""]) : "+PONG\r\n"
        case "CLIENT SETNAME": return "+OK\r\n"
        case "SENTINEL MASTER":
            questions += 1
            guard primary != nil else { return "-ERR No such master with that name\r\n" }
            return FakeServer.array(["name", words[2], "config-epoch", String(epoch)])
        case "SENTINEL GET-MASTER-ADDR-BY-NAME":
            return primary.map { FakeServer.array([$0.host, String($0.port)]) } ?? "*-1\r\n"
        case _ where words[0].uppercased() == "SUBSCRIBE":
            client.channels.formUnion(words.dropFirst())
            return words.dropFirst().map { "*3\r\n\(FakeServer.text("subscribe"))\(FakeServer.text($0)):1\r\n" }
                .joined()
        default: return "-ERR unknown command '\(words[0])'\r\n"
        }
    }
}
