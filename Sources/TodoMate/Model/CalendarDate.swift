public import Foundation

/// A calendar day without a time of day or time zone, such as 2026-11-20.
///
/// A todo belongs to a day, not to an instant: which day is "today" depends on the viewer's time zone.
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The year, 1900…2999.
    public let year: Int
    /// The month, 1…12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// The years that todos may have.
    package static let years = 1900...2999
    /// 1900-01-01.
    public static let earliest = CalendarDate(unchecked: 1900, 1, 1)
    /// 2999-12-31.
    public static let latest = CalendarDate(unchecked: 2999, 12, 31)

    /// Nil when there is no such day, or its year is outside 1900…2999.
    public init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month) else { return nil }
        guard day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
        self.init(unchecked: year, month, day)
    }

    /// Reads the form `2026-11-20`; nil for any other form or an impossible day.
    public init?(_ text: some StringProtocol) { self.init(bytes: Array(text.utf8)) }

    /// Reads the form `2026-11-20` from its bytes.
    init?<Bytes: RandomAccessCollection<UInt8>>(bytes: Bytes) where Bytes.Index == Int {
        let start = bytes.startIndex
        guard bytes.count == 10, bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            let year = Self.number(bytes, start..<start + 4),
            let month = Self.number(bytes, start + 5..<start + 7),
            let day = Self.number(bytes, start + 8..<start + 10)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day that an instant falls on in a time zone.
    public init(_ instant: Date, in timeZone: TimeZone) {
        let seconds = instant.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: instant))
        self.init(daysSince1970: Int((seconds / 86_400).rounded(.down)))
    }

    private init(unchecked year: Int, _ month: Int, _ day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The number that the digits at some places make; nil when one of them is none.
    static func number<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes, _ places: Range<Int>) -> Int?
    where Bytes.Index == Int {
        var value = 0
        for place in places {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }

    /// The form `2026-11-20`.
    public var description: String {
        // Digit by digit, which is faster than interpolation.
        String(unsafeUninitializedCapacity: 10) { text in
            var (rest, place) = (ordinal, 10)
            while place > 0 {
                place -= 1
                if place == 4 || place == 7 {
                    text[place] = UInt8(ascii: "-")
                } else {
                    text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
            }
            return 10
        }
    }

    /// The number yyyymmdd, by which Redis keeps the days in order.
    package var ordinal: Int { year * 10_000 + month * 100 + day }

    /// Earlier days come first.
    public static func < (left: Self, right: Self) -> Bool { left.ordinal < right.ordinal }

    /// How many days a month has.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": days_from_civil and civil_from_days.
extension CalendarDate {
    /// Days since 1970-01-01.
    package var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day so many days after 1970-01-01, held within ``earliest`` and ``latest``.
    package init(daysSince1970 days: Int) {
        self.init(unboundedDaysSince1970: min(max(days, Self.earliest.daysSince1970), Self.latest.daysSince1970))
    }

    /// The day so many days after 1970-01-01, even one that no todo can have: calendar pages end in such days.
    init(unboundedDaysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.init(unchecked: year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The day so many days later, or earlier when negative.
    public func adding(days: Int) -> CalendarDate { CalendarDate(daysSince1970: daysSince1970 + days) }

    /// The day of the week: 0 is Sunday, 6 is Saturday.
    public var weekday: Int { (daysSince1970 % 7 + 11) % 7 }
}

extension CalendarDate: Codable {
    /// Reads the form `2026-11-20`.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let date = CalendarDate(text) else { throw TodoError.invalid(TodoBounds.dateAdvice) }
        self = date
    }

    /// Writes the form `2026-11-20`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
