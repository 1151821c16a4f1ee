import Foundation

/// What a line of an archive says of a todo; what it leaves out is made as for a new one.
struct ArchivedTodo: Decodable {
    private enum CodingKeys: CodingKey {
        case id, date, content, detail, status, position, visibility, time, goal, createdAt, updatedAt
    }

    let id: String
    let date: CalendarDate
    let content: String
    let detail: String?
    let status: TodoStatus?
    let position: Double?
    let visibility: Visibility?
    let time: TimeOfDay?
    let goal: String?
    let createdAt: Date?
    let updatedAt: Date?

    /// - Parameter line: one that is an ``ArchiveLine``.
    init(_ line: [UInt8]) throws(TodoError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(line))
        } catch {
            throw .invalid("the line is no todo: \(error)")
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try TodoBounds.id(fields.decode(String.self, forKey: .id))
        date = try fields.decode(CalendarDate.self, forKey: .date)
        content = try TodoBounds.content(fields.decode(String.self, forKey: .content))
        detail = try fields.decodeIfPresent(String.self, forKey: .detail)
        status = try fields.decodeIfPresent(TodoStatus.self, forKey: .status)
        position = try fields.decodeIfPresent(Double.self, forKey: .position)
        visibility = try fields.decodeIfPresent(Visibility.self, forKey: .visibility)
        time = try fields.decodeIfPresent(TimeChange.self, forKey: .time)?.time
        goal = try fields.decodeIfPresent(String.self, forKey: .goal).flatMap { $0.isEmpty ? nil : $0 }
        func moment(_ key: CodingKeys) throws -> Date? {
            try fields.decodeIfPresent(String.self, forKey: key).flatMap { try? Date($0, strategy: .iso8601) }
        }
        (createdAt, updatedAt) = (try moment(.createdAt), try moment(.updatedAt))
    }

    /// Whether a todo has all that is said here.
    func isSame(as todo: Todo) -> Bool {
        date == todo.date && content == todo.content && time == todo.time && goal == todo.goal
            && detail ?? todo.detail == todo.detail && status ?? todo.status == todo.status
            && position ?? todo.position == todo.position && visibility ?? todo.visibility == todo.visibility
            && createdAt ?? todo.createdAt == todo.createdAt && updatedAt ?? todo.updatedAt == todo.updatedAt
    }
}

extension InMemoryTodoRepository {
    /// Writes a todo of an archive.
    func take(_ given: ArchivedTodo, of uid: String, replacing: Bool) throws(TodoError) -> ArchiveOutcome {
        let draft = TodoDraft(
            id: given.id,
            date: given.date,
            time: given.time,
            content: given.content,
            detail: given.detail ?? "",
            status: given.status ?? .todo,
            position: given.position,
            visibility: given.visibility,
            goal: given.goal
        )
        let checked = try DayNote.checked(draft)
        let stored = database[uid].todos[given.id]
        if let stored {
            if given.isSame(as: stored) { return .unchanged }
            guard replacing else { throw .exists("another todo has the id \(given.id) already") }
        }
        if stored.map({ CalendarMonth(containing: $0.date) != CalendarMonth(containing: given.date) }) ?? true {
            try checkRoom(in: given.date, of: uid)
        }
        if stored == nil { try checkCount(of: uid) }
        let change = database.nextID(of: uid)
        let now = wholeSecond(change)
        let todo = Todo(
            id: given.id,
            uid: uid,
            date: checked.date,
            time: checked.time,
            content: checked.content,
            detail: checked.detail,
            status: checked.status,
            position: checked.position ?? Double(change.version),
            revision: change.version,
            micros: change.microseconds,
            createdAt: given.createdAt ?? now,
            updatedAt: given.updatedAt ?? now,
            visibility: checked.visibility ?? stored?.visibility ?? database[uid].account.visibility,
            goal: checked.goal,
            reactions: stored?.reactions ?? [:]
        )
        try checkBytes(todo, in: stored)
        if let stored {
            write(TodoChange(id: change, todo, was: stored))
        } else {
            write(TodoChange(id: change, kind: .added, todo: todo))
        }
        return stored == nil ? .added : .replaced
    }
}
