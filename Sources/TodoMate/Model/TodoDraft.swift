/// A todo to be written: the parts that its author decides.
public struct TodoDraft: Sendable, Equatable, Encodable {
    /// Chosen by the author, so that a repeated write is recognized; nil lets the repository choose.
    public var id: String?
    /// The day it is for.
    public var date: CalendarDate
    /// The time of that day, if it has one.
    public var time: TimeOfDay?
    /// What to do: one line of 1 to 500 characters.
    public var content: String
    /// Details, up to 10,000 characters.
    public var detail: String
    /// The status.
    public var status: TodoStatus
    /// The position among those of the day that have the same time, or none; nil puts it last.
    public var position: Double?
    /// Who may see it; nil for that of the goal, or the default in the user's settings.
    public var visibility: Visibility?
    /// The id of the goal that it is for, if there is one.
    public var goal: String?

    /// A draft of these parts; the repository checks them.
    public init(
        id: String? = nil,
        date: CalendarDate,
        time: TimeOfDay? = nil,
        content: String,
        detail: String = "",
        status: TodoStatus = .todo,
        position: Double? = nil,
        visibility: Visibility? = nil,
        goal: String? = nil
    ) {
        self.id = id
        self.date = date
        self.time = time
        self.content = content
        self.detail = detail
        self.status = status
        self.position = position
        self.visibility = visibility
        self.goal = goal
    }
}

/// The parts of a todo that change; nil leaves a part as it is.
public struct TodoPatch: Sendable, Equatable, Encodable {
    /// Another day.
    public var date: CalendarDate?
    /// Another time of day, or none any more; a todo that only comes to another day keeps its time.
    public var time: TimeChange?
    /// Another content.
    public var content: String?
    /// Another detail text.
    public var detail: String?
    /// Another status.
    public var status: TodoStatus?
    /// Another position among those of the day that have the same time, or none; when only the day changes, the todo goes last there.
    public var position: Double?
    /// Another visibility.
    public var visibility: Visibility?
    /// The id of another goal, or an empty text for none any more; the visibility stays as it is.
    public var goal: String?

    /// A patch of these parts; the repository checks them.
    public init(
        date: CalendarDate? = nil,
        time: TimeChange? = nil,
        content: String? = nil,
        detail: String? = nil,
        status: TodoStatus? = nil,
        position: Double? = nil,
        visibility: Visibility? = nil,
        goal: String? = nil
    ) {
        self.date = date
        self.time = time
        self.content = content
        self.detail = detail
        self.status = status
        self.position = position
        self.visibility = visibility
        self.goal = goal
    }
}

extension TodoDraft {
    /// The draft as the functions take it; nil when the position is no number.
    package var json: String? {
        guard let position = position.json else { return nil }
        var json = JSONBytes(capacity: content.utf8.count + detail.utf8.count + 200)
        json.add("{")
        if let id {
            json.add(#""id":""#, escaping: id)
            json.add(#"","#)
        }
        json.add(#""date":""#, date.description)
        json.add(#"","content":""#, escaping: content)
        json.add(#"","detail":""#, escaping: detail)
        json.add(#"","status":""#, status.rawValue)
        json.add("\"", position)
        json.add("", visibility.json)
        if let time { json.add(#","time":""#, "\(time)\"") }
        if let goal {
            json.add(#","goal":""#, escaping: goal)
            json.add("\"")
        }
        json.add("}")
        return json.text
    }
}

extension TodoPatch {
    /// The patch as the functions take it; nil when the position is no number.
    package var json: String? {
        guard let position = position.json else { return nil }
        let fields =
            (date.map { ",\"date\":\"\($0)\"" } ?? "")
            + (content.map { ",\"content\":\"\(JSONText.encode($0))\"" } ?? "")
            + (detail.map { ",\"detail\":\"\(JSONText.encode($0))\"" } ?? "")
            + (status.map { ",\"status\":\"\($0.rawValue)\"" } ?? "") + position + visibility.json
            + (time.map { ",\"time\":\"\($0.text)\"" } ?? "")
            + (goal.map { ",\"goal\":\"\(JSONText.encode($0))\"" } ?? "")
        return "{\(fields.dropFirst())}"
    }
}

extension Double? {
    /// A field of that name, after a comma; nothing for nil, and nil for what JSON has no number for.
    fileprivate var json: String? {
        guard let self else { return "" }
        return self.isFinite ? ",\"position\":\(JSONText.encode(self))" : nil
    }
}

extension Visibility? {
    /// A field of that name, after a comma; nothing for nil.
    fileprivate var json: String { map { ",\"visibility\":\"\($0.rawValue)\"" } ?? "" }
}

/// A user's todos as of one change.
public struct TodoSnapshot: Sendable, Equatable {
    /// The latest change that these todos contain.
    public var id: ChangeID
    /// In list order.
    public var todos: [Todo]

    /// A snapshot of these parts.
    public init(id: ChangeID, todos: [Todo]) {
        self.id = id
        self.todos = todos
    }
}
