/// What can be subscribed to.
public enum RedisChannel: Hashable, Sendable {
    /// The channel of this name.
    case channel(String)
    /// All channels whose names match this glob pattern.
    case pattern(String)

    /// The name or pattern.
    public var name: String {
        switch self {
        case .channel(let name), .pattern(let name): name
        }
    }
}

/// The subscribe and unsubscribe requests of one turn, in order, packed into as few commands as that order allows.
struct SubscriptionRequests {
    enum Verb { case subscribe, unsubscribe }

    /// So many channels a command: enough to make the cost of a command vanish, few enough not to hold Redis up.
    private static let channelsPerCommand = 500

    private var commands: [(name: String, count: Int, command: RedisCommand)] = []

    mutating func append(_ channel: RedisChannel, _ verb: Verb) {
        let name =
            switch (channel, verb) {
            case (.channel, .subscribe): "SUBSCRIBE"
            case (.channel, .unsubscribe): "UNSUBSCRIBE"
            case (.pattern, .subscribe): "PSUBSCRIBE"
            case (.pattern, .unsubscribe): "PUNSUBSCRIBE"
            }
        if commands.last?.name != name || commands.last?.count == Self.channelsPerCommand {
            commands.append((name, 0, RedisCommand(name)))
        }
        commands[commands.count - 1].command.append(channel.name)
        commands[commands.count - 1].count += 1
    }

    mutating func takeCommands() -> [RedisCommand] {
        defer { commands = [] }
        return commands.map(\.command)
    }
}
