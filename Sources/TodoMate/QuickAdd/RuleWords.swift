/// Rules of routines as a line names them, in English and Korean, in lower case and with single spaces.
///
/// | written | rule |
/// |---|---|
/// | `every day`, `매일`, `날마다` | |
/// | `every weekday`, `평일마다` | Monday to Friday |
/// | `every weekend`, `주말마다` | Saturday and Sunday |
/// | `every friday`, `every mon and fri`, `매주 금요일`, `금요일마다`, `매주 월수금` | on these days |
/// | `every other friday`, `every 2 weeks on monday`, `격주 금요일`, `2주마다 월금` | on these days of every so many weeks |
/// | `every week`, `every month`, `매주`, `매월`, `매달` | on the weekday, or the day of the month, that it begins with |
/// | `every 15th`, `every month on the 15th`, `every 15th of the month`, `매월 15일` | on this day of the month |
/// | `every last day of the month`, `매월 말일` | on its last day |
/// | `every 3 days`, `every 2 weeks`, `every other week`, `3일마다`, `2주마다`, `격주`, `2개월마다` | every so many |
///
/// In Korean, `에` may stand behind a day. `until friday` and `금요일까지` say the last day that may be one.
package enum RuleWords {
    private static let weekdays = [
        ["monday", "mon", "월", "월요일"], ["tuesday", "tue", "tues", "화", "화요일"],
        ["wednesday", "wed", "weds", "수", "수요일"],
        ["thursday", "thu", "thur", "thurs", "목", "목요일"], ["friday", "fri", "금", "금요일"],
        ["saturday", "sat", "토", "토요일"],
        ["sunday", "sun", "일", "일요일"],
    ]

    /// The rule that is meant; nil when it is none.
    package static func rule(_ text: String) -> RoutineRule? {
        english(text) ?? korean(text.replacing(" ", with: ""))
    }

    private static func english(_ text: String) -> RoutineRule? {
        guard text.hasPrefix("every ") else { return nil }
        let rest = text.dropFirst("every ".count)
        switch rest {
        case "day": return RoutineRule(.daily)
        case "week": return RoutineRule(.weekly)
        case "month": return RoutineRule(.monthly)
        case "weekday": return RoutineRule(.weekly, weekdays: Array(0...4))
        case "weekend": return RoutineRule(.weekly, weekdays: [5, 6])
        default: break
        }
        if let match = rest.wholeMatch(of: /(other|[0-9]{1,3}) (day|week|month)s?/) {
            let count = match.1 == "other" ? 2 : Int(match.1) ?? 0
            return rule(["day": .daily, "week": .weekly, "month": .monthly], match.2, count)
        }
        if let match = rest.wholeMatch(of: /([0-9]{1,2})(?:st|nd|rd|th)(?: of (?:the|each|every) month)?/) {
            return monthly(1, match.1)
        }
        if let match = rest.wholeMatch(
            of: /(?:(other|[0-9]{1,3}) )?months? on the (last day|[0-9]{1,2}(?:st|nd|rd|th))/
        ) {
            return monthly(match.1.map { $0 == "other" ? 2 : Int($0) ?? 0 } ?? 1, match.2.prefix { $0.isNumber })
        }
        if rest == "last day of the month" { return monthly(1, "") }
        let days =
            rest.wholeMatch(of: /(?:(other|[0-9]{1,3}) )?weeks? (?:on )?(.+)/)
            ?? rest.wholeMatch(of: /(?:(other) )?(.+)/)
        guard let days else { return nil }
        let count = days.1.map { $0 == "other" ? 2 : Int($0) ?? 0 } ?? 1
        return rule(days.2.split(separator: " ").filter { $0 != "and" && $0 != "&" }, interval: count)
    }

    /// - Parameter text: without spaces, which people set as they like.
    private static func korean(_ text: String) -> RoutineRule? {
        // For speed: all of them have one of these.
        guard text.contains("매") || text.contains("마다") || text.contains("격주") else { return nil }
        switch text {
        case "매일", "날마다": return RoutineRule(.daily)
        case "매주": return RoutineRule(.weekly)
        case "격주": return RoutineRule(.weekly, interval: 2)
        case "매월", "매달": return RoutineRule(.monthly)
        case "평일마다": return RoutineRule(.weekly, weekdays: Array(0...4))
        case "주말마다": return RoutineRule(.weekly, weekdays: [5, 6])
        default: break
        }
        if let match = text.wholeMatch(of: /([0-9]{1,3})(일|주|개월|달)마다/) {
            return rule(["일": .daily, "주": .weekly, "개월": .monthly, "달": .monthly], match.2, Int(match.1) ?? 0)
        }
        if let match = text.wholeMatch(of: /(?:매월|매달|([0-9]{1,3})(?:개월|달)마다)(말|[0-9]{1,2})일(?:에|마다)?/) {
            return monthly(match.1.map { Int($0) ?? 0 } ?? 1, match.2 == "말" ? "" : match.2)
        }
        if let match = text.wholeMatch(of: /((?:[월화수목금토일]요일[과와]?)+)마다/) { return rule(letters(match.1)) }
        guard
            let match = text.wholeMatch(
                of: /(?:매주|(격주)|([0-9]{1,3})주마다)((?:[월화수목금토일]요일[과와]?)+|[월화수목금토일]{2,7})(?:에|마다)?/
            )
        else { return nil }
        return rule(letters(match.3), interval: match.1 == nil ? match.2.map { Int($0) ?? 0 } ?? 1 : 2)
    }

    /// The first letters of days of the week.
    private static func letters(_ days: Substring) -> [Substring] {
        days.replacing(/요일[과와]?/, with: "").map { Substring(String($0)) }
    }

    /// The last day that may be one; nil where the text says none.
    package static func end(_ text: String, today: CalendarDate) -> CalendarDate? {
        if let match = text.wholeMatch(of: /(?:until|till|til) (.+)/) {
            return DayWords.day(String(match.1), today: today)
        }
        return text.hasSuffix("까지") ? DayWords.day(String(text.dropLast(2)), today: today) : nil
    }

    /// On a day of the month, empty for its last one; nil for a day that no month has.
    private static func monthly(_ interval: Int, _ day: Substring) -> RoutineRule? {
        guard interval > 0 else { return nil }
        guard !day.isEmpty else { return RoutineRule(.monthly, interval: interval, monthDay: -1) }
        guard let number = Int(day), (1...31).contains(number) else { return nil }
        return RoutineRule(.monthly, interval: interval, monthDay: number)
    }

    /// Every so many; nil for a number that no rule has.
    private static func rule(
        _ units: KeyValuePairs<String, RoutineRule.Frequency>,
        _ unit: Substring,
        _ count: Int
    ) -> RoutineRule? {
        guard count > 0, let frequency = units.first(where: { $0.key == unit })?.value else { return nil }
        return RoutineRule(frequency, interval: count)
    }

    /// On these days, each once; nil where one is none.
    private static func rule(_ names: [Substring], interval: Int = 1) -> RoutineRule? {
        let days = names.map { name in weekdays.firstIndex { $0.contains(String(name)) } }
        let known = Set(days.compactMap(\.self))
        guard !known.isEmpty, known.count == days.count, interval > 0 else { return nil }
        return RoutineRule(.weekly, interval: interval, weekdays: known.sorted())
    }
}
