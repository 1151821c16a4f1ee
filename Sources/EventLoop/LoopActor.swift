/// The one loop of this process: a libevent `event_base` that is also the executor of this global actor.
///
/// Everything isolated to `@LoopActor` runs on a single thread, the loop's own, which starts at first use and lives as
/// long as the process. C callbacks of the loop enter isolated code synchronously, without a hop, a lock or a copy;
/// code elsewhere just `await`s. Work that blocks does not belong here: it would hold up every connection.
@globalActor
public actor LoopActor {
    /// The actor that `@LoopActor` names.
    public static let shared = LoopActor()

    private nonisolated let executor = LoopExecutor()

    /// The loop, as the executor of this actor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The libevent base behind the loop, for what else is built on libevent; touch it on the loop only.
    public nonisolated var base: OpaquePointer { executor.base }

    /// Runs `body` at once, as code that is already on the loop: the door by which C callbacks enter isolated code.
    ///
    /// Stops the process when called from any other thread.
    public static func assumeIsolated<Result>(_ body: @LoopActor () throws -> Result) rethrows -> Result {
        shared.preconditionIsolated("this is not the loop's thread")
        // The check above proves the isolation which the cast takes out of the type; nothing else changes in it.
        return try withoutActuallyEscaping(body) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }

    /// Runs `body` when this turn's input has all been handled, before the loop waits again.
    ///
    /// Writers use it to gather all that one turn produced into one system call a connection.
    @LoopActor
    public static func atEndOfTurn(_ body: @escaping @LoopActor () -> Void) {
        LoopTurn.bodies.append(body)
    }
}

/// What is left to do before the loop waits again.
@LoopActor
enum LoopTurn {
    static var bodies: [@LoopActor () -> Void] = []

    /// Runs all that was queued, including what those bodies queue themselves.
    static func finish() {
        while !bodies.isEmpty {
            let due = bodies
            bodies.removeAll(keepingCapacity: true)
            for body in due { body() }
        }
    }
}
