/// Which sentinel to listen to: when one is lost the next, at once, and after a wait when none of them stayed. No I/O.
struct SentinelRotation {
    private let count: Int
    private var failures = 0
    /// The one whose turn it is.
    private(set) var index = 0

    /// - Parameter count: how many sentinels there are.
    init(of count: Int) { self.count = count }

    /// It was lost, or did not let this one in: it is the next one's turn.
    ///
    /// - Returns: for how many whole rounds in a row none has stayed; nil before the first is over.
    mutating func lost() -> Int? {
        failures += 1
        index = (index + 1) % count
        return failures % count == 0 ? failures / count - 1 : nil
    }

    /// It has stayed for a while, which makes up for earlier failures.
    mutating func stayed() { failures = 0 }
}
