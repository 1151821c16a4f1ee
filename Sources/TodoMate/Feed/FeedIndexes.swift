import EventLoop

/// The recent events that badges count: one index per owner, for any number of viewers here.
@LoopActor
final class FeedIndexes {
    private let service: any TodoRealtimeServiceType
    private let feeds: any FeedStoreType
    private var indexes: [String: FeedIndex] = [:]

    init(_ service: any TodoRealtimeServiceType, _ feeds: any FeedStoreType) {
        self.service = service
        self.feeds = feeds
    }

    /// The index of an owner, which notifies `watch` whenever it has changed, until ``remove(_:for:)``.
    func add(_ watch: BadgeWatch, for owner: String) -> FeedIndex {
        let index = indexes[owner] ?? FeedIndex(owner, service, feeds)
        if indexes.updateValue(index, forKey: owner) == nil { index.open() }
        index.watches[ObjectIdentifier(watch)] = watch
        return index
    }

    func remove(_ watch: BadgeWatch, for owner: String) {
        guard let index = indexes[owner] else { return }
        index.watches[ObjectIdentifier(watch)] = nil
        guard index.watches.isEmpty else { return }
        index.close()
        indexes[owner] = nil
    }
}
