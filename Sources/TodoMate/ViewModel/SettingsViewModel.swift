package import EventLoop
import Observation

/// What a user has decided about themselves, live: what todos are for, and what is done again and again.
///
/// A change of the settings has all of them. That a todo was made of a routine's day is said by that todo's own change.
@LoopActor
@Observable
package final class SettingsViewModel: TodoChangeObserver {
    /// Whose settings these are.
    package let uid: String
    /// Nil until they were read.
    package private(set) var settings: AccountSettings?

    @ObservationIgnored private let service: any TodoRealtimeServiceType
    @ObservationIgnored private let relations: any RelationStoreType
    @ObservationIgnored private var isShown = false
    @ObservationIgnored private var reads = Attempts()
    /// The ids of todos that came while the settings were being read, which may be older.
    @ObservationIgnored private var added: [String]?

    /// What knows nothing until ``onAppear()``.
    ///
    /// - Parameters:
    ///   - service: delivers the changes.
    ///   - relations: where the settings are read.
    ///   - uid: whose they are.
    package init(service: any TodoRealtimeServiceType, relations: any RelationStoreType, uid: String) {
        (self.service, self.relations, self.uid) = (service, relations, uid)
    }

    /// Reads the settings and follows them.
    package func onAppear() {
        guard !isShown else { return }
        isShown = true
        service.addObserver(self, for: uid)
        read()
    }

    /// Stops following; the settings stay as they were.
    package func onDisappear() {
        isShown = false
        reads.abandon()
        service.removeObserver(self, for: uid)
    }

    /// What todos may be for, in list order.
    package var goals: [Goal] { (settings?.goals ?? []).sorted(by: Goal.isInListOrder) }

    /// Todos of some days, and among them, in list order, what routines leave to do then.
    ///
    /// - Parameter today: the reader's day.
    package func withRoutines(
        _ todos: [Todo],
        in days: ClosedRange<CalendarDate>,
        today: CalendarDate
    ) -> [Todo] {
        let unmade = settings?.routineTodos(in: days, today: today, besides: Set(todos.map(\.id))) ?? []
        return unmade.isEmpty ? todos : (todos + unmade).sorted(by: Todo.isInListOrder)
    }

    private func read() {
        let attempt = reads.begin()
        added = []
        Task { [weak self, service, relations, uid] in
            var failures = 0
            while let self, isShown, reads.isCurrent(attempt) {
                await service.waitUntilFollowing(uid)
                do throws(TodoError) {
                    let settings = try await relations.profile(of: uid).settings
                    if reads.isCurrent(attempt) { put(settings) }
                    return
                } catch {
                    await LoopTimer.sleep(for: .reading, afterFailure: failures)
                    failures += 1
                }
            }
        }
    }

    private func put(_ read: AccountSettings) {
        var settings = read
        for id in added ?? [] { settings.noteMade(id) }
        added = nil
        if settings != self.settings { self.settings = settings }
    }

    // MARK: TodoChangeObserver

    /// Takes note of a routine's day that was made.
    package func receive(_ change: TodoChange) {
        guard change.id != nil, change.kind == .added, Routine.parts(ofID: change.todo.id) != nil else { return }
        added?.append(change.todo.id)
        settings?.noteMade(change.todo.id)
    }

    /// Takes the settings that are told; what is being read may be older.
    package func accountChanged(_ change: TodoChange) {
        guard case .settings(let settings, _)? = change.account else { return }
        reads.abandon()
        added = nil
        put(settings)
    }

    /// Reads the settings again; the old ones stay until then.
    package func todosReset(for uid: String) { read() }
}
