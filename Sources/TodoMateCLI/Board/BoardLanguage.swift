import Foundation
import TodoMate

/// The words of the board and the way in which its readers write days.
struct BoardLanguage: Sendable {
    let words: any BoardWords
    let locale: Locale

    init(words: any BoardWords = EnglishWords(), locale: Locale = Locale(identifier: "en_US")) {
        self.words = words
        self.locale = locale
    }

    /// The language of the environment, by `LC_ALL`, `LC_MESSAGES` and `LANG` as for every program; English where there are no texts in
    /// its language.
    init(environment: [String: String]) {
        let tag = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let parts = tag.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        let region = parts.dropFirst().first
        if parts.first == "ko" {
            self.init(words: KoreanWords(), locale: Locale(identifier: "ko_\(region ?? "KR")"))
        } else {
            self.init(locale: Locale(identifier: "en_\(region ?? "US")"))
        }
    }

    /// The day that a week begins with: 0 is Sunday.
    var firstWeekday: Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        return calendar.firstWeekday - 1
    }

    /// The short names of the weekdays, from Sunday on.
    var weekdays: [String] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        return calendar.shortStandaloneWeekdaySymbols
    }

    /// The whole names of the weekdays, from Sunday on.
    var longWeekdays: [String] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        return calendar.standaloneWeekdaySymbols
    }

    /// Such as "November 2026".
    func title(_ month: CalendarMonth) -> String { write(month.firstDay, style.month(.wide).year()) }

    /// Such as "Today" or "Sat, Nov 21".
    func name(_ day: CalendarDate, today: CalendarDate) -> String {
        nearName(day, today: today) ?? short(day, today: today)
    }

    /// Such as "Today", or nil for a day further away.
    func nearName(_ day: CalendarDate, today: CalendarDate) -> String? {
        switch day.daysSince1970 - today.daysSince1970 {
        case 0: words.today
        case 1: words.tomorrow
        case -1: words.yesterday
        default: nil
        }
    }

    /// Such as "Sat, Nov 21", or "Sun, Nov 21, 2027" in another year than today's.
    func short(_ day: CalendarDate, today: CalendarDate) -> String {
        write(day, style.weekday(.abbreviated).month(.abbreviated).day(), today: today)
    }

    /// Such as "Saturday, November 21", or "Sunday, November 21, 2027" in another year than today's.
    func long(_ day: CalendarDate, today: CalendarDate) -> String {
        write(day, style.weekday(.wide).month(.wide).day(), today: today)
    }

    /// Such as "Nov 21, 2026 at 9:41 AM", in the time zone of this machine.
    func time(_ time: Date) -> String {
        time.formatted(Date.FormatStyle(date: .abbreviated, time: .shortened, locale: locale))
    }

    private var style: Date.FormatStyle {
        Date.FormatStyle(locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: .gmt)
    }

    /// With the year, if it is another one than today's.
    private func write(_ day: CalendarDate, _ style: Date.FormatStyle, today: CalendarDate) -> String {
        write(day, day.year == today.year ? style : style.year())
    }

    private func write(_ day: CalendarDate, _ style: Date.FormatStyle) -> String {
        Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400).formatted(style)
    }
}
