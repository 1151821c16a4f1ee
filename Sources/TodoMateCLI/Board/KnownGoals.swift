import EventLoop
import TodoMate

/// What one user's todos are for, live: goals are part of the settings, whose changes have all of them.
@LoopActor
final class KnownGoals: TodoChangeObserver {
    private let uid: String
    private let service: any TodoRealtimeServiceType
    private let store: any GoalStoreType
    private var isOpen = false
    private var reads = Attempts()
    /// In list order.
    private(set) var goals: [Goal] = []
    /// Called when they are others than before.
    var onChange: () -> Void = {}

    init(of uid: String, service: any TodoRealtimeServiceType, from store: any GoalStoreType) {
        (self.uid, self.service, self.store) = (uid, service, store)
    }

    func open() {
        isOpen = true
        service.addObserver(self, for: uid)
        read()
    }

    func close() {
        isOpen = false
        reads.abandon()
        service.removeObserver(self, for: uid)
    }

    private func read() {
        let attempt = reads.begin()
        Task { [weak self, service, store, uid] in
            var failures = 0
            while let self, isOpen, reads.isCurrent(attempt) {
                await service.waitUntilFollowing(uid)
                do throws(TodoError) {
                    let goals = try await store.goals(of: uid)
                    if reads.isCurrent(attempt) { put(goals) }
                    return
                } catch {
                    await LoopTimer.sleep(for: .reading, afterFailure: failures)
                    failures += 1
                }
            }
        }
    }

    private func put(_ goals: [Goal]) {
        guard goals != self.goals else { return }
        self.goals = goals
        onChange()
    }

    // MARK: TodoChangeObserver

    func receive(_ change: TodoChange) {}

    /// What is being read may be older.
    func accountChanged(_ change: TodoChange) {
        guard case .settings(let settings, _)? = change.account else { return }
        reads.abandon()
        put(settings.goals.sorted(by: Goal.isInListOrder))
    }

    func todosReset(for uid: String) { read() }
}
