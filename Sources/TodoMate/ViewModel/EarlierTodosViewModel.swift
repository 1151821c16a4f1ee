package import EventLoop
import Observation

/// What a user has left unfinished on days before today, live, as it stands above today's list.
///
/// Each change is applied as it comes. The list is read again where that does not say all: after a lost history, where it changed
/// while it was being read, and where there are more todos than a list holds.
@LoopActor
@Observable
package final class EarlierTodosViewModel: TodoChangeObserver {
    private enum Query { case list }

    /// Whose todos these are.
    package let uid: String
    /// Those of the latest days first, at most ``EarlierTodos/most``; a day's in list order.
    package private(set) var todos: [Todo] = []
    /// How many there are.
    package private(set) var count = 0

    @ObservationIgnored private let service: any TodoRealtimeServiceType
    @ObservationIgnored private let feeds: any FeedStoreType
    /// The day that all of them are before.
    @ObservationIgnored private var day: CalendarDate
    /// Nil while it is not shown.
    @ObservationIgnored private var queries: PacedQueries<Query>?
    @ObservationIgnored private var isReading = false

    /// What shows nothing until ``onAppear()``.
    ///
    /// - Parameters:
    ///   - service: delivers the changes.
    ///   - feeds: where the list is read.
    ///   - uid: whose todos to show.
    ///   - day: today.
    package init(
        service: any TodoRealtimeServiceType,
        feeds: any FeedStoreType,
        uid: String,
        before day: CalendarDate
    ) {
        (self.service, self.feeds, self.uid, self.day) = (service, feeds, uid, day)
    }

    /// Reads the todos and follows them.
    package func onAppear() {
        guard queries == nil else { return }
        let queries = PacedQueries<Query> { [weak self] _ in await self?.read() }
        self.queries = queries
        service.addObserver(self, for: uid)
        queries.begin(.list)
    }

    /// Stops following; the todos stay as they were.
    package func onDisappear() {
        queries?.close()
        queries = nil
        service.removeObserver(self, for: uid)
    }

    /// Turns to another day; nothing where it is the same.
    package func show(before day: CalendarDate) {
        guard day != self.day else { return }
        self.day = day
        put(todos.filter { $0.date < day })
        queries?.begin(.list)
    }

    private func read() async {
        isReading = true
        defer { isReading = false }
        var failures = 0
        while queries != nil {
            await service.waitUntilFollowing(uid)
            let day = day
            do throws(TodoError) {
                let found = try await feeds.earlier(of: uid, before: day)
                guard day == self.day else { continue }
                todos = found.todos.map { $0.toModel() }
                count = found.count
                return
            } catch {
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            }
        }
    }

    // MARK: TodoChangeObserver

    /// Puts the todo in its place, or takes it out.
    package func receive(_ change: TodoChange) {
        // What was only published is stored nowhere, and nothing of it can be finished or moved.
        guard change.id != nil else { return }
        let todo = change.todo
        let old = todos.first { $0.id == todo.id }
        let isListed = change.kind != .removed && todo.status.isOpen && todo.date < day
        // More than the list holds: what leaves it makes room for another, and what is changed beyond it still counts.
        if isReading || count > todos.count { queries?.repeatSoon(.list) }
        // What was read may be newer than the change.
        guard isListed || old != nil, old.map({ $0.revision <= todo.revision }) ?? true else { return }
        put(todos.filter { $0.id != todo.id } + (isListed ? [todo] : []), besides: count - todos.count)
    }

    /// Reads the todos again; the old ones stay until then.
    package func todosReset(for uid: String) { queries?.begin(.list) }

    /// - Parameter besides: how many there are that are not listed.
    private func put(_ todos: [Todo], besides: Int = 0) {
        count = todos.count + besides
        self.todos = Array(todos.sorted(by: EarlierTodos.isInOrder).prefix(EarlierTodos.most))
        // One too many for the list is still one of all.
        if count > self.todos.count { queries?.repeatSoon(.list) }
    }
}
