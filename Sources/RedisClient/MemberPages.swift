package import EventLoop

/// Goes through a hash or a sorted set, a page at a time, whoever serves it meanwhile.
///
/// A cursor of [HSCAN](https://redis.io/docs/latest/commands/hscan/) or ZSCAN counts for the process that gave it: what answers after a
/// failover, a restart or a move of the slot takes it for another place, and members would be left out. Names and scores mean the
/// same everywhere.
///
/// A member that is there all the time is on one page; in a sorted set on two where its score has risen meanwhile, and perhaps on none
/// where it has fallen.
@LoopActor
package final class MemberPages<Failure: Error> {
    /// What is stored at the key.
    package enum Kind { case hash, sortedSet }
    /// A field and its value, or a member and its score.
    package typealias Member = (name: [UInt8], value: [UInt8])
    package typealias Send = @LoopActor (RedisCommand) async throws(Failure) -> RedisValue

    private let key: String
    private let kind: Kind
    private let size: Int
    private let send: Send
    /// Of a hash, the fields that are still to be read; nil before the first page.
    private var fields: ArraySlice<[UInt8]>?
    /// Of a sorted set, the score to go on from, and who has been read of those that have it.
    private var place = (score: Array("-inf".utf8), read: Set<[UInt8]>())

    /// The pages of what is stored at a key.
    ///
    /// - Parameters:
    ///   - size: how many members a page has at most.
    ///   - send: sends a command to whoever serves the key.
    package init(of key: String, _ kind: Kind, size: Int = 1000, by send: @escaping Send) {
        (self.key, self.kind, self.size, self.send) = (key, kind, size, send)
    }

    /// The next page, which may be empty; nil at the end.
    package func next() async throws(Failure) -> [Member]? {
        switch kind {
        case .hash: try await nextFields()
        case .sortedSet: try await nextScores()
        }
    }

    private func nextFields() async throws(Failure) -> [Member]? {
        if fields == nil {
            let names = try await send(RedisCommand("HKEYS", key)).array ?? []
            fields = names.compactMap(\.bytes)[...]
        }
        guard let rest = fields, !rest.isEmpty else { return nil }
        let names = rest.prefix(size)
        var command = RedisCommand("HMGET", key)
        for name in names { command.append(name) }
        let values = try await send(command).array ?? []
        fields = rest.dropFirst(size)
        // What has gone meanwhile has no value.
        return zip(names, values).compactMap { name, value in value.bytes.map { (name, $0) } }
    }

    private func nextScores() async throws(Failure) -> [Member]? {
        // Those that were read come first again.
        let most = String(size + place.read.count)
        var command = RedisCommand("ZRANGE", key)
        command.append(place.score)
        for word in ["+inf", "BYSCORE", "LIMIT", "0", most, "WITHSCORES"] { command.append(word) }
        let words = (try await send(command).array ?? []).compactMap(\.bytes)
        let found = stride(from: 0, to: words.count - 1, by: 2).map { (name: words[$0], value: words[$0 + 1]) }
        let page = found.filter { $0.value != place.score || !place.read.contains($0.name) }
        guard let last = page.last?.value else { return nil }
        if last != place.score { place = (last, []) }
        place.read.formUnion(page.lazy.filter { $0.value == last }.map(\.name))
        return page
    }
}

extension RedisClient {
    /// The members of a hash or a sorted set, by pages.
    package func members(of key: String, _ kind: MemberPages<RedisError>.Kind) -> MemberPages<RedisError> {
        MemberPages(of: key, kind) { [self] (command) async throws(RedisError) in try await send(command) }
    }
}
