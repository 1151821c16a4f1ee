public import Foundation

/// One thing to do, on one day, of one user.
public struct Todo: Hashable, Sendable, Identifiable {
    /// Unique among the todos of its user: 1…64 of `A-Z a-z 0-9 _ -`.
    public var id: String
    /// The user it belongs to: 1…64 of `A-Z a-z 0-9 . _ @ -`.
    public var uid: String
    /// The day it is for.
    public var date: CalendarDate
    /// The time of that day, if it has one.
    public var time: TimeOfDay?
    /// What to do: one line of 1 to 500 characters.
    public var content: String
    /// Details: up to 10,000 characters, including line breaks and tabs.
    public var detail: String
    /// The status.
    public var status: TodoStatus
    /// Orders the todos of a day that have the same time, or none, smaller first; it may have a fraction, so that a todo fits between two others.
    public var position: Double
    /// The user's version at the last write of this todo; 0 when it was only published, never stored.
    public var revision: Int
    /// The microseconds of the change that made this revision; 0 if unknown.
    public var micros: Int
    /// When it was first written.
    public var createdAt: Date
    /// When it was last written.
    public var updatedAt: Date
    /// Who may see it, besides its owner.
    public var visibility: Visibility
    /// The id of the goal that it is for, if there is one.
    public var goal: String?
    /// The number of reactions with each emoji.
    public var reactions: [String: Int]

    /// A todo of these parts; nothing is checked here.
    public init(
        id: String,
        uid: String,
        date: CalendarDate,
        time: TimeOfDay? = nil,
        content: String,
        detail: String = "",
        status: TodoStatus = .todo,
        position: Double,
        revision: Int,
        micros: Int = 0,
        createdAt: Date,
        updatedAt: Date,
        visibility: Visibility = .followers,
        goal: String? = nil,
        reactions: [String: Int] = [:]
    ) {
        self.id = id
        self.uid = uid
        self.date = date
        self.time = time
        self.content = content
        self.detail = detail
        self.status = status
        self.position = position
        self.revision = revision
        self.micros = micros
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.visibility = visibility
        self.goal = goal
        self.reactions = reactions
    }

    /// The order in which lists show todos: by day, then time, those without one last, then position, then age, then id.
    public static func isInListOrder(_ left: Todo, _ right: Todo) -> Bool {
        (left.moment, left.position, left.createdAt, left.id) < (
            right.moment, right.position, right.createdAt, right.id
        )
    }

    /// Day and time as one number, which lists are sorted by.
    private var moment: Int { Self.moment(date.ordinal, time) }

    /// The day `yyyymmdd` and a time as one number; without a time, behind all times of that day.
    static func moment(_ day: Int, _ time: TimeOfDay?) -> Int { day * 10_000 + (time?.minutes ?? 9_999) }
}

/// The status of a todo.
public enum TodoStatus: String, Codable, Sendable, CaseIterable {
    /// Not started.
    case todo
    /// Being worked on.
    case inProgress
    /// Done.
    case complete
    /// Given up, or not done in time.
    case incomplete

    /// Whether there is still something to do.
    package var isOpen: Bool { self == .todo || self == .inProgress }
}
