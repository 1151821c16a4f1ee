package import EventLoop

/// A user's todos of some days as of one change, in list order, as they are stored: read once for all readers.
///
/// Texts are cached, so that viewers with the same access share one.
@LoopActor
package final class TodoList {
    /// The change that the list is as of.
    package let id: ChangeID
    /// How much the todos' JSON takes.
    package let byteCount: Int
    /// How much memory it may take in the end: the todos as they came and where their parts lie, a text for each of the three
    /// that may see something, and the ids.
    package var mostBytes: Int { 4 * byteCount + 600 * todos.count + 2048 }
    /// Less is written at once.
    private static let shortBytes = 64 * 1024
    private let days: ClosedRange<CalendarDate>?
    private let todos: [ListedTodo]
    /// Nearly always one, its owner's, and found without hashing.
    private var texts: [(access: Access, json: [UInt8])] = []
    private var writing: [Access: Task<Void, Never>] = [:]
    private var ids: [Access: Set<String>] = [:]

    private init(_ id: ChangeID, sorted todos: [ListedTodo], _ byteCount: Int, in days: ClosedRange<CalendarDate>?) {
        self.id = id
        self.days = days
        self.todos = todos
        self.byteCount = byteCount
    }

    private convenience init(_ id: ChangeID, _ todos: [ListedTodo], in days: ClosedRange<CalendarDate>?) {
        // Nearly in order as they come: by days.
        let sorted = todos.sorted(by: ListedTodo.isInListOrder)
        self.init(id, sorted: sorted, todos.reduce(0) { $0 + $1.byteCount }, in: days)
    }

    deinit {
        if todos.count > 1000 { GradualRelease(todos) }
    }

    /// The answer of `todomate_list`.
    ///
    /// - Throws: ``TodoError/broken(_:)`` when something in it is no todo.
    package convenience init(_ answer: [UInt8], in days: ClosedRange<CalendarDate>?) throws(TodoError) {
        if let list = CanonicalList(answer) {
            let asTheyCame = list.todos.map { ListedTodo($0) }
            self.init(list.id, asTheyCame, in: days)
            // As it came, which nearly always is in order.
            if zip(todos, asTheyCame).allSatisfy({ $0 === $1 }) {
                texts = [(.own, list.bytes)]
            }
        } else {
            let (id, todos) = try ForeignTodos.list(answer)
            self.init(id, todos.map { ListedTodo($0) }, in: days)
        }
    }

    /// Todos that were read one by one, put in order while others have the loop in between.
    package static func list(
        _ id: ChangeID,
        _ parts: TodoParts,
        in days: ClosedRange<CalendarDate>?
    ) async -> TodoList {
        TodoList(id, sorted: await ListOrder.sorted(parts.todos), parts.byteCount, in: days)
    }

    /// The todos that an access covers, as JSON.
    package func text(for access: Access) -> [UInt8] {
        if let text = writtenText(for: access) { return text }
        var json = beginning
        for todo in todos { append(todo, for: access, to: &json) }
        json += Self.end
        texts.append((access, json))
        return json
    }

    private func writtenText(for access: Access) -> [UInt8]? { texts.first { $0.access == access }?.json }

    /// Writes the text for an access, unless it is there, while others have the loop in between.
    package func writeText(for access: Access) async {
        guard byteCount > Self.shortBytes, writtenText(for: access) == nil else { return }
        if let task = writing[access] { return await task.value }
        let task = Task { @LoopActor [self] in
            var json = beginning
            for todo in todos {
                append(todo, for: access, to: &json)
                await LoopActor.shareTurn()
            }
            json += Self.end
            if writtenText(for: access) == nil { texts.append((access, json)) }
        }
        writing[access] = task
        await task.value
        writing[access] = nil
    }

    /// Collects the ids of the todos that an access covers, unless they are there, while others have the loop in between.
    package func collectIDs(for access: Access) async {
        guard ids[access] == nil else { return }
        var found = Set<String>(minimumCapacity: todos.count)
        for todo in todos where access.covers(todo.todo.visibility) {
            found.insert(todo.name)
            await LoopActor.shareTurn()
        }
        ids[access] = found
    }

    private var beginning: [UInt8] {
        var json = Array("{\"id\":\"\(id)\",\"todos\":[".utf8)
        json.reserveCapacity(json.count + byteCount + todos.count + 2)
        return json
    }

    private func append(_ todo: ListedTodo, for access: Access, to json: inout [UInt8]) {
        guard access.covers(todo.todo.visibility) else { return }
        if json.last != UInt8(ascii: "[") { json.append(UInt8(ascii: ",")) }
        json += todo.todo.bytes
    }

    private static let end = Array("]}".utf8)

    /// The ids of the todos that an access covers.
    package func todoIDs(for access: Access) -> Set<String> {
        if let known = ids[access] { return known }
        let found = Set(todos.lazy.filter { access.covers($0.todo.visibility) }.map(\.name))
        ids[access] = found
        return found
    }

    /// The todos that an access covers.
    package func snapshot(for access: Access) -> TodoSnapshot {
        TodoSnapshot(id: id, todos: todos.lazy.map(\.todo).filter { access.covers($0.visibility) }.compactMap(\.todo))
    }

    /// The list as it is after changes: all that came after ``id``, in order. Others have the loop in between.
    package func applying(_ changes: [TodoChange]) async throws(TodoError) -> TodoList {
        guard let last = changes.last?.id else { return self }
        var latest: [String: TodoChange] = [:]
        for change in changes where change.kind.isOfTodo { latest[change.todoID] = change }
        var (todos, bytes) = await without(latest)
        for change in latest.values where change.kind != .removed && days?.contains(change.todo.date) ?? true {
            let todo = ListedTodo(try TodoParts.read(change.todoJSON))
            let place = ListOrder.place(in: todos, 0..<todos.count) { ListedTodo.isInListOrder(todo, $0) }
            todos.insert(todo, at: place)
            bytes += todo.byteCount
            await LoopActor.shareTurn()
        }
        return TodoList(last, sorted: todos, bytes, in: days)
    }

    private func without(_ changed: [String: TodoChange]) async -> (todos: [ListedTodo], bytes: Int) {
        guard !changed.isEmpty else { return (todos, byteCount) }
        var (left, bytes): ([ListedTodo], Int) = ([], 0)
        left.reserveCapacity(todos.count + changed.count)
        for todo in todos {
            if changed[todo.name] == nil {
                left.append(todo)
                bytes += todo.byteCount
            }
            if left.count % 16 == 0 { await LoopActor.shareTurn() }
        }
        return (left, bytes)
    }
}
