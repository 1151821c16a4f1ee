public import EventLoop
public import Observation

/// What a view can say about the todos that it shows.
public enum ViewModelPhase: Equatable, Sendable {
    /// Not there yet, or being read again.
    case loading
    /// Equal to what is stored, and following.
    case live
    /// They cannot be shown; the text says why.
    case failed(TodoError)
}

/// One user's todos within some days, live: what ``TodoListViewModel`` and ``TodosInMonthViewModel`` share.
///
/// ``onAppear()`` loads the snapshot and follows, ``onDisappear()`` stops. As the observer it takes each change once: what
/// arrives before the snapshot waits for it, what the snapshot already contains is passed over.
@LoopActor
@Observable
public class LiveTodosViewModel: TodoObserver {
    /// Whose todos these are.
    public let uid: String
    /// The todos, in list order.
    public var todos: [Todo] {
        // The window is not observed itself: a copy of its todos for observers would be copied anew at each change.
        access(keyPath: \.todos)
        return window.sorted
    }
    /// What the view can say about itself.
    public private(set) var phase = ViewModelPhase.loading

    @ObservationIgnored private let service: any TodoRealtimeServiceType
    @ObservationIgnored private var window: TodoWindow
    @ObservationIgnored private var loads = 0
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
        loads += 1
        service.removeObserver(self, for: uid)
    }

    /// Turns to other days.
    func show(_ days: ClosedRange<CalendarDate>) {
        withMutation(keyPath: \.todos) { window.show(days) }
        if isShown { load() }
    }

    private func load() {
        phase = .loading
        read()
    }

    /// Reads the snapshot; what arrives until it is there waits for it.
    private func read() {
        window.restart()
        loads += 1
        let (number, days) = (loads, window.days)
        Task { [weak self, service, uid] in
            do throws(TodoError) {
                let snapshot = try await service.snapshot(of: uid, in: days)
                self?.loaded(snapshot, number)
            } catch {
                self?.failed(error, number)
            }
        }
    }

    /// Only the latest load counts: an earlier one may have been for other days.
    private func loaded(_ snapshot: TodoSnapshot, _ number: Int) {
        guard number == loads else { return }
        let changes = withMutation(keyPath: \.todos) { window.load(snapshot) }
        for change in changes { dispatch(change) }
        phase = .live
    }

    private func failed(_ error: TodoError, _ number: Int) {
        guard number == loads else { return }
        // What is shared no more is not to be seen any more, either.
        if case .notFound = error { withMutation(keyPath: \.todos) { window.show(window.days) } }
        phase = .failed(error)
        // It may be fixed: a view that is looked at tries on.
        Task { [weak self] in
            await LoopTimer.sleep(for: Self.retry)
            guard let self, isShown, number == loads else { return }
            read()
        }
    }

    private static let retry = Duration.seconds(2)

    // MARK: TodoObserver

    /// Applies a change that is not part of the snapshot.
    public func receive(_ change: TodoChange) {
        if window.admits(change) { dispatch(change) }
    }

    /// Puts the todo where it belongs.
    public func todoAdded(_ todo: Todo) { todoModified(todo) }

    /// Puts the todo where it belongs now, or takes it out when that is another day.
    public func todoModified(_ todo: Todo) {
        // A change of a day that is not shown must not wake the view.
        if window.isChanged(by: todo) { withMutation(keyPath: \.todos) { window.put(todo) } }
    }

    /// Takes the todo out.
    public func todoRemoved(_ todo: Todo) {
        if window.contains(todo) { withMutation(keyPath: \.todos) { window.remove(todo) } }
    }

    /// Loads again; the old todos stay until the new ones are there.
    public func todosReset(for uid: String) {
        load()
    }
}
