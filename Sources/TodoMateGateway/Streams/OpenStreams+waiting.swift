import HTTPServing

/// Bounds what waits for readers who do not read: of one person, and of all.
///
/// A stream alone may let ``HTTPLimits/streamQueueBytes`` gather. A snapshot that its reader was let have in its turn is not
/// counted: who has such a turn is bounded elsewhere.
extension OpenStreams {
    private static let mostOfOne = 8 << 20
    private static let most = 64 << 20

    /// Ends a user's streams with the most queued bytes, until the rest are within bounds.
    func checkWaiting(of user: String) { Self.bound(streams(of: user), to: Self.mostOfOne) }

    /// The same of everybody's streams; called every second.
    func checkWaiting() {
        var total = 0
        for user in users {
            let theirs = streams(of: user)
            let bytes = Self.waiting(theirs)
            if bytes > Self.mostOfOne { Self.bound(theirs, to: Self.mostOfOne) }
            total += bytes
        }
        if total > Self.most { Self.bound(all, to: Self.most) }
    }

    private static func bound(_ streams: [OpenStream], to most: Int) {
        var total = waiting(streams)
        guard total > most else { return }
        for stream in streams.map(\.stream).sorted(by: { $0.countedBytes > $1.countedBytes }) where total > most {
            total -= stream.countedBytes
            stream.cutOff()
        }
    }

    private static func waiting(_ streams: [OpenStream]) -> Int {
        streams.reduce(0) { $0 + $1.stream.countedBytes }
    }
}
