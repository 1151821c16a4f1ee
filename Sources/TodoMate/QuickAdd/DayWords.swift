/// Days as a line names them, in English and Korean, in lower case and with single spaces.
///
/// | written | day |
/// |---|---|
/// | `today`, `tomorrow`, `tmrw`, `tmr`, `오늘`, `내일`, `모레` | |
/// | `fri`, `friday`, `on fri`, `금요일` | the next Friday; today when it is one |
/// | `this friday`, `이번 주 금요일` | that of this week, which began on Monday, unless it has passed |
/// | `this week friday`, `이번 금요일` | the same |
/// | `next friday`, `next week friday`, `friday next week`, `다음 주 금요일` | that of the week after this one |
/// | `다다음 주 금요일` | that of the week after that |
/// | `+3d`, `+2w`, `in 3 days`, `in 2 weeks`, `3일 뒤`, `2주 후` | so many days or weeks from today |
/// | `2026-11-20`, `nov 20 2026`, `2026년 11월 20일` | that day |
/// | `11-20`, `nov 20`, `20 november`, `11월 20일` | the next such day, today or later |
///
/// `on` may stand before the days of weeks and months, and `에` behind them in Korean.
package enum DayWords {
    private static let weekdays = [
        ["sunday", "sun", "일요일"], ["monday", "mon", "월요일"], ["tuesday", "tue", "tues", "화요일"],
        ["wednesday", "wed", "weds", "수요일"], ["thursday", "thu", "thur", "thurs", "목요일"], ["friday", "fri", "금요일"],
        ["saturday", "sat", "토요일"],
    ]
    private static let months = [
        ["january", "jan"], ["february", "feb"], ["march", "mar"], ["april", "apr"], ["may"], ["june", "jun"],
        ["july", "jul"],
        ["august", "aug"], ["september", "sep", "sept"], ["october", "oct"], ["november", "nov"], ["december", "dec"],
    ]
    /// A year without a 29 February is followed by one that has it, at the latest after eight.
    private static let yearsAhead = 8

    /// The day that is meant on `today`; nil when it is none.
    package static func day(_ text: String, today: CalendarDate) -> CalendarDate? {
        switch text {
        case "today", "오늘": return today
        case "tomorrow", "tmrw", "tmr", "내일": return later(1, today)
        case "모레", "내일모레", "내일 모레": return later(2, today)
        default: return english(text, today) ?? korean(text.replacing(" ", with: ""), today)
        }
    }

    private static func english(_ text: String, _ today: CalendarDate) -> CalendarDate? {
        if let match = text.wholeMatch(of: /\+([0-9]{1,3})([dw])/) {
            return later(match.1, isWeeks: match.2 == "w", today)
        }
        if let match = text.wholeMatch(of: /in ([0-9]{1,3}) (day|week)s?/) {
            return later(match.1, isWeeks: match.2 == "week", today)
        }
        if let match = text.wholeMatch(of: /(?:(on|this|next) )?([a-z]+)/),
            let weekday = place(of: match.2, in: weekdays)
        {
            return day(weekday, match.1.map(String.init), today)
        }
        if text.contains("week"), let match = text.wholeMatch(of: /(this|next) week (?:on )?([a-z]+)/),
            let weekday = place(of: match.2, in: weekdays)
        {
            return day(weekday, String(match.1), today)
        }
        if text.hasSuffix("week"), let match = text.wholeMatch(of: /(?:on )?([a-z]+) (this|next) week/),
            let weekday = place(of: match.1, in: weekdays)
        {
            return day(weekday, String(match.2), today)
        }
        let date = text.hasPrefix("on ") ? text.dropFirst(3) : text[...]
        if let match = date.wholeMatch(of: /(?:([0-9]{4})-)?([0-9]{2})-([0-9]{2})/) {
            return day(year: match.1, month: Int(match.2), day: match.3, today)
        }
        if let match = date.wholeMatch(of: /([a-z]+) ([0-9]{1,2})(?:st|nd|rd|th)?(?: ([0-9]{4}))?/) {
            return day(year: match.3, month: place(of: match.1, in: months).map { $0 + 1 }, day: match.2, today)
        }
        if let match = date.wholeMatch(of: /([0-9]{1,2})(?:st|nd|rd|th)? ([a-z]+)(?: ([0-9]{4}))?/) {
            return day(year: match.3, month: place(of: match.2, in: months).map { $0 + 1 }, day: match.1, today)
        }
        return nil
    }

    /// - Parameter text: without spaces, which people set as they like.
    private static func korean(_ text: String, _ today: CalendarDate) -> CalendarDate? {
        if let match = text.wholeMatch(of: /(다다음주|다음주|이번주|이번)?([일월화수목금토]요일)에?/),
            let weekday = place(of: match.2, in: weekdays)
        {
            return day(weekday, match.1.map { ["다다음주": "after", "다음주": "next"][$0] ?? "this" }, today)
        }
        if let match = text.wholeMatch(of: /([0-9]{1,3})(일|주)(?:뒤|후)에?/) {
            return later(match.1, isWeeks: match.2 == "주", today)
        }
        if let match = text.wholeMatch(of: /(?:([0-9]{4})년)?([0-9]{1,2})월([0-9]{1,2})일에?/) {
            return day(year: match.1, month: Int(match.2), day: match.3, today)
        }
        return nil
    }

    private static func place(of name: Substring, in names: [[String]]) -> Int? {
        names.firstIndex { $0.contains(String(name)) }
    }

    /// The weekday that a word names, 0 for Sunday.
    static func weekday(_ name: String) -> Int? { place(of: Substring(name), in: weekdays) }

    /// A day of the week: the next one, or that of this week, of the next or of the one after it.
    private static func day(_ weekday: Int, _ which: String?, _ today: CalendarDate) -> CalendarDate? {
        guard let weeks = which.flatMap({ ["this": 0, "next": 1, "after": 2][$0] }) else {
            return later((weekday - today.weekday + 7) % 7, today)
        }
        let days = (weekday + 6) % 7 - (today.weekday + 6) % 7 + 7 * weeks
        return days < 0 ? nil : later(days, today)
    }

    /// That day, or without a year the next one that there is.
    private static func day(year: Substring?, month: Int?, day: Substring, _ today: CalendarDate) -> CalendarDate? {
        guard let month, let day = Int(day) else { return nil }
        if let year { return CalendarDate(year: Int(year) ?? 0, month: month, day: day) }
        return (today.year...today.year + yearsAhead).lazy.compactMap { CalendarDate(year: $0, month: month, day: day) }
            .first { $0 >= today }
    }

    private static func later(_ count: Substring, isWeeks: Bool, _ today: CalendarDate) -> CalendarDate? {
        Int(count).flatMap { later($0 * (isWeeks ? 7 : 1), today) }
    }

    /// Nil beyond the days that todos can have, rather than the last of them.
    private static func later(_ days: Int, _ today: CalendarDate) -> CalendarDate? {
        let number = today.daysSince1970 + days
        return number <= CalendarDate.latest.daysSince1970 ? CalendarDate(daysSince1970: number) : nil
    }
}
