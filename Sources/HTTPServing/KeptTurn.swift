import EventLoop

/// Turns in which something was made that waits for its reader, who has to take some of it all the time: others wait too.
@LoopActor
final class KeptTurn {
    private static let interval = Duration.seconds(10)
    /// As much as the slowest of phones takes in that time.
    private static let leastTaken = 64 * 1024

    /// With the time of a read, and the half second for which it is trusted, nothing is sent for more than a second after access
    /// has ended.
    private static let checkInterval = Duration.milliseconds(250)

    private var turns: [FairTurn]
    private var timer: LoopTimer?
    private var check: LoopTimer?
    private var isAsking = false
    private var last = 0
    private var added = 0

    /// - Parameters:
    ///   - turn: ends with this.
    ///   - waiting: how many bytes wait for the reader.
    ///   - onStuck: called once the reader takes less than 64 KiB in ten seconds.
    init(_ turn: FairTurn, waiting: @escaping () -> Int, onStuck: @escaping () -> Void) {
        turns = [turn]
        last = waiting()
        timer = LoopTimer.every(Self.interval, of: self) { kept in
            let left = waiting()
            if kept.last + kept.added - left < Self.leastTaken { onStuck() }
            (kept.last, kept.added) = (left, 0)
        }
    }

    /// Checks at intervals whether the reader may have the rest.
    ///
    /// - Parameter onNo: called when it may not.
    func check(_ mayGoOn: @escaping @LoopActor () async -> Bool, onNo: @escaping () -> Void) {
        check = LoopTimer.every(Self.checkInterval, of: self) { kept in
            guard !kept.isAsking else { return }
            kept.isAsking = true
            Task { [weak kept] in
                let mayGoOn = await mayGoOn()
                kept?.isAsking = false
                // A client that has received all meanwhile may be at another response.
                if !mayGoOn, kept != nil { onNo() }
            }
        }
    }

    /// Keeps another turn as well, until all of it is taken; the reader gets no more time for that.
    func add(_ turn: FairTurn, bytes: Int) {
        turns.append(turn)
        added += bytes
    }
}
