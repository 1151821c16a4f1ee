/// The one loop of this process: a libevent `event_base` that is also the executor of this global actor.
///
/// Everything isolated to `@LoopActor` runs on a single thread, the loop's own, which starts at first use and lives as
/// long as the process. C callbacks of the loop enter isolated code synchronously, without a hop, a lock or a copy;
/// code elsewhere just `await`s. Work that blocks does not belong here: it would hold up every connection.
@globalActor
public actor LoopActor {
    /// The actor that `@LoopActor` names.
    public static let shared = LoopActor()

    private nonisolated let executor: LoopExecutor

    /// The loop, as the executor of this actor; kept, as every call of an isolated function asks for it.
    public nonisolated let unownedExecutor: UnownedSerialExecutor

    private init() {
        executor = LoopExecutor()
        unownedExecutor = executor.asUnownedSerialExecutor()
    }

    /// The libevent base behind the loop, for what else is built on libevent; touch it on the loop only.
    public nonisolated var base: OpaquePointer { executor.base }

    /// Runs `body` at once, as code that is already on the loop: the door by which C callbacks enter isolated code.
    ///
    /// Stops the process when called from any other thread.
    @inlinable
    public static func assumeIsolated<Result>(_ body: @LoopActor () throws -> Result) rethrows -> Result {
        // The executor's own question: by way of the runtime it took 450 instructions, at each call of libevent.
        shared.checkIsLoop()
        // The check above proves the isolation which the cast takes out of the type; nothing else changes in it.
        return try withoutActuallyEscaping(body) { isolated in
            try unsafeBitCast(isolated, to: (() throws -> Result).self)()
        }
    }

    /// The same door for a closure that is called often: made once, it takes nothing from the heap at each call, which was
    /// 350 of the 1,750 instructions of one more stream's delivery.
    ///
    /// What it returns stops the process when called from any other thread.
    @inlinable
    public nonisolated static func assumingIsolated<First, Second>(
        _ body: @escaping @LoopActor (First, Second) -> Void
    ) -> @Sendable (First, Second) -> Void {
        // As above: each call is checked, and nothing but the isolation is taken out of the type.
        let body = unsafeBitCast(body, to: (@Sendable (First, Second) -> Void).self)
        return { first, second in
            shared.checkIsLoop()
            body(first, second)
        }
    }

    @usableFromInline
    nonisolated func checkIsLoop() { executor.checkIsolated() }

    /// Calls `body`, and suspends the task until the continuation that it gets is resumed, once; not at all where it is
    /// resumed at once.
    @LoopActor
    @inlinable
    public static func suspend<Value: Sendable>(_ body: @LoopActor (LoopContinuation<Value>) -> Void) async -> Value {
        let continuation = LoopContinuation<Value>()
        body(continuation)
        if continuation.value == nil {
            SuspendedTask.leaving = continuation
            await Elsewhere.shared.visit()
        }
        guard let value = continuation.value else { preconditionFailure("a task went on that was not resumed") }
        return value
    }

    /// Has the loop go on with a task.
    nonisolated func enqueue(_ job: UnownedJob) { executor.enqueue(job) }

    /// Runs `body` when this turn's input has all been handled, before the loop waits again.
    ///
    /// Writers use it to gather all that one turn produced into one system call a connection.
    @LoopActor
    public static func atEndOfTurn(_ body: @escaping @LoopActor () -> Void) {
        LoopTurn.bodies.append(body)
    }

    /// Runs `body` at the end of the next turn, which then begins at once: the loop looks for input, but does not wait.
    ///
    /// Long work goes on by it in pieces, so that what comes in meanwhile is taken in between them.
    @LoopActor
    public static func atEndOfNextTurn(_ body: @escaping @LoopActor () -> Void) {
        LoopTurn.later.append(body)
    }

    /// Lets others have the loop: goes on at the end of the next turn, after what has come in meanwhile.
    @LoopActor
    public static func giveWay() async {
        await suspend { continuation in atEndOfNextTurn { continuation.resume() } }
    }
}

/// What is left to do before the loop waits again.
@LoopActor
enum LoopTurn {
    static var bodies: [@LoopActor () -> Void] = []
    static var later: [@LoopActor () -> Void] = []
    private static var due: [@LoopActor () -> Void] = []

    /// Runs all that was queued, including what those bodies queue themselves; whether something waits for the next turn.
    static func finish() -> Bool {
        bodies += later
        later.removeAll(keepingCapacity: true)
        while !bodies.isEmpty {
            // Two arrays in turn, so that neither is made anew each turn.
            swap(&bodies, &due)
            for body in due { body() }
            due.removeAll(keepingCapacity: true)
        }
        return !later.isEmpty
    }
}
