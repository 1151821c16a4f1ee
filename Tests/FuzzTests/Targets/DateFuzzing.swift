@testable import TodoMate

/// Days and months as commands, queries and bodies have them.
enum DateFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        if let date = CalendarDate(text) {
            // There is one way to write a day, so that two that differ are never the same.
            try require(date.description.utf8.elementsEqual(text.utf8), "'\(text)' is read as \(date)")
            try require(CalendarDate(daysSince1970: date.daysSince1970) == date, "\(date) counted is another day")
            let next = date.adding(days: 1)
            try require(date < next || date == .latest, "\(next) does not follow \(date)")
            try require(CalendarMonth(containing: date).days.contains(date), "\(date) is not in its month")
        }
        if let month = CalendarMonth(text) {
            try require(month.description.utf8.elementsEqual(text.utf8), "'\(text)' is read as \(month)")
            let (first, last) = (month.days.lowerBound, month.days.upperBound)
            try require((28...31).contains(last.daysSince1970 - first.daysSince1970 + 1), "\(month) has other days")
            try require(
                CalendarMonth(containing: first) == month && CalendarMonth(containing: last) == month,
                "\(month) ends in another month"
            )
        }
    }
}
