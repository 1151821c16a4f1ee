/// Lets few callers at a time do something expensive, in turn between the users it is for.
///
/// A turn lasts until the last reference to it is gone, so that it can be handed on with what was made in it.
@LoopActor
package final class FairTurns {
    private var queue: FairQueue<LoopContinuation<Void>>

    /// - Parameters:
    ///   - parallel: how many turns there are at a time.
    ///   - parallelOfOne: how many of them one key may have.
    ///   - most: how many may have a turn or wait for one.
    ///   - mostOfOne: how many of them one key may have.
    package init(parallel: Int, parallelOfOne: Int = 1, most: Int, mostOfOne: Int) {
        queue = FairQueue(parallel: parallel, parallelOfOne: parallelOfOne, most: most, mostOfOne: mostOfOne)
    }

    /// How many have a turn or wait for one.
    package var places: Int { queue.places }

    /// A turn once it has come; nil at once when too many wait.
    package func turn(for key: String) async -> FairTurn? {
        guard queue.enter(key) else { return nil }
        await LoopActor.suspend { continuation in
            queue.add(continuation, for: key)
            begin()
        }
        return FairTurn { [weak self] in self?.end(key) }
    }

    private func begin() {
        while let (continuation, _) = queue.next() { continuation.resume() }
    }

    private func end(_ key: String) {
        queue.finish(key)
        queue.leave(key)
        begin()
    }
}

/// A turn, which ends when it is released.
package final class FairTurn: Sendable {
    private let onEnd: @LoopActor @Sendable () -> Void

    init(onEnd: @escaping @LoopActor @Sendable () -> Void) { self.onEnd = onEnd }

    deinit {
        // Whoever lets go of it last may be on any thread.
        Task { @LoopActor [onEnd] in onEnd() }
    }
}

extension FairTurn: Equatable {
    /// Whether it is the very same turn.
    package static func == (left: FairTurn, right: FairTurn) -> Bool { left === right }
}
