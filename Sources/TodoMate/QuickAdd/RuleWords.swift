/// Rules of routines as a line names them, in English and Korean, in lower case and with single spaces.
///
/// | written | rule |
/// |---|---|
/// | `every day`, `매일`, `날마다` | |
/// | `every weekday`, `평일마다` | Monday to Friday |
/// | `every weekend`, `주말마다` | Saturday and Sunday |
/// | `every friday`, `every mon and fri`, `매주 금요일`, `금요일마다`, `매주 월수금` | on these days |
/// | `every week`, `every month`, `매주`, `매월`, `매달` | on the weekday, or the day of the month, that it begins with |
/// | `every 3 days`, `every 2 weeks`, `every other week`, `3일마다`, `2주마다`, `격주`, `2개월마다` | every so many |
///
/// In Korean, `에` may stand behind a day of the week.
package enum RuleWords {
    private static let weekdays = [
        ["monday", "mon", "월"], ["tuesday", "tue", "tues", "화"], ["wednesday", "wed", "weds", "수"],
        ["thursday", "thu", "thur", "thurs", "목"], ["friday", "fri", "금"], ["saturday", "sat", "토"],
        ["sunday", "sun", "일"],
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
        return rule(rest.split(separator: " ").filter { $0 != "and" && $0 != "&" })
    }

    /// - Parameter text: without spaces, which people set as they like.
    private static func korean(_ text: String) -> RoutineRule? {
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
        if let match = text.wholeMatch(of: /(?:매주([월화수목금토일])요일에?|([월화수목금토일])요일마다)/) {
            return rule([match.1 ?? match.2 ?? ""])
        }
        guard let match = text.wholeMatch(of: /매주([월화수목금토일]{2,7})/) else { return nil }
        return rule(match.1.map { Substring(String($0)) })
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
    private static func rule(_ names: [Substring]) -> RoutineRule? {
        let days = names.map { name in weekdays.firstIndex { $0.contains(String(name)) } }
        let known = Set(days.compactMap(\.self))
        guard !known.isEmpty, known.count == days.count else { return nil }
        return RoutineRule(.weekly, weekdays: known.sorted())
    }
}
