extension RedisCommand {
    /// The slot of the first key; nil for a command without one, which any node can carry out.
    ///
    /// Where a command's keys stand is from the [command pages](https://redis.io/docs/latest/commands/) of Redis.
    package var slot: Int? {
        guard let index = firstKey, index < words.count else { return nil }
        return HashSlot.of(bytes: word(index))
    }

    /// The number of the word that is the first key.
    private var firstKey: Int? {
        let verb = String(decoding: word(0), as: UTF8.self).uppercased()
        switch verb {
        case "FCALL", "FCALL_RO", "EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO": return isZero(2) ? nil : 3
        case "ZUNION", "ZINTER", "ZDIFF", "ZINTERCARD", "SINTERCARD", "LMPOP", "ZMPOP": return 2
        case "BLMPOP", "BZMPOP", "MIGRATE": return 3
        case "XREAD", "XREADGROUP": return (1..<words.count).first { isText("STREAMS", $0) }.map { $0 + 1 }
        case "MEMORY", "OBJECT", "XINFO", "XGROUP", "BITOP", "DEBUG": return 2
        case _ where Self.withoutKeys.contains(verb): return nil
        default: return 1
        }
    }

    private static let withoutKeys: Set = [
        "ACL", "ASKING", "AUTH", "BGREWRITEAOF", "BGSAVE", "CLIENT", "CLUSTER", "COMMAND", "CONFIG", "DBSIZE", "ECHO",
        "FAILOVER", "FLUSHALL", "FLUSHDB", "FUNCTION", "HELLO", "INFO", "KEYS", "LASTSAVE", "LATENCY", "LOLWUT",
        "MODULE",
        "MONITOR", "PING", "PSUBSCRIBE", "PUBLISH", "PUBSUB", "QUIT", "RANDOMKEY", "READONLY", "READWRITE", "REPLICAOF",
        "RESET", "ROLE", "SAVE", "SCAN", "SCRIPT", "SELECT", "SHUTDOWN", "SLOWLOG", "SUBSCRIBE", "TIME", "WAIT",
        "WAITAOF",
    ]

    /// Whether it runs a script or function, which reads and writes keys that the command does not name.
    var isScript: Bool {
        ["FCALL", "FCALL_RO", "EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO"].contains { isText($0, 0) }
    }

    private func word(_ index: Int) -> ArraySlice<UInt8> { bytes[words[index]] }

    private func isZero(_ index: Int) -> Bool { index >= words.count || word(index).elementsEqual("0".utf8) }

    private func isText(_ text: String, _ index: Int) -> Bool {
        word(index).count == text.utf8.count && String(decoding: word(index), as: UTF8.self).uppercased() == text
    }
}
