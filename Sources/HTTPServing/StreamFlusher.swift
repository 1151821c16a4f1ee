import EventLoop

/// Flushes the streams that were sent something, in the order in which they were, so many at the end of each turn.
///
/// What comes in while a thousand streams are written to goes along with those that are still to be written, instead of
/// waiting until all are: with ten changes of one user on their way to 1,000 streams that is twice as many a system call.
/// And other work does not wait for the system calls of all.
@LoopActor
final class StreamFlusher {
    /// Some 0.5 ms of system calls, after which input is polled for.
    private static let streamsPerTurn = 64
    /// At most twice that: too short to notice, and Redis answers faster even when thousands reconnect at once.
    private static let hold = Duration.milliseconds(100)

    // Each is retained once when it is added and released once when it is removed. `flush` calls nothing that touches these, so
    // they need no runtime check for overlapping accesses.
    @exclusivity(unchecked) private var dirty: [Unmanaged<EventStream>] = []
    @exclusivity(unchecked) private var due: [Unmanaged<EventStream>] = []
    /// The first of those due that has not been flushed.
    @exclusivity(unchecked) private var next = 0
    /// Those whose head may still wait for a first frame: the new ones, and those who have waited for one ``hold``.
    private var held: (new: [EventStream], old: [EventStream]) = ([], [])

    nonisolated init() {}

    func add(_ stream: EventStream) {
        if dirty.isEmpty, due.isEmpty { LoopActor.atEndOfTurn { [self] in flush() } }
        dirty.append(.passRetained(stream))
    }

    private func flush() {
        // Two arrays in turn, so that neither is made anew.
        if due.isEmpty { swap(&dirty, &due) }
        let end = min(next + Self.streamsPerTurn, due.count)
        while next < end {
            let stream = due[next]
            next += 1
            stream.takeRetainedValue().flush()
        }
        if next == due.count {
            due.removeAll(keepingCapacity: true)
            next = 0
        }
        if !due.isEmpty || !dirty.isEmpty { LoopActor.atEndOfNextTurn { [self] in flush() } }
    }

    /// Flushes a stream that is sent nothing within the next moment: a first frame that comes by then saves a system call.
    func flushSoon(_ stream: EventStream) {
        held.new.append(stream)
        guard held.new.count == 1, held.old.isEmpty else { return }
        Task {
            while !held.new.isEmpty || !held.old.isEmpty {
                await LoopTimer.sleep(for: Self.hold)
                let due = held.old
                held = ([], held.new)
                for stream in due { stream.flush() }
            }
        }
    }
}
