/// The one loop of this process: a libevent `event_base` that is also the executor of this global actor.
///
/// Everything isolated to `@LoopActor` runs on a single thread, which starts at first use and lives as long as the process. C
/// callbacks of the loop enter isolated code synchronously, without a hop, a lock or a copy; other code uses `await`. Never
/// block here: that would stall every connection.
///
///     @LoopActor
///     final class Display: @LoopActor Observer {
///         func receive(_ event: Measurement) { print("Seoul:", event.celsius, "°C") }
///     }
@globalActor
public actor LoopActor {
    /// The actor that `@LoopActor` names.
    public static let shared = LoopActor()

    private nonisolated let executor: LoopExecutor

    /// The loop, as the executor of this actor; stored, because every call of an isolated function reads it.
    public nonisolated let unownedExecutor: UnownedSerialExecutor

    private init() {
        executor = LoopExecutor()
        unownedExecutor = executor.asUnownedSerialExecutor()
    }

    /// The libevent base behind the loop; use it on the loop only.
    package nonisolated var base: OpaquePointer { executor.base }

    /// Runs `body` at once, as code that is already on the loop: for C callbacks, which enter isolated code by it.
    ///
    /// Stops the process when called from any other thread.
    @inlinable
    public static func assumeIsolated<Result>(_ body: @LoopActor () throws -> Result) rethrows -> Result {
        // Asks the executor directly: the runtime's way is slow, and this is called for each event.
        shared.checkIsLoop()
        // The check above proves the isolation that the cast removes from the type; nothing else changes in it.
        return try withoutActuallyEscaping(body) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }

    /// ``assumeIsolated(_:)`` for a closure that is called often: made once, it allocates nothing at each call.
    ///
    /// The returned closure stops the process when called from any other thread.
    @inlinable
    package nonisolated static func assumingIsolated<First, Second>(
        _ body: @escaping @LoopActor (First, Second) -> Void
    ) -> @Sendable (First, Second) -> Void {
        // As above: each call is checked, and only the isolation is removed from the type.
        let body = unsafeBitCast(body, to: (@Sendable (First, Second) -> Void).self)
        return { first, second in
            shared.checkIsLoop()
            body(first, second)
        }
    }

    @usableFromInline
    nonisolated func checkIsLoop() { executor.checkIsolated() }

    /// Queues a task's job on the loop.
    nonisolated func enqueue(_ job: UnownedJob) { executor.enqueue(job) }

    /// Runs `body` once all input of this turn has been handled, before the loop waits again: writers send by it what a turn
    /// produced in one system call per connection.
    @LoopActor
    package static func atEndOfTurn(_ body: @escaping @LoopActor () -> Void) {
        LoopTurn.bodies.append(body)
    }

    /// Runs `body` at the end of the next turn, which then begins at once: the loop polls for input, but does not wait. Long work
    /// continues by it in pieces, so that input is handled between them.
    @LoopActor
    package static func atEndOfNextTurn(_ body: @escaping @LoopActor () -> Void) {
        LoopTurn.later.append(body)
    }
}
