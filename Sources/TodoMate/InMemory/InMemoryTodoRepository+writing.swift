import EventLoop
import Foundation

extension InMemoryTodoRepository {
    /// Keeps a new todo.
    public func add(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> TodoWrite {
        try await database.once("add \(draft)", of: uid) { () throws(TodoError) in try added(draft, for: uid) }
    }

    private func added(_ draft: TodoDraft, for uid: String) throws(TodoError) -> TodoWrite {
        try TodoBounds.uid(uid)
        try database.refuseWhileLeaving(uid)
        let draft = try DayNote.checked(draft)
        let id = try TodoBounds.id(draft.id ?? RandomID.next())
        try TodoBounds.content(draft.content)
        try TodoBounds.detail(draft.detail)
        if let position = draft.position { try TodoBounds.position(position) }
        let goal = try draft.goal.map { id throws(TodoError) in try database.goal(try TodoBounds.goal(id), of: uid) }
        if let stored = database[uid].todos[id] {
            guard stored.matches(draft) else {
                throw .exists("another todo has the id \(id): choose another id, or update that one")
            }
            return .unchanged(TodoRecord(stored))
        }
        try checkCount(of: uid)
        try checkRoom(in: draft.date, of: uid)
        let change = database.nextID(of: uid)
        let time = wholeSecond(change)
        let todo = Todo(
            id: id,
            uid: uid,
            date: draft.date,
            time: draft.time,
            content: draft.content,
            detail: draft.detail,
            status: draft.status,
            position: draft.position ?? Double(change.version),
            revision: change.version,
            micros: change.microseconds,
            createdAt: time,
            updatedAt: time,
            visibility: draft.visibility ?? goal?.visibility ?? database[uid].account.visibility,
            goal: goal?.id
        )
        try checkBytes(todo, in: nil)
        return .changed(write(TodoChange(id: change, kind: .added, todo: todo)))
    }

    /// Changes parts of a todo.
    public func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> TodoWrite {
        try await database.once("update \(id) \(patch) \(revision?.description ?? "")", of: uid) {
            () throws(TodoError) in
            try updated(id, of: uid, with: patch, expecting: revision)
        }
    }

    private func updated(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) throws(TodoError) -> TodoWrite {
        if database[uid].todos[id] == nil, revision?.number ?? 0 == 0, Routine.parts(ofID: id) != nil {
            try TodoBounds.uid(uid)
            try TodoBounds.id(id)
            let (routine, draft) = try database.instance(id, of: uid, with: patch)
            let write = try added(draft, for: uid)
            database[uid].account.routines[routine.id] = routine
            return write
        }
        let stored = try find(id, of: uid, expecting: revision)
        try database.refuseWhileLeaving(uid)
        let change = database.nextID(of: uid)
        var todo = stored
        if let content = patch.content { todo.content = try TodoBounds.content(content) }
        if let detail = patch.detail { todo.detail = try TodoBounds.detail(detail) }
        if let status = patch.status { todo.status = status }
        if let visibility = patch.visibility { todo.visibility = visibility }
        if let time = patch.time { todo.time = time.time }
        if let goal = patch.goal, goal != todo.goal ?? "" {
            todo.goal = goal.isEmpty ? nil : try database.goal(try TodoBounds.goal(goal), of: uid).id
        }
        if let date = patch.date, date != stored.date {
            todo.date = date
            todo.position = Double(change.version)
            if CalendarMonth(containing: date) != CalendarMonth(containing: stored.date) {
                try checkRoom(in: date, of: uid)
            }
        }
        if let position = patch.position { todo.position = try TodoBounds.position(position) }
        try DayNote.check(todo, was: stored)
        guard todo != stored else { return .unchanged(TodoRecord(stored)) }
        (todo.revision, todo.micros) = (change.version, change.microseconds)
        todo.updatedAt = wholeSecond(change)
        try checkBytes(todo, in: stored)
        return .changed(write(TodoChange(id: change, todo, was: stored)))
    }

    /// Removes a todo.
    public func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError)
        -> TodoChange
    {
        try await database.once("remove \(id) \(revision?.description ?? "")", of: uid) { () throws(TodoError) in
            try removed(id, of: uid, expecting: revision)
        }
    }

    private func removed(_ id: String, of uid: String, expecting revision: ExpectedRevision?) throws(TodoError)
        -> TodoChange
    {
        let stored = try find(id, of: uid, expecting: revision)
        try database.refuseWhileLeaving(uid)
        return write(TodoChange(id: database.nextID(of: uid), kind: .removed, todo: stored))
    }

    func checkCount(of uid: String) throws(TodoError) {
        let count = database[uid].todos.count
        guard let most = database[uid].account.limits[.todos], count >= most else { return }
        throw .full("\(uid) has \(count) todos already: remove some first, or ask the operator for more")
    }

    func checkRoom(in date: CalendarDate, of uid: String) throws(TodoError) {
        let month = CalendarMonth(containing: date)
        guard database[uid].countByMonth[month, default: 0] < TodoBounds.todosPerMonth else {
            throw .full("\(month) already holds \(TodoBounds.todosPerMonth) todos: remove some first")
        }
    }

    /// Here only what an operator limits is weighed.
    func checkBytes(_ todo: Todo, in stored: Todo?) throws(TodoError) {
        let user = database[todo.uid]
        guard let most = user.account.limits[.bytes] else { return }
        let before = stored?.weight ?? 0
        let after = user.todos.values.reduce(0) { $0 + $1.weight } - before + todo.weight
        guard todo.weight <= before || after <= most else {
            throw .full("the todos of \(todo.uid) take as much as they may: remove some or shorten details first")
        }
    }

    func wholeSecond(_ id: ChangeID) -> Date {
        Date(timeIntervalSince1970: Double(id.microseconds / 1_000_000))
    }
}

extension TodoChange {
    /// A todo that was modified.
    convenience init(id: ChangeID, _ todo: Todo, was before: Todo) {
        self.init(
            id: id,
            kind: .modified,
            todo: todo,
            visibilityBefore: todo.visibility == before.visibility ? nil : before.visibility,
            statusBefore: todo.status == before.status ? nil : before.status
        )
    }
}

extension Todo {
    /// What it counts as, with some for its index.
    var weight: Int { TodoDTO(self).json.utf8.count + 200 }

    /// Whether the draft is what this todo was made of; its status and place change with use.
    fileprivate func matches(_ draft: TodoDraft) -> Bool {
        date == draft.date && time == draft.time && content == draft.content && detail == draft.detail
    }
}
