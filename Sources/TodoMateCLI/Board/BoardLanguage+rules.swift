import Foundation
import TodoMate

extension BoardLanguage {
    /// A rule as the page says it, such as "every weekday, until Thu, Dec 31".
    ///
    /// - Parameters:
    ///   - from: The first day, which says what the rule leaves open; nil where that is not to be said.
    ///   - today: Where it ends in another year, the year is said.
    func said(_ rule: RoutineRule, from: CalendarDate?, today: CalendarDate) -> String {
        let every: String =
            switch (rule.interval, rule.weekdays) {
            case (1, [0, 1, 2, 3, 4]): words.everyWeekday
            case (1, [5, 6]): words.everyWeekend
            default: words.every(rule, on: weekdays(of: rule), monthDay: rule.monthDay ?? from?.day)
            }
        switch rule.end {
        case .until(let day): return every + ", " + words.until(short(day, today: today))
        case .count(let count): return every + ", " + words.soOften(count)
        case nil: return every
        }
    }

    /// The names of the days of a week that a rule names; nil for none.
    private func weekdays(of rule: RoutineRule) -> String? {
        guard !rule.weekdays.isEmpty else { return nil }
        let names = words.weekdays(self, isOne: rule.weekdays.count == 1)
        return rule.weekdays.map { names[($0 + 1) % 7] }.joined(separator: ", ")
    }
}

extension EnglishWords {
    var everyWeekday: String { "every weekday" }
    var everyWeekend: String { "every weekend" }

    func every(_ rule: RoutineRule, on weekdays: String?, monthDay: Int?) -> String {
        let count = rule.interval
        switch rule.frequency {
        case .daily: return count > 1 ? "every \(count) days" : "every day"
        case .weekly where count > 1: return "every \(count) weeks" + (weekdays.map { " on \($0)" } ?? "")
        case .weekly: return "every \(weekdays ?? "week")"
        case .monthly:
            let day = monthDay.map { $0 == -1 ? " on the last day" : " on the \(Self.ordinal($0))" }
            return (count > 1 ? "every \(count) months" : "every month") + (day ?? "")
        }
    }

    func soOften(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
    func weekdays(_ language: BoardLanguage, isOne: Bool) -> [String] { language.longWeekdays }

    private static func ordinal(_ day: Int) -> String {
        switch day {
        case 1, 21, 31: "\(day)st"
        case 2, 22: "\(day)nd"
        case 3, 23: "\(day)rd"
        default: "\(day)th"
        }
    }
}

extension KoreanWords {
    var everyWeekday: String { "평일마다" }
    var everyWeekend: String { "주말마다" }

    func every(_ rule: RoutineRule, on weekdays: String?, monthDay: Int?) -> String {
        let count = rule.interval
        switch rule.frequency {
        case .daily: return count > 1 ? "\(count)일마다" : "매일"
        case .weekly: return (count > 1 ? "\(count)주마다" : "매주") + (weekdays.map { " \($0)" } ?? "")
        case .monthly:
            let day = monthDay.map { $0 == -1 ? " 말일" : " \($0)일" }
            return (count > 1 ? "\(count)개월마다" : "매월") + (day ?? "")
        }
    }

    func soOften(_ count: Int) -> String { "\(count)번" }
    /// "월, 수" but "월요일".
    func weekdays(_ language: BoardLanguage, isOne: Bool) -> [String] {
        isOne ? language.longWeekdays : language.weekdays
    }
}
