import EventLoop

/// A user who has observers: the user's channel, and what is known of the order of the changes.
@LoopActor
final class FollowedUser: SessionChannelListener {
    let uid: String
    private weak var service: TodoRealtimeService?
    // A value that calls nothing: it needs no runtime check for overlapping accesses.
    @exclusivity(unchecked) var sequence = ChangeSequence<TodoChange>(id: { $0.id }, before: { $0.before })
    /// Those who wait until the user is followed.
    private var waiters: [LoopContinuation<Void>] = []
    /// A caller who wants the todos before the user is followed. The read of the latest id, with which following begins, is then
    /// that caller's read of the todos: one command a stream instead of two.
    ///
    /// Resumed with that attempt to read, or with nil when following has begun, or ended, without it.
    var firstReader: LoopContinuation<Attempts.Attempt?>?
    /// Reads of the log.
    var reads = Attempts()
    /// Reads that failed since the last that succeeded.
    var failures = 0
    /// Whether the channel was lost since it was last open.
    private var wasLost = false

    init(_ uid: String, _ service: TodoRealtimeService) { (self.uid, self.service) = (uid, service) }

    /// Returns once the user is followed, or not observed any more.
    func waitUntilFollowing() async {
        guard !sequence.isFollowing else { return }
        await LoopActor.suspend { waiters.append($0) }
    }

    /// Resumes everything that waits for following to begin.
    func resumeWaiters() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
        firstReader?.resume(returning: nil)
        firstReader = nil
    }

    // MARK: SessionChannelListener

    func channelOpened() {
        let mayHaveMissed = wasLost
        wasLost = false
        guard mayHaveMissed, let observer = service?.sessionObserver, observer.needsSessions(of: uid) else {
            return open()
        }
        // Nothing that was missed is told to a session that has ended meanwhile: the log waits until the sessions are known.
        let attempt = reads.begin()
        Task {
            var failures = 0
            while reads.isCurrent(attempt), await !observer.sessionsMissed(of: uid) {
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            }
            if reads.isCurrent(attempt) { open() }
        }
    }

    private func open() { service?.perform(sequence.opened(), for: self) }

    func channelPublished(_ change: TodoChange) { service?.perform(sequence.received(change), for: self) }

    func channelPublished(_ news: SessionNews) { service?.sessionObserver?.sessionsChanged(of: uid, news) }

    func channelRefused(_ refusal: MessageRefusal) { service?.monitor.refused(refusal, for: uid) }

    func channelLost() {
        reads.abandon()
        wasLost = true
        sequence.lost()
        service?.sessionObserver?.sessionsUnheard(of: uid)
    }
}
