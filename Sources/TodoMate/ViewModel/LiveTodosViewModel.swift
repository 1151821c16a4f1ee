public import EventLoop
public import Observation

/// Whether the todos of a view are up to date.
public enum ViewModelPhase: Equatable, Sendable {
    /// They are being read, for the first time or again.
    case loading
    /// They equal what is stored, and follow its changes.
    case live
    /// They cannot be read; the error says why.
    case failed(TodoError)
}

/// One user's todos within some days, live: what ``TodoListViewModel`` and ``TodosInMonthViewModel`` share.
///
/// ``onAppear()`` loads the snapshot and follows, ``onDisappear()`` stops. Each change is applied once: those that arrive
/// before the snapshot are held until it is there, and those that it contains are ignored.
@LoopActor
@Observable
public class LiveTodosViewModel: TodoObserver {
    /// Whose todos these are.
    public let uid: String
    /// The todos, in list order, without the notes of the days.
    public var todos: [Todo] {
        // The window itself is not observed: its todos would be copied at each change.
        access(keyPath: \.todos)
        return window.sorted
    }
    /// What the user has written about the days.
    public var notes: [CalendarDate: Todo] {
        access(keyPath: \.todos)
        return window.notes
    }
    /// Whether the todos are up to date.
    public private(set) var phase = ViewModelPhase.loading

    @ObservationIgnored private let service: any TodoRealtimeServiceType
    @ObservationIgnored private var window: TodoWindow
    @ObservationIgnored private var loads = Attempts()
    /// Whether the view is on the screen.
    @ObservationIgnored private(set) var isShown = false

    init(service: any TodoRealtimeServiceType, uid: String, days: ClosedRange<CalendarDate>) {
        self.service = service
        self.uid = uid
        window = TodoWindow(days: days)
    }

    /// Loads the todos and follows them.
    public func onAppear() {
        guard !isShown else { return }
        isShown = true
        service.addObserver(self, for: uid)
        load()
    }

    /// Stops following; the todos stay as they were.
    public func onDisappear() {
        isShown = false
        loads.abandon()
        service.removeObserver(self, for: uid)
    }

    /// Shows other days.
    func show(_ days: ClosedRange<CalendarDate>) {
        withMutation(keyPath: \.todos) { window.show(days) }
        if isShown { load() }
    }

    private func load() {
        phase = .loading
        read()
    }

    /// Reads the snapshot; changes that arrive meanwhile are held.
    private func read() {
        window.restart()
        let (attempt, days) = (loads.begin(), window.days)
        Task { [weak self, service, uid] in
            do throws(TodoError) {
                let snapshot = try await service.snapshot(of: uid, in: days)
                self?.loaded(snapshot, attempt)
            } catch {
                self?.failed(error, attempt)
            }
        }
    }

    /// Only the latest load counts: an earlier one may have been for other days.
    private func loaded(_ snapshot: TodoSnapshot, _ attempt: Attempts.Attempt) {
        guard loads.isCurrent(attempt) else { return }
        let changes = withMutation(keyPath: \.todos) { window.load(snapshot) }
        for change in changes { dispatch(change) }
        guard !window.needsSnapshot else { return read() }
        phase = .live
    }

    private func failed(_ error: TodoError, _ attempt: Attempts.Attempt) {
        guard loads.isCurrent(attempt) else { return }
        // Todos that are no longer shared must disappear.
        if case .notFound = error { withMutation(keyPath: \.todos) { window.show(window.days) } }
        phase = .failed(error)
        // The cause may pass: a view on the screen retries.
        Task { [weak self] in
            await LoopTimer.sleep(for: Self.retry)
            guard let self, isShown, loads.isCurrent(attempt) else { return }
            read()
        }
    }

    private static let retry = Duration.seconds(2)

    // MARK: TodoObserver

    /// Applies a change that is not part of the snapshot.
    public func receive(_ change: TodoChange) {
        if window.admits(change) { dispatch(change) } else if window.needsSnapshot { load() }
    }

    /// Puts the todo in its place.
    public func todoAdded(_ todo: Todo) { todoModified(todo) }

    /// Moves the todo to its place, or takes it out when its day is not shown.
    public func todoModified(_ todo: Todo) {
        // A change of a day that is not shown must not update the view.
        if window.isChanged(by: todo) { withMutation(keyPath: \.todos) { window.put(todo) } }
    }

    /// Takes the todo out.
    public func todoRemoved(_ todo: Todo) {
        if window.contains(todo) { withMutation(keyPath: \.todos) { window.remove(todo) } }
    }

    /// Reads the todos again; the old ones stay until then.
    public func todosReset(for uid: String) {
        load()
    }
}
