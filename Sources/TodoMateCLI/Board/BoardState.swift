import CommandArguments
import TodoMate

/// What the board is to do besides showing itself.
enum BoardEffect: Equatable {
    case write(BoardWrite)
    /// Draw all of it anew: something else has written to the terminal.
    case redraw
    case quit
}

/// All that the board knows besides the todos: where one is, what is being typed, what can be taken back.
///
/// Keys and what became of writes go in, effects come out; it does nothing itself.
struct BoardState {
    /// What has the keys.
    enum Mode: Equatable {
        case board
        case prompt(BoardPrompt)
        /// A page in place of the board, scrolled down by some lines.
        case page(BoardPage, scroll: Int)
    }

    /// The todo that keys act on: by id while it is there, else by its place.
    private struct Selection {
        var id: String?
        var index = 0
        /// Whether it is still to come, as one that was just added.
        var isAwaited = false
    }

    /// The list that keys act on, by number.
    private(set) var user = 0
    /// The day shown; nil for today, also after midnight.
    var chosenDay: CalendarDate?
    /// Only todos with these words show.
    var filter = ""
    var mode = Mode.board
    /// What there is to say about the last key or write.
    var notice: BoardNotice?
    /// What an operator tells everybody.
    var announcement: Announcement?
    /// The writes that have not been answered, in order.
    private var pending: [BoardWrite] = []
    private var selections: [Selection]
    private var undoable: [BoardWrite] = []
    /// What is being taken back, by the number of the write that does it.
    private var beingUndone: [Int: BoardWrite] = [:]
    private var writes = 0
    /// Makes the id of a new todo.
    let makeID: () -> String
    /// Reads a day as people write it.
    let parseDay: (String) throws -> CalendarDate

    /// - Parameters:
    ///   - users: How many lists there are, at least one.
    ///   - makeID: Makes the id of a new todo.
    ///   - parseDay: Reads a day as people write it.
    init(
        users: Int,
        makeID: @escaping () -> String = RandomID.next,
        parseDay: @escaping (String) throws -> CalendarDate = ValueParser.day.parse
    ) {
        selections = Array(repeating: Selection(), count: users)
        self.makeID = makeID
        self.parseDay = parseDay
    }

    /// How many writes have not been answered.
    var unanswered: Int { pending.count }

    /// A todo with its status, or the one that a pending write gives it.
    func known(_ todo: Todo) -> Todo {
        let write = pending.last { $0.id == todo.id && $0.uid == todo.uid && $0.status != nil }
        var todo = todo
        todo.status = write?.status ?? todo.status
        return todo
    }

    /// Whether the todo is still shown while its removal is pending.
    func isBeingRemoved(_ todo: Todo) -> Bool {
        pending.contains { $0.id == todo.id && $0.uid == todo.uid && $0.change == .remove }
    }

    /// The day shown.
    func day(_ content: BoardContent) -> CalendarDate { chosenDay ?? content.today }

    /// The todos that a user's list shows.
    func todos(of user: Int, _ content: BoardContent) -> [Todo] {
        content.todos(of: user, on: day(content), matching: filter)
    }

    /// The todo that keys act on, if there is one.
    func selected(_ content: BoardContent) -> Todo? {
        let todos = todos(of: user, content)
        return selectedIndex(of: user, in: todos).map { todos[$0] }
    }

    /// The place of the selected todo in its user's list.
    func selectedIndex(of user: Int, in todos: [Todo]) -> Int? {
        let selection = selections[user]
        if let found = todos.firstIndex(where: { $0.id == selection.id }) { return found }
        return todos.isEmpty ? nil : min(selection.index, todos.count - 1)
    }

    /// Takes note of where the selected todos are now, so that the next one follows when one goes.
    mutating func follow(_ content: BoardContent) {
        // Somebody else has deleted what was being read.
        if case .page(.todo(let id, let uid), _) = mode, content.todo(id, of: uid) == nil { mode = .board }
        for user in selections.indices {
            let todos = todos(of: user, content)
            guard let index = selectedIndex(of: user, in: todos) else { continue }
            let isThere = todos[index].id == selections[user].id
            if isThere || !selections[user].isAwaited {
                selections[user] = Selection(id: todos[index].id, index: index)
            }
        }
    }

    /// Selects a todo of this user's list; one that is still to come as soon as it is there.
    mutating func select(_ id: String?, at index: Int, isAwaited: Bool = false) {
        selections[user] = Selection(id: id, index: max(index, 0), isAwaited: isAwaited)
    }

    /// Turns to the list of the next or an earlier user.
    mutating func turn(by count: Int) {
        user = (user + count + selections.count) % selections.count
    }

    /// Asks for a change, to be taken back by `u`.
    mutating func write(_ change: BoardWrite.Change, id: String, uid: String, before: Todo?) -> [BoardEffect] {
        let write = numbered(change, id: id, uid: uid, before: before)
        undoable.append(write)
        return [.write(write)]
    }

    private mutating func numbered(
        _ change: BoardWrite.Change,
        id: String,
        uid: String,
        before: Todo?
    ) -> BoardWrite {
        writes += 1
        let write = BoardWrite(number: writes, uid: uid, id: id, change: change, before: before)
        pending.append(write)
        return write
    }

    /// Takes the last write back.
    mutating func undo() -> [BoardEffect] {
        guard let last = undoable.popLast(), let inverse = last.inverse else {
            notice = .nothingToUndo
            return []
        }
        let undo = numbered(inverse, id: last.id, uid: last.uid, before: last.before)
        beingUndone[undo.number] = last
        notice = .undone(last.content)
        if case .remove = last.change { select(last.id, at: selections[user].index, isAwaited: true) }
        return [.write(undo)]
    }

    /// Hears what became of a write; nil is well.
    mutating func finished(_ write: BoardWrite, _ error: TodoError?) {
        pending.removeAll { $0.number == write.number }
        let undone = beingUndone.removeValue(forKey: write.number)
        guard let error else { return }
        undoable.removeAll { $0.number == write.number }
        if let undone { undoable.append(undone) }
        // What was typed is not lost: it can be sent again, or thrown away.
        if undone == nil, mode == .board, let prompt = BoardPrompt(retrying: write, error, makeID) {
            mode = .prompt(prompt)
        } else {
            notice = .notSaved(error)
        }
    }
}
