import EventLoop

/// When one owner added or finished todos of late, and who may see those, kept up by the owner's changes.
///
/// A change costs the same however much there is, and no read of Redis. Private todos are left out: whose todo comes to
/// light has to be read again.
@LoopActor
struct FeedTally {
    /// What a change did to it, the stronger one last.
    enum Outcome: Comparable {
        /// Nothing that counts.
        case unchanged
        /// The numbers may be others now.
        case changed
        /// The present state can only be read again.
        case unknown
    }

    private struct Event: Hashable {
        var type: FeedItem.Event
        var todo: String
    }

    /// As many as Redis counts for one viewer.
    nonisolated static let most = 200

    private var events: [Event: (at: Int, visibility: Visibility)] = [:]
    /// There was more than is kept here.
    private var isCut = false
    /// When the latest of all changes was made.
    private var latest = 0

    /// - Parameter items: the latest that others may see; as many as ``most`` stand for more.
    init(_ items: [FeedItem] = []) {
        for item in items {
            let todo = item.todo.toModel()
            events[Event(type: item.type, todo: todo.id)] = (item.at, todo.visibility)
        }
        isCut = items.count >= Self.most
        latest = items.lazy.map(\.at).max() ?? 0
    }

    /// How much there is since a time that an access covers, at most ``most``.
    func count(since: Int, _ access: Access) -> Int {
        min(events.values.count { $0.at >= since && access.covers($0.visibility) }, Self.most)
    }

    /// Takes in a change of one of the owner's todos.
    ///
    /// - Parameter now: what time it is, in microseconds since 1970.
    mutating func apply(_ change: TodoChange, now: Int) -> Outcome {
        // A plain publish is not stored, so that no feed lists it.
        guard let at = change.id?.microseconds else { return .unchanged }
        // What a clock that was ahead has dated, and what comes after that, is as old as the function says.
        guard at >= latest, at - now <= TodoBounds.mostAhead else { return .unknown }
        latest = at
        let todo = change.todo
        // What somebody notes for a day is no deed.
        guard !DayNote.isID(todo.id) else { return .unchanged }
        if change.kind == .removed || change.visibility == .private {
            return drop(FeedItem.Event.allCases, of: todo.id)
        }
        if change.kind == .added { return put(.added, todo, at) }
        if change.visibilityBefore == .private { return .unknown }
        let showed = show(todo)
        guard todo.status == .complete else { return max(showed, drop([.finished], of: todo.id)) }
        return change.statusBefore == nil ? showed : put(.finished, todo, at)
    }

    private mutating func put(_ type: FeedItem.Event, _ todo: Todo, _ at: Int) -> Outcome {
        events[Event(type: type, todo: todo.id)] = (at, todo.visibility)
        // Twice as many as count, so that sorting them is rare.
        if events.count > 2 * Self.most {
            let latest = events.sorted { $0.value.at > $1.value.at }.prefix(Self.most)
            events = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
            isCut = true
        }
        return .changed
    }

    /// Lets as many see its events as may see the todo now.
    private mutating func show(_ todo: Todo) -> Outcome {
        var outcome = Outcome.unchanged
        for type in FeedItem.Event.allCases {
            let event = Event(type: type, todo: todo.id)
            guard let old = events[event], old.visibility != todo.visibility else { continue }
            events[event] = (old.at, todo.visibility)
            outcome = .changed
        }
        return outcome
    }

    private mutating func drop(_ types: [FeedItem.Event], of todo: String) -> Outcome {
        let dropped = types.filter { events.removeValue(forKey: Event(type: $0, todo: todo)) != nil }
        // What was left out before may count now.
        return dropped.isEmpty ? .unchanged : isCut ? .unknown : .changed
    }
}
