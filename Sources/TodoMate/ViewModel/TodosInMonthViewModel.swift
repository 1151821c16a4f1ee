public import EventLoop
public import Observation

/// One user's todos of a month, live, as a calendar shows them.
@LoopActor
@Observable
public final class TodosInMonthViewModel: LiveTodosViewModel {
    /// One square of the calendar page.
    public struct Cell: Sendable, Equatable, Identifiable {
        /// The day of the square.
        public let date: CalendarDate
        /// Whether the day is one of the month, not of the weeks around it.
        public let isInMonth: Bool
        /// The day's todos by position; none outside the month.
        public let todos: [Todo]
        /// The day.
        public var id: CalendarDate { date }

        /// A square of these parts.
        package init(date: CalendarDate, isInMonth: Bool, todos: [Todo]) {
            self.date = date
            self.isInMonth = isInMonth
            self.todos = todos
        }
    }

    /// The month shown.
    public private(set) var month: CalendarMonth

    @ObservationIgnored private let firstWeekday: Int

    /// A calendar that shows nothing until ``LiveTodosViewModel/onAppear()``.
    ///
    /// - Parameters:
    ///   - service: delivers the changes.
    ///   - uid: whose todos to show.
    ///   - month: the month to show first.
    ///   - firstWeekday: 0 for weeks that start on Sunday, 1 for Monday, up to 6.
    public init(service: any TodoRealtimeServiceType, uid: String, month: CalendarMonth, firstWeekday: Int = 0) {
        self.month = month
        self.firstWeekday = firstWeekday
        super.init(service: service, uid: uid, days: month.days)
    }

    /// Shows another month.
    public func show(_ month: CalendarMonth) {
        guard month != self.month else { return }
        self.month = month
        show(month.days)
    }

    /// The todos of each day that has some, by position.
    public var todosByDay: [CalendarDate: [Todo]] { Dictionary(grouping: todos, by: \.date) }

    /// The 42 squares of the calendar page: six weeks, the month's days among those around them.
    public var grid: [Cell] {
        let todos = todosByDay
        return month.grid(firstWeekday: firstWeekday).map { date in
            Cell(date: date, isInMonth: month.days.contains(date), todos: todos[date] ?? [])
        }
    }
}
