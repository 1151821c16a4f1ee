/// What a user has finished in seven days, by day and goal, and on how many days in a row there was something.
///
/// A finished todo counts for its own day, whenever and wherever its status was set: so every reader counts alike, and what is moved
/// or opened again counts anew.
///
///     {"streak":3,"days":[{"date":"2026-11-18","finished":[{"goal":"g1","count":2},{"count":1}]},…]}
public struct Week: Sendable, Equatable, Codable {
    /// How many days it has.
    public static let length = 7
    /// The most days that a streak counts: it stands for so many or more.
    public static let longestStreak = 366

    /// What was finished of one goal, or of none.
    public struct Finished: Sendable, Equatable, Codable {
        /// The goal's id; nil for none.
        public var goal: String?
        /// How many todos.
        public var count: Int
    }

    /// One day.
    public struct Day: Sendable, Equatable, Codable {
        /// Which day.
        public var date: CalendarDate
        /// By the goals' ids, those without a goal last; empty where nothing was finished.
        public var finished: [Finished]

        /// How many todos of all goals.
        public var count: Int { finished.reduce(0) { $0 + $1.count } }
    }

    /// On how many days in a row something was finished: up to today, or up to yesterday while today has nothing yet.
    public var streak: Int
    /// The last seven days, today the last.
    public var days: [Day]

    /// The week that ends with a day.
    ///
    /// - Parameters:
    ///   - today: the reader's day.
    ///   - counts: how many todos are finished, by day and goal, an empty text for none; days out of the week are left out.
    ///   - finishedDays: the days with something finished, as far back as they follow one another.
    package init(
        until today: CalendarDate,
        _ counts: [CalendarDate: [String: Int]],
        finishedDays: Set<CalendarDate>
    ) {
        streak = Self.streak(until: today, finishedDays)
        days = Self.days(until: today).map { date in
            let finished = counts[date, default: [:]].sorted {
                ($0.key.isEmpty ? 1 : 0, $0.key) < ($1.key.isEmpty ? 1 : 0, $1.key)
            }
            return Day(
                date: date,
                finished: finished.map { Finished(goal: $0.key.isEmpty ? nil : $0.key, count: $0.value) }
            )
        }
    }

    /// The days of the week that ends with one.
    package static func days(until today: CalendarDate) -> [CalendarDate] {
        let last = today.daysSince1970
        return (max(last - length + 1, CalendarDate.earliest.daysSince1970)...last).map {
            CalendarDate(daysSince1970: $0)
        }
    }

    /// How many of these days follow one another up to a day, or up to the one before it.
    package static func streak(until today: CalendarDate, _ finishedDays: Set<CalendarDate>) -> Int {
        let last = (finishedDays.contains(today) ? today : today.adding(days: -1)).daysSince1970
        return (0..<longestStreak).prefix { back in
            last - back >= CalendarDate.earliest.daysSince1970
                && finishedDays.contains(CalendarDate(daysSince1970: last - back))
        }.count
    }

    /// How many todos were finished in all of it.
    public var count: Int { days.reduce(0) { $0 + $1.count } }

    /// The week as JSON, in exactly the spelling above.
    package var json: String {
        let days = days.map { day in
            JSONObject([
                "date": day.date.description,
                "finished": day.finished.map { JSONObject(["goal": $0.goal, "count": $0.count]) },
            ])
        }
        return JSONObject(["streak": streak, "days": days]).text
    }
}
