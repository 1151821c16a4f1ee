/// A rule of a routine with its end, as it is typed where there is nothing else, in English and Korean.
///
/// | written | rule |
/// |---|---|
/// | `every day`, and all that ``RuleWords`` reads | |
/// | `daily`, `weekdays`, `mon wed fri`, `2 weeks`, `평일`, `월수금` | as with `every` or `매주` before it; in a line they may be ordinary words |
/// | `매주 금`, `2주마다 금` | on this day; in a line `금` by itself may be gold |
/// | `every day until dec 31`, `매일 12월 31일까지`, `12월 31일까지 매일` | up to this day |
/// | `every 2 weeks, 10 times`, `2주마다 10번`, `매일 10회` | so many days of it |
///
/// In a line with other words, `10 times` stays text: there it mostly says how often on one day.
package enum RuleText {
    /// The rule that is meant; nil when it is none.
    ///
    /// - Parameters:
    ///   - text: what was typed, in any case; commas say nothing.
    ///   - today: the day that words such as `friday` count from.
    package static func rule(_ text: String, today: CalendarDate) -> RoutineRule? {
        let words = text.lowercased().replacing(",", with: "").split(whereSeparator: \.isWhitespace)
        for place in words.indices.reversed().map({ $0 + 1 }) {
            let first = words[..<place].joined(separator: " ")
            let last = words[place...].joined(separator: " ")
            if let rule = days(first) {
                if last.isEmpty { return rule }
                if let end = end(last, today) { return ending(rule, end) }
            }
            // Either may stand first.
            if let end = end(first, today), let rule = days(last) { return ending(rule, end) }
        }
        return nil
    }

    private static let bare = [
        "daily": "every day", "weekly": "every week", "monthly": "every month", "weekdays": "every weekday",
        "weekends": "every weekend", "평일": "평일마다", "주말": "주말마다",
    ]

    private static func days(_ text: String) -> RoutineRule? {
        guard !text.isEmpty else { return nil }
        let forms = [text, text + "요일", bare[text] ?? "every " + text, "매주 " + text, "매주 " + text + "요일"]
        return forms.lazy.compactMap { RuleWords.rule($0) }.first
    }

    private static func ending(_ rule: RoutineRule, _ end: RoutineRule.End) -> RoutineRule {
        var rule = rule
        rule.end = end
        return rule
    }

    private static func end(_ text: String, _ today: CalendarDate) -> RoutineRule.End? {
        // A date may have its day of the week beside it, which says nothing more.
        let date = text.replacing(/^(until|till|til) (?:sun|mon|tue|wed|thu|fri|sat)[a-z]* (?=[a-z0-9]+ [0-9a-z]+)/) {
            "\($0.1) "
        }
        .replacing(/\ ?\([일월화수목금토]\)(?=까지$)/, with: "")
        if let day = RuleWords.end(date, today: today) { return .until(day) }
        if text == "once" { return .count(1) }
        let match = text.wholeMatch(of: /(?:for )?([1-9][0-9]{0,2}) times?|([1-9][0-9]{0,2})(?:번|회)/)
        return match.flatMap { Int($0.1 ?? $0.2 ?? "") }.map { .count($0) }
    }
}
