import EventLoop
import RedisClient
import TodoMate

/// Counts what a user has finished of late, in parts that each hold Redis for a moment only.
@LoopActor
struct WeekReader {
    /// How many days are asked for at once that only say whether a streak goes on.
    private static let run = 28

    private let bulk: BulkConnection

    init(_ bulk: BulkConnection) { self.bulk = bulk }

    func week(of uid: String, until today: CalendarDate) async throws(TodoError) -> Week {
        var first = Week.days(until: today)[0]
        let counts = try await finished(first...today, "goals", of: uid)
        var days = Set(counts.keys)
        // Most streaks end within the week.
        let earliest = max(CalendarDate.earliest, today.adding(days: -Week.longestStreak))
        while first > earliest, Week.streak(until: today, days) >= today.daysSince1970 - first.daysSince1970 {
            let last = first.adding(days: -1)
            first = last.adding(days: 1 - Self.run)
            days.formUnion(try await finished(first...last, "days", of: uid).keys)
        }
        return Week(until: today, counts, finishedDays: days)
    }

    /// How many todos of these days are finished, by day and goal.
    private func finished(
        _ days: ClosedRange<CalendarDate>,
        _ what: String,
        of uid: String
    ) async throws(TodoError) -> [CalendarDate: [String: Int]] {
        let words = [String(days.lowerBound.ordinal), String(days.upperBound.ordinal), what]
        var counts: [CalendarDate: [String: Int]] = [:]
        var place: String?
        repeat {
            let reply = try await bulk.functions.call(
                "todomate_finished",
                uid,
                words + (place.map { [$0] } ?? []),
                readsOnly: true,
                isRepeatable: true
            )
            guard let part = reply.array, part.count % 3 == 2, let next = part[0].string, let goesOn = part[1].string
            else {
                throw .broken("todomate_finished answered something that is no count")
            }
            // What the part before ended with was moved meanwhile: its day is counted anew.
            if let day = place?.prefix(8), goesOn.isEmpty { counts[try Self.day(String(day))] = nil }
            for index in stride(from: 2, to: part.count, by: 3) {
                guard let day = part[index].string, let goal = part[index + 1].string,
                    let count = part[index + 2].integer
                else { throw .broken("todomate_finished answered something that is no count") }
                counts[try Self.day(day), default: [:]][goal, default: 0] += count
            }
            place = next.isEmpty ? nil : next
            await LoopActor.shareTurn()
        } while place != nil
        return counts
    }

    private static func day(_ ordinal: String) throws(TodoError) -> CalendarDate {
        let number = Int(ordinal) ?? 0
        guard let day = CalendarDate(year: number / 10_000, month: number / 100 % 100, day: number % 100) else {
            throw .broken(
                "the index of days has the day \(ordinal), which there is not: 'todomate doctor --repair' mends it"
            )
        }
        return day
    }
}
