import EventLoop
import HTTPServing

/// Bounds what waits for readers who do not read: of one person, and of all.
///
/// A stream alone may let ``HTTPLimits/streamQueueBytes`` gather. A snapshot that its reader was let have in its turn is not
/// counted: who has such a turn is bounded elsewhere.
@LoopActor
final class WaitingBytes {
    private static let mostOfOne = 8 << 20
    private static let most = 64 << 20

    private var streams: [String: [ObjectIdentifier: EventStream]] = [:]

    nonisolated init() {}

    /// How many streams somebody has.
    func count(of person: String) -> Int { streams[person]?.count ?? 0 }

    func add(_ stream: EventStream, of person: String) {
        streams[person, default: [:]][ObjectIdentifier(stream)] = stream
    }

    func remove(_ stream: EventStream, of person: String) {
        streams[person]?[ObjectIdentifier(stream)] = nil
        if streams[person]?.isEmpty == true { streams[person] = nil }
    }

    /// Ends those of somebody's streams that keep most waiting, until the others are within bounds.
    func check(_ person: String) { check(Array((streams[person] ?? [:]).values), Self.mostOfOne) }

    /// The same of all streams; called every second.
    func checkAll() {
        var total = 0
        for (person, theirs) in streams {
            let bytes = theirs.values.reduce(0) { $0 + $1.countedBytes }
            if bytes > Self.mostOfOne { check(person) }
            total += bytes
        }
        if total > Self.most { check(streams.values.flatMap(\.values), Self.most) }
    }

    private func check(_ streams: [EventStream], _ most: Int) {
        var total = streams.reduce(0) { $0 + $1.countedBytes }
        guard total > most else { return }
        for stream in streams.sorted(by: { $0.countedBytes > $1.countedBytes }) where total > most {
            total -= stream.countedBytes
            stream.cutOff()
        }
    }
}
