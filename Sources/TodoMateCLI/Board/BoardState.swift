import CommandArguments
import TodoMate
import TodoMateClient

/// What the board is to do besides showing itself.
enum BoardEffect: Equatable {
    case write(BoardWrite)
    /// Read the past, all or before a change.
    case read(BoardPast, before: ChangeID?)
    /// Look for a part of what has these words.
    case find(BoardFound, after: SearchPlace?)
    /// Try once more what the server refused.
    case retry(PendingChange)
    /// Give up what the server refused.
    case discard(PendingChange)
    /// Try at once what waits.
    case hurry
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
        /// What became of a todo, or which ones were removed.
        case past(BoardPast)
        /// What was done here and the server does not have.
        case unsent(BoardUnsent)
        /// What was found by words, on all days.
        case found(BoardFound)
    }

    /// The list that keys act on, by number.
    private(set) var user = 0
    /// The day shown; nil for today, also after midnight.
    var chosenDay: CalendarDate?
    /// Whether a day's todos stand by what they are for, where there are goals.
    var isByGoal = true
    /// Only todos with these words show.
    var filter = ""
    var mode = Mode.board
    /// What there is to say about the last key or write.
    var notice: BoardNotice?
    /// What was typed and refused, to be offered once nothing else has the keys.
    var refused: [BoardPrompt] = []
    /// What an operator tells everybody.
    var announcement: Announcement?
    /// The writes that have not been answered, in order.
    private var pending: [BoardWrite] = []
    private var selections: [BoardSelection]
    /// What `u` takes back: at once what was done at once.
    private var undoable: [[BoardWrite]] = []
    /// What is being taken back, by the number of the write that does it.
    private var beingUndone: [Int: BoardWrite] = [:]
    /// Where writes put todos among those of their day, by number.
    private var places: [Int: Double] = [:]
    private var writes = 0
    /// Makes the id of a new todo.
    let makeID: () -> String
    /// Reads a day as people write it.
    let parseDay: (String) throws -> CalendarDate
    /// What a routine's rule is offered in, to be typed over.
    let language: BoardLanguage

    /// - Parameters:
    ///   - users: How many lists there are, at least one.
    ///   - makeID: Makes the id of a new todo.
    ///   - parseDay: Reads a day as people write it.
    ///   - language: What a routine's rule is offered in, to be typed over.
    init(
        users: Int,
        makeID: @escaping () -> String = RandomID.next,
        parseDay: @escaping (String) throws -> CalendarDate = ValueParser.day.parse,
        language: BoardLanguage = BoardLanguage()
    ) {
        selections = Array(repeating: BoardSelection(), count: users)
        self.makeID = makeID
        self.parseDay = parseDay
        self.language = language
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

    /// Whether it is a routine's day that nobody did anything with yet, here or elsewhere.
    func isUnmade(_ todo: Todo) -> Bool {
        let isBeingMade = pending.contains { write in
            if case .skip = write.change { return false }
            return write.id == todo.id && write.uid == todo.uid
        }
        return todo.isUnmade && !isBeingMade
    }

    /// Whether the todo is still shown while its removal is pending.
    func isBeingRemoved(_ todo: Todo) -> Bool {
        pending.contains { write in
            write.id == todo.id && write.uid == todo.uid && [.remove, .skip(isBack: false)].contains(write.change)
        }
    }

    /// Whether the end of a routine or of a part of it is pending.
    func isBeingSplit(_ routine: Routine, of uid: String) -> Bool {
        pending.contains { write in
            guard case .split = write.change else { return false }
            return write.id == routine.id && write.uid == uid
        }
    }

    /// The day shown.
    func day(_ content: BoardContent) -> CalendarDate { chosenDay ?? content.today }

    /// Whether a todo is still shown on its day while its move to another one is pending.
    func isBeingMoved(_ todo: Todo, to day: CalendarDate) -> Bool {
        pending.contains { write in
            guard write.id == todo.id, write.uid == todo.uid, case .patch(let patch, _) = write.change else {
                return false
            }
            return patch.date == day
        }
    }

    /// The todos that a user's list shows: what is unfinished from earlier stands above today.
    func todos(of user: Int, _ content: BoardContent) -> [Todo] {
        earlier(of: user, content) + dayTodos(of: user, content)
    }

    /// Those of the day that a user's list shows, as they stand there.
    func dayTodos(of user: Int, _ content: BoardContent) -> [Todo] {
        let todos = content.todos(of: user, on: day(content), matching: filter)
        return isByGoal && content.users.indices.contains(user)
            ? GoalGroups(content.users[user].goals).ordered(todos) : todos
    }

    /// What stands above today in a user's list.
    func earlier(of user: Int, _ content: BoardContent) -> [Todo] {
        chosenDay == nil ? content.earlier(of: user, matching: filter) : []
    }

    /// The todo that keys act on, if there is one.
    func selected(_ content: BoardContent) -> Todo? {
        let todos = todos(of: user, content)
        return selectedIndex(of: user, content).map { todos[$0] }
    }

    /// The place of the selected todo in its user's list; at first that is the day's first one.
    func selectedIndex(of user: Int, _ content: BoardContent) -> Int? {
        let (todos, selection) = (todos(of: user, content), selections[user])
        guard !todos.isEmpty else { return nil }
        guard let id = selection.id else { return min(earlier(of: user, content).count, todos.count - 1) }
        return todos.firstIndex { $0.id == id } ?? min(selection.index, todos.count - 1)
    }

    /// Takes note of where the selected todos are now, so that the next one follows when one goes.
    mutating func follow(_ content: BoardContent) {
        // Somebody else has deleted what was being read.
        if case .page(.todo(let id, let uid), _) = mode, content.todo(id, of: uid) == nil {
            mode = .board
            offerRefused()
        }
        for user in selections.indices {
            let todos = todos(of: user, content)
            guard let index = selectedIndex(of: user, content) else { continue }
            let todo = todos[index]
            let isUnderWay = pending.contains { $0.id == todo.id && $0.uid == todo.uid }
            selections[user].follow(todo, at: index, isUnderWay: isUnderWay)
        }
    }

    /// Selects a todo of this user's list; one that is still to come as soon as it is there.
    mutating func select(_ id: String?, at index: Int, isAwaited: Bool = false) {
        selections[user] = BoardSelection(id: id, index: max(index, 0), isAwaited: isAwaited)
    }

    /// Turns to the list of the next or an earlier user.
    mutating func turn(by count: Int) {
        user = (user + count + selections.count) % selections.count
    }

    /// Asks for a change, to be taken back by `u`.
    mutating func write(
        _ change: BoardWrite.Change,
        id: String,
        uid: String,
        before: Todo?,
        isReturn: Bool = false
    ) -> [BoardEffect] {
        write([(change, id, uid, before)], isReturn: isReturn)
    }

    /// Asks for several changes, to be taken back by `u` all at once.
    mutating func write(
        _ changes: [(change: BoardWrite.Change, id: String, uid: String, before: Todo?)],
        isReturn: Bool = false
    ) -> [BoardEffect] {
        let writes = changes.map { change in
            numbered(change.change, id: change.id, uid: change.uid, before: change.before, isReturn: isReturn)
        }
        undoable.append(writes)
        return writes.map { .write($0) }
    }

    private mutating func numbered(
        _ change: BoardWrite.Change,
        id: String,
        uid: String,
        before: Todo?,
        isReturn: Bool = false
    ) -> BoardWrite {
        writes += 1
        var before = before
        // The write before this one makes the todo.
        if let todo = before, todo.isUnmade, !isUnmade(todo) { before?.revision = 1 }
        let write = BoardWrite(
            number: writes,
            uid: uid,
            id: id,
            change: change,
            before: before,
            isReturn: isReturn
        )
        pending.append(write)
        return write
    }

    /// Takes the last write back.
    mutating func undo() -> [BoardEffect] {
        let group = undoable.popLast() ?? []
        guard let last = group.last else {
            notice = .nothingToUndo
            return []
        }
        notice = group.count == 1 ? .undone(last.content) : .undoneAll(group.count)
        if [.remove, .skip(isBack: false)].contains(last.change) {
            select(last.id, at: selections[user].index, isAwaited: true)
        } else if last.inverse == .unmake, selections[user].id == last.id {
            selections[user].isToBeUnmade = true
        }
        return group.reversed().compactMap { write in
            guard let inverse = write.inverse else { return nil }
            var undo = numbered(inverse, id: write.id, uid: write.uid, before: write.before)
            undo.undo = BoardUndo(done: write.change, position: places[write.number])
            beingUndone[undo.number] = write
            return .write(undo)
        }
    }

    /// Hears what became of a write: no error is well; `placed` is the todo where it got another place.
    mutating func finished(_ write: BoardWrite, _ error: TodoError?, placed: Todo? = nil) {
        places[write.number] = placed?.position
        pending.removeAll { $0.number == write.number }
        let undone = beingUndone.removeValue(forKey: write.number)
        guard let error else { return }
        undoable = undoable.map { $0.filter { $0.number != write.number } }.filter { !$0.isEmpty }
        if let undone {
            for user in selections.indices where selections[user].id == write.id {
                selections[user].isToBeUnmade = false
            }
            switch error {
            // What others have done since stays as it is, however often one asks.
            case .conflict, .notFound, .exists:
                notice = .notUndone(undone.content, error)
                return
            default: undoable.append([undone])
            }
        }
        if write.isReturn {
            notice = .notBroughtBack(error)
            return
        }
        if case .split(let routine, _, nil, _) = write.change, error.isOfOthers {
            notice = .routineChangedElsewhere(routine.content)
        } else if undone == nil, let prompt = BoardPrompt(retrying: write, error, makeID) {
            keepRefused(prompt)
        } else {
            notice = .notSaved(error)
        }
    }
}
