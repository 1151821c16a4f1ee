import TodoMate

/// Days as people write them.
///
/// | written | day |
/// |---|---|
/// | `2026-11-20` | that day |
/// | `today`, `tomorrow`, `yesterday`, `어제` | |
/// | `fri`, `friday` | the next Friday; today when it is one |
/// | `+3d`, `-1d`, `+2w` | so many days or weeks from today |
/// | `11-20` | the nearest 20 November, before or after today |
///
/// and all else that ``DayWords`` reads, such as `next friday`, `nov 20` and `금요일`.
enum RelativeDay {
    /// What help texts say of it.
    static let forms = "2026-11-20, 11-20, today, tomorrow, yesterday, fri or +3d"

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// The day that is meant on `today`; nil when it is none.
    static func day(_ text: String, today: CalendarDate) -> CalendarDate? {
        let word = text.lowercased()
        switch word {
        case "today": return today
        case "tomorrow": return offset(1, from: today)
        case "yesterday", "어제": return offset(-1, from: today)
        default: break
        }
        if word.count >= 3, let weekday = weekdays.firstIndex(where: { $0.hasPrefix(word) }) {
            return offset((weekday - today.weekday + 7) % 7, from: today)
        }
        if let match = word.wholeMatch(of: /([+-])([0-9]{1,6})([dw])/), let count = Int(match.2) {
            return offset((match.1 == "-" ? -1 : 1) * count * (match.3 == "w" ? 7 : 1), from: today)
        }
        if let match = word.wholeMatch(of: /([0-9]{1,2})-([0-9]{1,2})/), let month = Int(match.1),
            let day = Int(match.2)
        {
            let candidates = (today.year - 1...today.year + 1).compactMap {
                CalendarDate(year: $0, month: month, day: day)
            }
            return candidates.min { distance($0, today) < distance($1, today) }
        }
        return CalendarDate(text) ?? DayWords.day(word, today: today)
    }

    /// Nil beyond the days that todos can have, rather than the last of them.
    private static func offset(_ days: Int, from today: CalendarDate) -> CalendarDate? {
        let number = today.daysSince1970 + days
        guard (CalendarDate.earliest.daysSince1970...CalendarDate.latest.daysSince1970).contains(number) else {
            return nil
        }
        return CalendarDate(daysSince1970: number)
    }

    private static func distance(_ left: CalendarDate, _ right: CalendarDate) -> Int {
        abs(left.daysSince1970 - right.daysSince1970)
    }
}
