/// Resumes a task that ``LoopActor/suspend(_:)`` has suspended, once.
///
/// Swift's own continuations resume a task by way of the pool of threads, whatever actor it belongs to: two threads to wake,
/// a byte through the loop's pipe, and a second turn. This one puts the task's job back into the queue of the loop.
@LoopActor
public final class LoopContinuation<Value: Sendable>: SuspendedTask {
    @usableFromInline var value: Value?

    @inlinable
    override init() {}

    /// Has the task go on with a value, in the next round of the loop's jobs.
    @inlinable
    public func resume(returning value: Value) {
        precondition(self.value == nil, "a task was resumed twice")
        self.value = value
        goOn()
    }

    /// Has the task go on.
    @inlinable
    public func resume() where Value == Void { resume(returning: ()) }
}

/// A task that is suspended, or about to be.
@LoopActor
public class SuspendedTask {
    /// The one that leaves the loop right now: the next job to be kept is its own.
    @usableFromInline
    @exclusivity(unchecked) static var leaving: SuspendedTask?

    private var job: UnownedJob?

    @usableFromInline
    init() {}

    @usableFromInline
    func goOn() {
        guard let job else { return }
        self.job = nil
        LoopActor.shared.enqueue(job)
    }

    static func keep(_ job: UnownedJob) {
        leaving?.job = job
        leaving = nil
    }
}

/// Where suspended tasks are: an actor whose executor keeps the jobs that it gets, for the loop to run them in the end.
@usableFromInline
actor Elsewhere {
    @usableFromInline static let shared = Elsewhere()

    private nonisolated let keeper = JobKeeper()
    @usableFromInline nonisolated let unownedExecutor: UnownedSerialExecutor

    private init() { unownedExecutor = keeper.asUnownedSerialExecutor() }

    /// Returns once the loop runs the job with which it began.
    @usableFromInline
    @inline(never)
    func visit() {}
}

private final class JobKeeper: SerialExecutor {
    private let keep = LoopActor.assumingIsolated { (job: UnownedJob, _: Void) in SuspendedTask.keep(job) }

    func enqueue(_ job: consuming ExecutorJob) { keep(UnownedJob(job), ()) }
}
