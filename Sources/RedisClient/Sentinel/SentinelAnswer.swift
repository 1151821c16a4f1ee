/// What one sentinel knows of the primary.
///
/// See `SENTINEL MASTER` and `SENTINEL GET-MASTER-ADDR-BY-NAME` in
/// [the documentation of Sentinel](https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/).
struct SentinelAnswer: Equatable {
    let primary: RedisEndpoint
    /// Of the configuration that it knows: each failover has a greater one. 0 where the sentinel does not tell.
    let epoch: Int

    init(primary: RedisEndpoint, epoch: Int) { (self.primary, self.epoch) = (primary, epoch) }

    /// Nil where the sentinel watches no primary of that name.
    init?(address: RedisValue, epoch: Int) {
        guard let words = address.array, words.count == 2, let host = words[0].string, !host.isEmpty,
            let port = words[1].string.flatMap({ Int($0) }), (1...65535).contains(port)
        else { return nil }
        self.init(primary: RedisEndpoint(host: host, port: port), epoch: epoch)
    }

    /// The epoch in what `SENTINEL MASTER` says: names and values by turns.
    static func epoch(in reply: RedisValue) -> Int? {
        guard let words = reply.array else { return nil }
        for index in stride(from: 0, to: words.count - 1, by: 2) where words[index].string == "config-epoch" {
            return words[index + 1].string.flatMap { Int($0) }
        }
        return nil
    }
}
