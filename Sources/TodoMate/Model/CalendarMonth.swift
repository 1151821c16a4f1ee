/// A month of a year, such as 2026-11, and its days as a calendar shows them.
public struct CalendarMonth: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first day of the month.
    public let firstDay: CalendarDate

    /// The month that contains a day.
    public init(containing date: CalendarDate) {
        firstDay = date.adding(days: 1 - date.day)
    }

    /// Reads the form `2026-11`; nil for any other.
    public init?(_ text: some StringProtocol) {
        guard let first = CalendarDate(text + "-01") else { return nil }
        firstDay = first
    }

    /// The last day of the month.
    public var lastDay: CalendarDate {
        firstDay.adding(days: CalendarDate.days(inMonth: firstDay.month, of: firstDay.year) - 1)
    }

    /// All days of the month.
    public var days: ClosedRange<CalendarDate> { firstDay...lastDay }

    /// The month after this one; December 2999 is the last.
    public var next: CalendarMonth { CalendarMonth(containing: lastDay.adding(days: 1)) }

    /// The month before this one; January 1900 is the first.
    public var previous: CalendarMonth { CalendarMonth(containing: firstDay.adding(days: -1)) }

    /// The 42 days of a calendar page of six weeks, from the last `firstWeekday` on or before the first day of the month.
    ///
    /// - Parameter firstWeekday: 0 for weeks that start on Sunday, 1 for Monday, up to 6.
    public func grid(firstWeekday: Int = 0) -> [CalendarDate] {
        let lead = (firstDay.weekday - firstWeekday + 7) % 7
        return (0..<42).map { CalendarDate(unboundedDaysSince1970: firstDay.daysSince1970 + $0 - lead) }
    }

    /// The form `2026-11`.
    public var description: String { String(firstDay.description.dropLast(3)) }

    /// Earlier months come first.
    public static func < (left: Self, right: Self) -> Bool { left.firstDay < right.firstDay }
}
