import EventLoop
import TerminalUI
import TodoMate

/// Shows one user's today and then each change as lines, of text or of JSON, for pipes and files.
@LoopActor
final class PlainBoard: TodoChangeObserver {
    private let uid: String
    private let service: any TodoRealtimeServiceType
    private let asJSON: Bool
    private let write: (String) -> Void
    private let today: () -> CalendarDate
    private var isOpen = false
    private var lastError: TodoError?
    private var join = SnapshotJoin<TodoChange>(id: \.id)
    /// A later list takes the place of one that is still being read.
    private var lists = Attempts()

    init(
        uid: String,
        service: any TodoRealtimeServiceType,
        asJSON: Bool,
        today: @escaping () -> CalendarDate,
        write: @escaping (String) -> Void
    ) {
        self.uid = uid
        self.service = service
        self.asJSON = asJSON
        self.today = today
        self.write = write
    }

    /// Follows the user and lists the day.
    func open() {
        isOpen = true
        service.addObserver(self, for: uid)
        list()
    }

    func close() {
        isOpen = false
        lists.abandon()
        service.removeObserver(self, for: uid)
    }

    private func list() {
        join.restart()
        let (attempt, day) = (lists.begin(), today())
        Task { [weak self, service, uid] in
            do throws(TodoError) {
                let snapshot = try await service.snapshot(of: uid, in: day...day)
                self?.listed(snapshot, attempt)
            } catch {
                self?.failed(error, attempt)
            }
        }
    }

    /// Reports the reason once, and retries: the cause may pass.
    private func failed(_ error: TodoError, _ attempt: Attempts.Attempt) {
        guard lists.isCurrent(attempt) else { return }
        if error != lastError {
            if asJSON {
                Logger(label: "watch").warning("today cannot be read", ["user": uid, "reason": error.description])
            } else {
                write("\(uid)  failed    \(error)")
            }
        }
        lastError = error
        Task { [weak self] in
            await LoopTimer.sleep(for: .seconds(2))
            if let self, isOpen, lists.isCurrent(attempt) { list() }
        }
    }

    private func listed(_ snapshot: TodoSnapshot, _ attempt: Attempts.Attempt) {
        guard lists.isCurrent(attempt) else { return }
        lastError = nil
        for todo in snapshot.todos { write(line(todo)) }
        for change in join.join(at: snapshot.id) { write(line(change)) }
        if join.needsSnapshot { list() }
    }

    func receive(_ change: TodoChange) {
        if join.receive(change) { write(line(change)) } else if join.needsSnapshot { list() }
    }

    private func line(_ todo: Todo) -> String {
        if asJSON { return JSONObject(["type": "today", "todo": RawJSON(TodoDTO(todo).json)]).text }
        let status = todo.status.rawValue.padded(toWidth: 10)
        return "\(uid)  today     \(todo.date)  \(status)  \(todo.timedContent)"
    }

    private func line(_ change: TodoChange) -> String {
        asJSON ? String(decoding: change.message, as: UTF8.self) : change.line
    }

    func todosReset(for uid: String) { list() }
}
