/// Why a node of a cluster did not carry a command out, and what to do about it.
///
/// See [the cluster specification](https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#redirection-and-resharding).
enum ClusterRefusal: Equatable {
    /// Another node serves the slot.
    case moved(slot: Int, to: RedisEndpoint)
    /// The key, if it is there at all, is with another node already, which the slot is moving to.
    case ask(RedisEndpoint)
    /// It will be carried out once the slot has moved, a primary was chosen, or the node has loaded its data.
    case notNow

    /// - Parameters:
    ///   - error: what a node answered.
    ///   - asked: how that node was reached, which stands in where the answer leaves the host out.
    /// - Returns: nil for an error that has nothing to do with where the command was sent.
    init?(_ error: RedisServerError, asked: RedisEndpoint) {
        let words = error.message.split(separator: " ")
        switch error.code {
        case "MOVED":
            guard let (slot, endpoint) = Self.target(words, asked) else { return nil }
            self = .moved(slot: slot, to: endpoint)
        case "ASK":
            guard let (_, endpoint) = Self.target(words, asked) else { return nil }
            self = .ask(endpoint)
        // A primary that was demoted is READONLY before it has heard of the slot's new owner.
        case "TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY": self = .notNow
        default: return nil
        }
    }

    /// As in `MOVED 3999 127.0.0.1:6381`, whose host may be missing and may be an IPv6 address.
    private static func target(_ words: [Substring], _ asked: RedisEndpoint) -> (slot: Int, endpoint: RedisEndpoint)? {
        guard words.count >= 3, let slot = Int(words[1]), (0..<HashSlot.count).contains(slot),
            let colon = words[2].lastIndex(of: ":"), let port = Int(words[2][words[2].index(after: colon)...]),
            (1...65535).contains(port)
        else { return nil }
        let host = words[2][..<colon]
        return (slot, RedisEndpoint(host: ["", "?"].contains(host) ? asked.host : String(host), port: port))
    }
}
