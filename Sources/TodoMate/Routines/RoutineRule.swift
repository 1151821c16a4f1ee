/// On which days something is to be done again: a part of the recurrence rules of RFC 5545, section 3.3.10, and spelt as there.
///
///     FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20261231
///
/// | part | what it says |
/// |---|---|
/// | `FREQ` | `DAILY`, `WEEKLY` or `MONTHLY`; the only part that every rule has |
/// | `INTERVAL` | every so many days, weeks or months, 1…999 |
/// | `BYDAY` | with `WEEKLY`: some of `MO`, `TU`, `WE`, `TH`, `FR`, `SA`, `SU`; without it the weekday of the first day |
/// | `BYMONTHDAY` | with `MONTHLY`: 1…31, or -1 for a month's last day; without it the first day's |
/// | `UNTIL` | the last day that may be one, as `20261231` |
/// | `COUNT` | how many days there are, 1…999; not beside `UNTIL` |
///
/// Parts may come in any order, each once. Weeks begin on Monday. As RFC 5545 has it, a month without the day is passed over: the
/// 31st comes seven times a year, 29 February in leap years. Days are those of a calendar, without a time zone, so that no clock
/// change moves one.
public struct RoutineRule: Sendable, Hashable {
    /// What is counted from one time to the next.
    public enum Frequency: String, Sendable, CaseIterable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
    }

    /// Where a rule ends.
    public enum End: Sendable, Hashable {
        /// The last day that may be one.
        case until(CalendarDate)
        /// After so many days.
        case count(Int)
    }

    /// What is counted.
    public let frequency: Frequency
    /// Every so many days, weeks or months.
    public let interval: Int
    /// The days of a week, 0 for Monday up to 6, in order; empty for that of the first day.
    public let weekdays: [Int]
    /// The day of a month, -1 for the last; nil for that of the first day.
    public let monthDay: Int?
    /// Where it ends; nil for never.
    public var end: End?

    /// The names of the days of a week, from Monday.
    static let dayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    /// The largest interval, and the largest count.
    private static let most = 999
    /// More than the longest rule.
    private static let mostBytes = 200

    /// A rule of these parts, which must be some that ``init(_:)`` would take.
    package init(
        _ frequency: Frequency,
        interval: Int = 1,
        weekdays: [Int] = [],
        monthDay: Int? = nil,
        end: End? = nil
    ) {
        (self.frequency, self.interval, self.weekdays) = (frequency, interval, weekdays.sorted())
        (self.monthDay, self.end) = (monthDay, end)
    }

    /// Reads a rule.
    ///
    /// - Throws: ``TodoError/invalid(_:)``, with what is wrong and what would be right.
    public init(_ text: String) throws(TodoError) {
        guard text.utf8.count <= Self.mostBytes else { throw .invalid("a rule has at most \(Self.mostBytes) bytes") }
        var parts: [Substring: Substring] = [:]
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !pair[1].isEmpty else {
                throw .invalid("a rule must look like FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20261231")
            }
            guard ["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "UNTIL", "COUNT"].contains(pair[0]) else {
                throw .invalid("a rule has only the parts FREQ, INTERVAL, BYDAY, BYMONTHDAY, UNTIL and COUNT")
            }
            guard parts.updateValue(pair[1], forKey: pair[0]) == nil else {
                throw .invalid("\(pair[0]) must stand only once in a rule")
            }
        }
        guard let frequency = parts["FREQ"].flatMap({ Frequency(rawValue: String($0)) }) else {
            throw .invalid("FREQ must be DAILY, WEEKLY or MONTHLY")
        }
        guard let interval = Self.number(parts["INTERVAL"] ?? "1", 1...Self.most) else {
            throw .invalid("INTERVAL must be a whole number from 1 to \(Self.most)")
        }
        self.init(
            frequency,
            interval: interval,
            weekdays: try Self.weekdays(parts["BYDAY"], frequency),
            monthDay: try Self.monthDay(parts["BYMONTHDAY"], frequency),
            end: try Self.end(until: parts["UNTIL"], count: parts["COUNT"])
        )
    }

    private static func weekdays(_ text: Substring?, _ frequency: Frequency) throws(TodoError) -> [Int] {
        guard let text else { return [] }
        let days = text.split(separator: ",", omittingEmptySubsequences: false).map {
            dayNames.firstIndex(of: String($0))
        }
        let known = Set(days.compactMap(\.self))
        guard frequency == .weekly, known.count == days.count else {
            throw .invalid("BYDAY stands with FREQ=WEEKLY, and has some of MO,TU,WE,TH,FR,SA,SU, each once")
        }
        return known.sorted()
    }

    private static func monthDay(_ text: Substring?, _ frequency: Frequency) throws(TodoError) -> Int? {
        guard let text else { return nil }
        guard frequency == .monthly, let day = text == "-1" ? -1 : number(text, 1...31) else {
            throw .invalid("BYMONTHDAY stands with FREQ=MONTHLY, and is one of 1 to 31, or -1 for the last day")
        }
        return day
    }

    private static func end(until: Substring?, count: Substring?) throws(TodoError) -> End? {
        if let until {
            let bytes = Array(until.utf8)
            guard count == nil, bytes.count == 8, let year = CalendarDate.number(bytes, 0..<4),
                let month = CalendarDate.number(bytes, 4..<6), let day = CalendarDate.number(bytes, 6..<8),
                let date = CalendarDate(year: year, month: month, day: day)
            else {
                throw .invalid("UNTIL must be a real day such as 20261231, and not stand beside COUNT")
            }
            return .until(date)
        }
        guard let count else { return nil }
        guard let number = number(count, 1...most) else {
            throw .invalid("COUNT must be a whole number from 1 to \(most)")
        }
        return .count(number)
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count <= 3, bytes.first != UInt8(ascii: "0"),
            let number = CalendarDate.number(bytes, 0..<bytes.count), range.contains(number)
        else { return nil }
        return number
    }
}

extension RoutineRule: CustomStringConvertible {
    /// The rule as it is stored: its parts in the order of the table above, without an `INTERVAL` of 1.
    public var description: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval > 1 { parts.append("INTERVAL=\(interval)") }
        if !weekdays.isEmpty { parts.append("BYDAY=\(weekdays.map { Self.dayNames[$0] }.joined(separator: ","))") }
        if let monthDay { parts.append("BYMONTHDAY=\(monthDay)") }
        switch end {
        case .until(let day): parts.append("UNTIL=\(day.ordinal)")
        case .count(let count): parts.append("COUNT=\(count)")
        case nil: break
        }
        return parts.joined(separator: ";")
    }
}
