import RedisClient

/// What a Redis server says of itself: the answers to INFO and CONFIG GET.
struct ServerFacts: Sendable {
    /// The lines of INFO, such as `redis_version` → `7.0.15`.
    let info: [String: String]
    /// The settings; empty when this user may not read them.
    let config: [String: String]

    /// The settings that are checked.
    static let settings = [
        "appendfsync", "aof-load-truncated", "save", "maxmemory", "maxmemory-policy", "client-output-buffer-limit",
        "maxclients",
        "min-replicas-to-write", "protected-mode", "bind", "requirepass",
    ]

    /// Names and values by turns, as CONFIG GET answers; nil for an error.
    static func settings(in reply: RedisValue) -> [String: String]? {
        guard let words = reply.array?.map({ $0.string ?? "" }) else { return nil }
        var settings: [String: String] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) { settings[words[index]] = words[index + 1] }
        return settings
    }

    /// Facts that were read before.
    init(info: [String: String], config: [String: String]) {
        self.info = info
        self.config = config
    }

    /// Reads the text that INFO answers, as the command page of Redis describes it.
    init(info text: String, config: [String: String]) {
        var info: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { info[String(parts[0])] = String(parts[1]) }
        }
        self.init(info: info, config: config)
    }

    /// A number of INFO.
    func number(_ name: String) -> Int? { info[name].flatMap { Int($0) } }

    /// What INFO says of each replica, such as `ip=10.0.0.2,port=6379,state=online,offset=1,lag=0`.
    var replicas: [[String: String]] {
        (0..<(number("connected_slaves") ?? 0)).compactMap { info["slave\($0)"] }.map { text in
            let pairs = text.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
        }
    }
}
