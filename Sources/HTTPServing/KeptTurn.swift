import EventLoop

/// Somebody's turn while what was made in it waits for its reader, who has to take some of it every few seconds.
@LoopActor
final class KeptTurn {
    private static let interval = Duration.seconds(1)
    private static let patience = 10

    private let turn: FairTurn
    private var timer: LoopTimer?
    private var last = 0
    private var seconds = 0

    /// - Parameters:
    ///   - turn: ends with this.
    ///   - waiting: how many bytes wait for the reader.
    ///   - onStuck: called once none were taken for ten seconds.
    init(_ turn: FairTurn, waiting: @escaping () -> Int, onStuck: @escaping () -> Void) {
        self.turn = turn
        last = waiting()
        timer = LoopTimer.every(Self.interval, of: self) { kept in
            let left = waiting()
            kept.seconds = left < kept.last ? 0 : kept.seconds + 1
            kept.last = left
            if kept.seconds >= Self.patience { onStuck() }
        }
    }
}
