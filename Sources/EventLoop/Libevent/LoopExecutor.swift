import CLibevent
import Foundation
import Synchronization

/// Runs Swift jobs on the loop's thread, between the events that libevent finds.
///
/// A turn is: one pass over the ready events, the jobs queued meanwhile, the bodies of
/// ``LoopActor/atEndOfTurn(_:)``. Jobs from the loop itself cost no system call; a job from another thread wakes the
/// loop through a pipe once, however many follow before it wakes.
final class LoopExecutor: SerialExecutor {
    /// Jobs that jobs queue are run without polling for input in between, a system call, but at most this many times,
    /// so that input is not starved. A task that was resumed comes back three times before it waits again.
    private static let roundsPerTurn = 8

    private struct Queue: ~Copyable {
        var jobs: [UnownedJob] = []
        var wakeIsPending = false
    }

    // A C pointer, made before the thread starts and used by that thread alone.
    nonisolated(unsafe) let base: OpaquePointer
    private let queue = Mutex(Queue())
    private let wake: WakePipe
    private let threadID = Atomic<UInt>(0)

    init() {
        // Writing to a peer that is gone must fail with EPIPE, not end the process.
        signal(SIGPIPE, SIG_IGN)
        guard let base = event_base_new(), let wake = WakePipe() else {
            fatalError("no event loop can be made: \(String(cString: strerror(errno))); raise the limit of open files")
        }
        self.base = base
        self.wake = wake
        let thread = Thread { self.run() }
        // Linux shows 15 characters.
        thread.name = "\(ProcessInfo.processInfo.processName.prefix(10))-loop"
        thread.stackSize = 8 << 20
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    func enqueue(_ job: UnownedJob) {
        let mustWake = queue.withLock { queue in
            queue.jobs.append(job)
            if queue.wakeIsPending || isOnLoop { return false }
            queue.wakeIsPending = true
            return true
        }
        if mustWake { wake.signal() }
    }

    func checkIsolated() {
        precondition(isOnLoop, "expected to be on the loop's thread")
    }

    func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    private var isOnLoop: Bool { threadID.load(ordering: .relaxed) == UInt(bitPattern: pthread_self()) }

    private func run() -> Never {
        threadID.store(UInt(bitPattern: pthread_self()), ordering: .relaxed)
        // The thread that used the loop first may block signals; processes started from here would inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        wake.watch(on: base)
        var jobs: [UnownedJob] = []
        var goesOn = false
        while true {
            let mustNotWait = goesOn || queue.withLock { !$0.jobs.isEmpty }
            event_base_loop(base, EVLOOP_ONCE | (mustNotWait ? EVLOOP_NONBLOCK : 0))
            var rounds = 0
            repeat {
                runJobs(&jobs)
                rounds += 1
            } while rounds < Self.roundsPerTurn && queue.withLock { !$0.jobs.isEmpty }
            goesOn = LoopActor.assumeIsolated { LoopTurn.finish() }
        }
    }

    /// Runs the jobs queued so far; those they queue in turn wait for the next round.
    ///
    /// - Parameter jobs: an empty array, which changes places with the queue's, so that none is made anew each turn.
    private func runJobs(_ jobs: inout [UnownedJob]) {
        queue.withLock { queue in
            queue.wakeIsPending = false
            swap(&jobs, &queue.jobs)
        }
        let executor = asUnownedSerialExecutor()
        for job in jobs { job.runSynchronously(on: executor) }
        jobs.removeAll(keepingCapacity: true)
    }
}

extension UInt {
    /// A thread's identity as a number: `pthread_t` is one on Linux and a pointer on Apple's systems.
    #if os(Linux)
        fileprivate init(bitPattern thread: pthread_t) { self = UInt(thread) }
    #else
        fileprivate init(bitPattern thread: pthread_t) { self = UInt(bitPattern: Int(bitPattern: thread)) }
    #endif
}
