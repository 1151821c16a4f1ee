import EventLoop
import Foundation
import Observing
import TodoMate

/// One person's own todos as they are shown: what the server has, and on top of it what was done here and is on its way.
///
/// What is done here is on disk before anybody is shown it. The server's changes go into the base at once, and each todo that they
/// touch is put together anew. ``Outbox`` decides what is sent; `OfflineTodos+sending.swift` performs it, and tries for ever.
@LoopActor
final class OfflineTodos {
    enum Event {
        case change(TodoChange)
        case account(TodoChange)
        case reset
    }

    let uid: String
    let base: any OfflineBase
    private let storage: OfflineStorage
    let door: any OutboxDoor
    private let subject = Subject<String, Event>()
    private(set) var outbox: Outbox
    /// All todos as they are shown.
    private(set) var shown: [String: Todo] = [:]
    /// What the person has decided, as the server said it last and with what was made of routines' days since; nil while that is not known.
    private var settings: AccountSettings?
    /// Counts what was shown: the versions of what is told to observers, who put snapshots and changes together by them.
    private var version = 1
    private let known = Waiters()

    var sending = Sending()
    private(set) var isClosed = false

    /// Called when what waits has changed.
    var onOutbox: () -> Void = {}
    /// Called when the server has done something, so that it is there.
    var onDone: () -> Void = {}
    /// Why something could not be written down that nobody is waiting for: it was not done, or is done again later. Nil once something could.
    private(set) var trouble: TodoError?
    /// Called when ``trouble`` is another one.
    var onTrouble: (TodoError?) -> Void = { _ in }

    /// - Parameters:
    ///   - uid: whose todos.
    ///   - base: what the server has.
    ///   - storage: keeps the outbox.
    ///   - outbox: what an earlier run has left there.
    ///   - door: where what was done is sent.
    init(
        of uid: String,
        on base: any OfflineBase,
        _ storage: OfflineStorage,
        _ outbox: Outbox,
        _ door: any OutboxDoor
    ) {
        (self.uid, self.base, self.storage, self.door) = (uid, base, storage, door)
        self.outbox = outbox
        for id in Set(todos.keys).union(outbox.todos) { shown[id] = projected(id) }
    }

    var todos: [String: Todo] { base.todos }

    /// Whether there is anything to show: before a server was ever reached there is not, but for what was done here.
    var isKnown: Bool { base.reached != nil || !outbox.entries.isEmpty }

    /// What the snapshot of now is as of.
    var id: ChangeID { ChangeID(version: version, microseconds: version) }

    func waitUntilKnown() async { await known.wait { isKnown || isClosed } }

    private func projected(_ id: String) -> Todo? { outbox.projected(id, on: todos[id], of: uid, settings) }

    /// What the person has decided, with what was done here on top of it; nil while nothing is known of it.
    var shownSettings: AccountSettings? { settings.map { outbox.projected($0) } }

    /// The server has said what the person has decided, as which this is shown.
    func learn(_ told: AccountSettings) -> AccountSettings {
        var settings = told
        // What is read may be older than the todos.
        for id in todos.keys { settings.noteMade(id) }
        self.settings = settings
        return outbox.projected(settings)
    }

    /// What is left undone of days before one, as it is shown.
    func earlier(before day: CalendarDate) -> EarlierTodos {
        let todos = shown.values.filter { $0.date < day && $0.status.isOpen && !$0.isNote }
            .sorted(by: EarlierTodos.isInOrder)
        return EarlierTodos(count: todos.count, todos: Array(todos.prefix(EarlierTodos.most)))
    }

    func snapshot(in days: ClosedRange<CalendarDate>?) -> TodoSnapshot {
        let todos = shown.values.filter { days?.contains($0.date) ?? true }
        return TodoSnapshot(id: id, todos: todos.sorted(by: Todo.isInListOrder))
    }

    func add<Target: TodoChangeObserver>(_ observer: Target) {
        subject.add(observer, for: uid) { [uid] observer, event in
            LoopActor.assumeIsolated {
                switch event {
                case .change(let change): observer.receive(change)
                case .account(let change): observer.accountChanged(change)
                case .reset: observer.todosReset(for: uid)
                }
            }
        }
    }

    func remove(_ observer: some TodoChangeObserver) { subject.remove(observer, for: uid) }

    var observerCount: Int { subject.observerCount(of: uid) }

    func close() {
        isClosed = true
        sending.timer?.cancel()
        sending.timer = nil
        known.resumeAll()
    }

    // MARK: What is done here

    /// Does something to the outbox: first on disk, then for everybody to see.
    ///
    /// - Throws: ``TodoError/unavailable(_:)`` where it could not be written down; nothing was done then.
    func perform(_ body: (inout Outbox) throws(TodoError) -> [Outbox.Step]) throws(TodoError) {
        var next = outbox
        let steps = try body(&next)
        try storage.write(steps)
        let touched = Set(
            steps.compactMap { step in
                switch step {
                case .put(let entry): entry.todo
                case .drop(let number): outbox.entries.first { $0.number == number }?.todo
                case .tell: nil
                }
            }
        )
        let before = shownSettings
        outbox = next
        for todo in touched { project(todo) }
        tellSettings(before)
        // An app that is told may do something at once: on top of this.
        if !steps.isEmpty {
            note(nil)
            onOutbox()
        }
        known.resumeAll()
    }

    /// Notes how it stands with writing down.
    func note(_ trouble: TodoError?) {
        guard trouble != self.trouble else { return }
        self.trouble = trouble
        onTrouble(trouble)
    }

    /// Tells of the settings where other days of routines are left than before.
    func tellSettings(_ before: AccountSettings?) {
        guard let now = shownSettings, now != before else { return }
        version += 1
        let change = TodoChange(id: id, .settings(now, audienceBefore: nil))
        subject.notify(.account(change), to: uid)
    }

    /// Shows a todo as it is now.
    private func project(_ id: String) {
        let (before, now) = (shown[id], projected(id))
        guard before != now else { return }
        shown[id] = now
        guard let todo = now ?? before else { return }
        version += 1
        let kind: ChangeKind = now == nil ? .removed : before == nil ? .added : .modified
        subject.notify(.change(TodoChange(id: self.id, kind: kind, todo: todo)), to: uid)
    }

    // MARK: What the server says

    /// A todo of the base is another one.
    func baseChanged(_ todo: String) { baseMoved([todo]) }

    /// The account is another one.
    func accountChanged(_ change: TodoChange) {
        baseMoved([])
        var change = change
        if case .settings(let told, let before)? = change.account, let id = change.id {
            change = TodoChange(id: id, .settings(learn(told), audienceBefore: before))
        }
        subject.notify(.account(change), to: uid)
    }

    /// What was read besides the todos is to be read again.
    func readAgain() { subject.notify(.reset, to: uid) }

    /// All of the base is another one, perhaps of another history.
    func baseReplaced() { baseMoved(Set(shown.keys).union(todos.keys), isReplaced: true) }

    /// Goes on where an earlier run has ended: what it had answered and the base has reached goes.
    func resume() { baseMoved(Set(shown.keys).union(todos.keys), isReplaced: storage.isReplaced) }

    private func baseMoved(_ touched: Set<String>, isReplaced: Bool = false) {
        known.resumeAll()
        // One that is gone was made as well.
        for todo in touched { settings?.noteMade(todo) }
        if let reached = base.reached {
            persist { $0.baseMoved(to: reached, base: self.todos, isReplaced: isReplaced) }
            if isReplaced, trouble == nil { storage.noteReplacement() }
        }
        for todo in touched { project(todo) }
        send()
    }

    /// As ``perform(_:)``; what cannot be written down is tried again with what comes next.
    func persist(_ body: (inout Outbox) -> [Outbox.Step]) {
        do throws(TodoError) {
            try perform { (outbox) throws(TodoError) in body(&outbox) }
        } catch {
            note(error)
        }
    }
}

/// What the server has of somebody's own todos, as far as a device knows.
@LoopActor
protocol OfflineBase: AnyObject {
    /// By their ids.
    var todos: [String: Todo] { get }
    /// The change up to which they are; nil while nothing is known.
    var reached: ChangeID? { get }
}
