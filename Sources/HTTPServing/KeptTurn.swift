import EventLoop

/// Somebody's turn while what was made in it waits for its reader, who has to take some of it all the time: others wait too.
@LoopActor
final class KeptTurn {
    private static let interval = Duration.seconds(10)
    /// As much as the slowest of phones takes in that time.
    private static let leastTaken = 64 * 1024

    private let turn: FairTurn
    private var timer: LoopTimer?
    private var last = 0

    /// - Parameters:
    ///   - turn: ends with this.
    ///   - waiting: how many bytes wait for the reader.
    ///   - onStuck: called once the reader takes less than 64 KiB in ten seconds.
    init(_ turn: FairTurn, waiting: @escaping () -> Int, onStuck: @escaping () -> Void) {
        self.turn = turn
        last = waiting()
        timer = LoopTimer.every(Self.interval, of: self) { kept in
            let left = waiting()
            if kept.last - left < Self.leastTaken { onStuck() }
            kept.last = left
        }
    }
}
