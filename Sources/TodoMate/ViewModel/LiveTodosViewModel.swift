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
    public private(set) var todos: [Todo] = []
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
        window.show(days)
        todos = []
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
        for change in window.load(snapshot) { tell(change) }
        todos = window.sorted
        phase = .live
    }

    private func failed(_ error: TodoError, _ number: Int) {
        guard number == loads else { return }
        phase = .failed(error)
        // Somebody may mend it: a view that is looked at tries on.
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
        if window.admits(change) { tell(change) }
    }

    /// Puts the todo where it belongs.
    public func todoAdded(_ todo: Todo) { todoModified(todo) }

    /// Puts the todo where it belongs now, or takes it out when that is another day.
    public func todoModified(_ todo: Todo) {
        window.put(todo)
        publish()
    }

    /// Takes the todo out.
    public func todoRemoved(_ todo: Todo) {
        window.remove(todo)
        publish()
    }

    /// Loads again; the old todos stay until the new ones are there.
    public func todosReset(for uid: String) {
        load()
    }

    private func publish() {
        let sorted = window.sorted
        // A change of a day that is not shown must not wake the view.
        if sorted != todos { todos = sorted }
    }
}
