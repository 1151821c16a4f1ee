import EventLoop
import Foundation
import TodoMate

/// Deletes accounts whose time is over, and has others let go of those that are to be deleted, without an operator.
///
/// One worker at a time looks after all of them, about once a minute. Whatever it leaves undone when it ends is done by the next:
/// each step can be repeated, and what is to be done stands in the store.
@LoopActor
final class DeletionSweep {
    private static let interval = Duration.seconds(60)
    /// What is due sooner is waited for by the worker that was told.
    private static let soon = 3600

    private let deletions: any DeletionStoreType
    private let log: Logger
    private var timer: LoopTimer?
    private var underWay: Set<String> = []
    private var isStopped = false

    init(_ deletions: any DeletionStoreType, _ log: Logger) { (self.deletions, self.log) = (deletions, log) }

    func start() {
        timer = LoopTimer { [weak self] in
            guard let self else { return }
            Task {
                await self.sweep()
                self.schedule()
            }
        }
        schedule()
    }

    func stop() {
        isStopped = true
        timer?.cancel()
    }

    /// Does what is due about an account now and, where it is to be deleted soon, then.
    func attend(to uid: String, due: Int? = nil) {
        Task { await advance(uid) }
        guard let due, case let left = Double(due) - Date().timeIntervalSince1970, left < Double(Self.soon) else {
            return
        }
        Task { [weak self] in
            // Redis counts in whole seconds of its own clock.
            await LoopTimer.sleep(for: .seconds(max(0, left) + 1))
            await self?.advance(uid)
        }
    }

    /// Not at the same time as the other workers.
    private func schedule() {
        guard !isStopped else { return }
        timer?.start(after: Self.interval * Double.random(in: 0.5...1.5))
    }

    private func sweep() async {
        do throws(TodoError) {
            // Nothing is written where nobody leaves, which is nearly always.
            let uids = try await deletions.due()
            guard !uids.isEmpty, try await deletions.takeLease() else { return }
            for uid in uids where !isStopped { await advance(uid) }
            try await deletions.giveLeaseBack()
        } catch {
            log.warning("deletions wait: the next attempt is in a minute", ["reason": error.description])
        }
    }

    private func advance(_ uid: String) async {
        // Once at a time: the sweep, the request that began it and the end of its time may come together.
        guard !isStopped, underWay.insert(uid).inserted else { return }
        defer { underWay.remove(uid) }
        do throws(TodoError) {
            if try await deletions.advance(uid) { log.info("account deleted", ["uid": uid]) }
        } catch {
            log.warning("a deletion waits: the next attempt is in a minute", ["uid": uid, "reason": error.description])
        }
    }
}
