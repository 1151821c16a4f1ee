package import EventLoop

/// A user's todos of some days as of one change, in list order, as they are stored: read once for all who ask.
///
/// What was asked of it is kept, so that those with the same access share one text.
@LoopActor
package final class TodoList {
    /// The change that the list is as of.
    package let id: ChangeID
    /// How much the todos' JSON takes.
    package let byteCount: Int
    /// How much memory it may take in the end: the todos as they came and where their parts lie, a text for each of the three
    /// that may see something, and the ids.
    package var mostBytes: Int { 4 * byteCount + 500 * todos.count + 2048 }
    private let days: ClosedRange<CalendarDate>?
    private let todos: [CanonicalTodo]
    private var texts: [Access: [UInt8]] = [:]
    private var ids: [Access: Set<String>] = [:]

    init(_ id: ChangeID, _ todos: [CanonicalTodo], in days: ClosedRange<CalendarDate>?) {
        self.id = id
        self.days = days
        // Nearly in order as they come: by days.
        self.todos = todos.sorted(by: CanonicalTodo.isInListOrder)
        byteCount = todos.reduce(0) { $0 + $1.bytes.count }
    }

    /// The answer of `todomate_list`.
    ///
    /// - Throws: ``TodoError/broken(_:)`` when something in it is no todo.
    package convenience init(_ answer: [UInt8], in days: ClosedRange<CalendarDate>?) throws(TodoError) {
        if let list = CanonicalList(answer) {
            self.init(list.id, list.todos, in: days)
            // As it came, which nearly always is in order.
            if zip(todos, list.todos).allSatisfy({ $0.bytes.startIndex == $1.bytes.startIndex }) {
                texts[.own] = list.bytes
            }
        } else {
            let (id, todos) = try ForeignTodos.list(answer)
            self.init(id, todos, in: days)
        }
    }

    /// Todos that were read one by one.
    package convenience init(_ id: ChangeID, _ parts: TodoParts, in days: ClosedRange<CalendarDate>?) {
        self.init(id, parts.todos, in: days)
    }

    /// The todos that an access covers, as JSON.
    package func text(for access: Access) -> [UInt8] {
        if let text = texts[access] { return text }
        var json = Array("{\"id\":\"\(id)\",\"todos\":[".utf8)
        json.reserveCapacity(json.count + byteCount + todos.count + 2)
        var isFirst = true
        for todo in todos where access.covers(todo.visibility) {
            if !isFirst { json.append(UInt8(ascii: ",")) }
            isFirst = false
            json += todo.bytes
        }
        json += Array("]}".utf8)
        texts[access] = json
        return json
    }

    /// The ids of the todos that an access covers.
    package func todoIDs(for access: Access) -> Set<String> {
        if let known = ids[access] { return known }
        let found = Set(todos.lazy.filter { access.covers($0.visibility) }.map(\.name))
        ids[access] = found
        return found
    }

    /// The todos that an access covers.
    package func snapshot(for access: Access) -> TodoSnapshot {
        TodoSnapshot(id: id, todos: todos.lazy.filter { access.covers($0.visibility) }.compactMap(\.todo))
    }

    /// The list as it is after changes: all that came after ``id``, in order.
    package func applying(_ changes: [TodoChange]) throws(TodoError) -> TodoList {
        guard let last = changes.last?.id else { return self }
        var latest: [String: TodoChange] = [:]
        for change in changes where change.kind.isOfTodo { latest[change.todo.id] = change }
        var parts = TodoParts(todos.filter { latest[$0.name] == nil })
        for change in latest.values where change.kind != .removed && days?.contains(change.todo.date) ?? true {
            try parts.append(Array(TodoDTO(change.todo).json.utf8))
        }
        return TodoList(last, parts, in: days)
    }
}
