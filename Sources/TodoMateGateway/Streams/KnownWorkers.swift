/// The other workers, as far as they announce themselves: who is there, and whether it can be relied on. Without I/O.
///
/// A worker that falls silent has ended or hangs. Redis distinguishes the two: it counts subscribers, and the connection of a
/// process that ended is closed, while that of one that was stopped stays open.
struct KnownWorkers {
    /// A bound: anyone can publish announcements.
    static let most = 256

    private struct Entry {
        var streams: Int
        var heardAt: ContinuousClock.Instant
    }

    private let own: String
    private let interval: Duration
    private var entries: [String: Entry] = [:]
    /// How many processes received the last announcement, this one included.
    private var listeners = 0
    /// When this worker last received its own announcement, which proves that publishing and receiving work.
    private var echoedAt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - own: what this worker calls itself.
    ///   - interval: how often workers announce themselves.
    init(own: String, interval: Duration) { (self.own, self.interval) = (own, interval) }

    /// The others' streams, by worker.
    var streams: [String: Int] { entries.mapValues(\.streams) }

    /// Takes an announcement; true when a worker joined or left by it.
    mutating func receive(_ load: WorkerLoad, at now: ContinuousClock.Instant) -> Bool {
        guard load.isSensible else { return false }
        if load.worker == own {
            echoedAt = now
            return false
        }
        if load.draining == true { return entries.removeValue(forKey: load.worker) != nil }
        let isNew = entries[load.worker] == nil
        if isNew, entries.count >= Self.most { return false }
        entries[load.worker] = Entry(streams: load.streams, heardAt: now)
        return isNew
    }

    /// Notes how many processes received an announcement of this worker.
    mutating func announced(to listeners: Int) { self.listeners = listeners }

    /// The connection was lost, or an announcement did not get through.
    mutating func disconnected() { echoedAt = nil }

    /// Forgets workers that have ended; true when all others announce themselves and this worker receives its own announcements.
    mutating func review(at now: ContinuousClock.Instant) -> Bool {
        // A worker that receives nothing cannot tell that others are silent.
        guard let echoedAt, now - echoedAt <= interval * 2 else { return false }
        let silent = entries.filter { now - $0.value.heardAt > interval * 3 }
            .sorted { $0.value.heardAt < $1.value.heardAt }
        // More known than listen: so many have ended, or never were.
        let excess = max(entries.count + 1 - listeners, 0)
        for (index, (worker, entry)) in silent.enumerated() {
            // A connection whose machine is gone stays open for 5 minutes, Redis's tcp-keepalive; somebody at redis-cli may
            // listen as well. At 2 s, this is twice as long.
            if index < excess || now - entry.heardAt > interval * 300 { entries[worker] = nil }
        }
        return silent.isEmpty && excess == 0
    }
}
