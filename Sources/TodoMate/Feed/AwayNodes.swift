import EventLoop

/// Which nodes did not answer lately, so that not everybody who reads waits for them as long as the first.
@LoopActor
final class AwayNodes {
    private let patience: Duration
    private var noted: [String: ContinuousClock.Instant] = [:]

    /// - Parameter patience: how long a node may take of which nothing is noted; so long a note counts as well, so that one that is
    ///   slow for others is waited for again.
    init(patience: Duration) { self.patience = patience }

    /// How long to wait for what is in a node: long enough in any case for one that is back.
    func patience(for node: String) -> Duration {
        guard let time = noted[node] else { return patience }
        guard time.duration(to: .now) < patience else {
            noted[node] = nil
            return patience
        }
        return patience / 10
    }

    /// Notes that one of a node's could not be read, unless that is known.
    func note(_ node: String) { noted[node] = noted[node] ?? .now }
}
