/// The days of a rule that begins on some day: the first on or after it that fits, and those that follow.
extension RoutineRule {
    /// Those of its days that lie among others, in order.
    package func days(from first: CalendarDate, in range: ClosedRange<CalendarDate>) -> [CalendarDate] {
        guard let last = last(from: first) else { return [] }
        var days: [CalendarDate] = []
        var day = next(from: first, onOrAfter: range.lowerBound)
        while let each = day, each <= min(range.upperBound, last) {
            days.append(each)
            day = each < .latest ? next(from: first, onOrAfter: each.adding(days: 1)) : nil
        }
        return days
    }

    /// Whether a day is one of its days.
    package func contains(_ day: CalendarDate, from first: CalendarDate) -> Bool {
        days(from: first, in: day...day) == [day]
    }

    /// Its last day at the latest; nil where it has no day at all.
    package func last(from first: CalendarDate) -> CalendarDate? {
        guard var day = next(from: first, onOrAfter: first) else { return nil }
        switch end {
        case nil: return .latest
        case .until(let last): return day <= last ? last : nil
        case .count(let count):
            for _ in 1..<count {
                guard day < .latest, let next = next(from: first, onOrAfter: day.adding(days: 1)) else { break }
                day = next
            }
            return day
        }
    }

    /// The day to count a rule from that was said on some day: of every other Friday the next Friday, in whichever week it lies.
    package func start(saidOn day: CalendarDate) -> CalendarDate {
        guard interval > 1 else { return day }
        let each = RoutineRule(frequency, weekdays: weekdays, monthDay: monthDay)
        return each.first(from: day)
    }

    /// Its first day where it is counted from some day, which need not be one of it: `every weekday` from a Saturday.
    package func first(from day: CalendarDate) -> CalendarDate { next(from: day, onOrAfter: day) ?? day }

    /// Its next day, wherever it ends; nil for none before ``CalendarDate/latest``.
    private func next(from first: CalendarDate, onOrAfter day: CalendarDate) -> CalendarDate? {
        let day = max(first, day)
        return switch frequency {
        case .daily: nextDay(first, day)
        case .weekly: nextOfWeek(first, day)
        case .monthly: nextOfMonth(first, day)
        }
    }

    private func nextDay(_ first: CalendarDate, _ day: CalendarDate) -> CalendarDate? {
        let passed = day.daysSince1970 - first.daysSince1970
        return Self.day(first.daysSince1970 + (passed + interval - 1) / interval * interval)
    }

    private func nextOfWeek(_ first: CalendarDate, _ day: CalendarDate) -> CalendarDate? {
        let weekday = (first.weekday + 6) % 7
        let days = weekdays.isEmpty ? [weekday] : weekdays
        let monday = first.daysSince1970 - weekday
        let number = day.daysSince1970
        let week = (number - monday) / 7
        if week % interval == 0, let weekday = days.first(where: { monday + week * 7 + $0 >= number }) {
            return Self.day(monday + week * 7 + weekday)
        }
        return Self.day(monday + (week / interval + 1) * interval * 7 + days[0])
    }

    private func nextOfMonth(_ first: CalendarDate, _ day: CalendarDate) -> CalendarDate? {
        let start = first.year * 12 + first.month - 1
        var month = start + (day.year * 12 + day.month - 1 - start) / interval * interval
        while month / 12 <= CalendarDate.latest.year {
            let (year, number) = (month / 12, month % 12 + 1)
            let dayOfMonth = monthDay ?? first.day
            let length = CalendarDate.days(inMonth: number, of: year)
            if let date = CalendarDate(year: year, month: number, day: dayOfMonth < 0 ? length : dayOfMonth),
                date >= day
            {
                return date
            }
            month += interval
        }
        return nil
    }

    private static func day(_ number: Int) -> CalendarDate? {
        number <= CalendarDate.latest.daysSince1970 ? CalendarDate(daysSince1970: number) : nil
    }
}
