/// Resumes a task that ``LoopActor/suspend(_:)`` has suspended, once.
///
/// Swift's own continuations resume a task by way of the thread pool, whatever its actor: two threads to wake, a byte through
/// the loop's pipe, and a second turn. This one puts the task's job back into the queue of the loop.
@LoopActor
@usableFromInline
package final class LoopContinuation<Value: Sendable>: SuspendedTask {
    @usableFromInline var value: Value?

    @inlinable
    override init() {}

    /// Resumes the task with a value, in the next round of the loop's jobs.
    @inlinable
    package func resume(returning value: Value) {
        precondition(self.value == nil, "a task was resumed twice")
        self.value = value
        enqueue()
    }

    /// Resumes the task.
    @inlinable
    package func resume() where Value == Void { resume(returning: ()) }
}

/// A task that is suspended, or about to be.
@LoopActor
@usableFromInline
package class SuspendedTask {
    /// The task that leaves the loop right now: the next job to be kept is its own.
    @usableFromInline
    @exclusivity(unchecked) static var leaving: SuspendedTask?

    private var job: UnownedJob?

    @usableFromInline
    init() {}

    @usableFromInline
    func enqueue() {
        guard let job else { return }
        self.job = nil
        LoopActor.shared.enqueue(job)
    }

    static func keep(_ job: UnownedJob) {
        leaving?.job = job
        leaving = nil
    }
}

/// Where suspended tasks wait: an actor whose executor keeps its jobs until the loop runs them.
@usableFromInline
actor Elsewhere {
    @usableFromInline static let shared = Elsewhere()

    private nonisolated let keeper = JobKeeper()
    @usableFromInline nonisolated let unownedExecutor: UnownedSerialExecutor

    private init() { unownedExecutor = keeper.asUnownedSerialExecutor() }

    /// Returns once the loop runs the job that it began with.
    @usableFromInline
    @inline(never)
    func visit() {}
}

private final class JobKeeper: SerialExecutor {
    private let keep = LoopActor.assumingIsolated { (job: UnownedJob, _: Void) in SuspendedTask.keep(job) }

    func enqueue(_ job: consuming ExecutorJob) { keep(UnownedJob(job), ()) }
}
