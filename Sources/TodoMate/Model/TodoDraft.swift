/// A todo that is to be written: what its author decides about it.
public struct TodoDraft: Sendable, Equatable, Encodable {
    /// Chosen by the author, so that a repeated write is recognised as the same; nil lets the repository choose.
    public var id: String?
    /// The day it is for.
    public var date: CalendarDate
    /// What to do, in one line of 1…500 characters.
    public var content: String
    /// More about it, up to 10,000 characters.
    public var detail: String
    /// How far it has come.
    public var status: TodoStatus
    /// Its place within the day; nil puts it last.
    public var position: Double?
    /// Who may see it; nil leaves it to the user's settings.
    public var visibility: Visibility?

    /// A draft of these parts; the repository checks them.
    public init(
        id: String? = nil,
        date: CalendarDate,
        content: String,
        detail: String = "",
        status: TodoStatus = .todo,
        position: Double? = nil,
        visibility: Visibility? = nil
    ) {
        self.id = id
        self.date = date
        self.content = content
        self.detail = detail
        self.status = status
        self.position = position
        self.visibility = visibility
    }
}

/// What is to become different about a todo; nil leaves a part as it is.
public struct TodoPatch: Sendable, Equatable, Encodable {
    /// Another day.
    public var date: CalendarDate?
    /// Other words.
    public var content: String?
    /// Another detail text.
    public var detail: String?
    /// Another status.
    public var status: TodoStatus?
    /// Another place within the day; when only the day changes, the todo goes last there.
    public var position: Double?
    /// Others who may see it.
    public var visibility: Visibility?

    /// A patch of these parts; the repository checks them.
    public init(
        date: CalendarDate? = nil,
        content: String? = nil,
        detail: String? = nil,
        status: TodoStatus? = nil,
        position: Double? = nil,
        visibility: Visibility? = nil
    ) {
        self.date = date
        self.content = content
        self.detail = detail
        self.status = status
        self.position = position
        self.visibility = visibility
    }
}

/// A user's todos at one moment, and the change that made them so.
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
