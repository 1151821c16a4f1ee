@testable import HTTPServing
@testable import TodoMate
@testable import TodoMateGateway

/// Queries that ask for days.
enum DayQueryFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        guard let pairs = PercentEncoding.query(String(decoding: bytes, as: UTF8.self)),
            let days = try? DayQuery.days(HTTPRequest(method: .get, path: "/", query: pairs))
        else { return }
        try require(
            CalendarDate.earliest <= days.lowerBound && days.upperBound <= CalendarDate.latest,
            "no todo may have the days \(days)"
        )
        let again = HTTPRequest(
            method: .get,
            path: "/",
            query: [("from", days.lowerBound.description), ("to", days.upperBound.description)]
        )
        try require(try DayQuery.days(again) == days, "\(days) reads back as other days")
        if let text = pairs.first(where: { $0.name == "month" })?.value {
            try require(CalendarMonth(text)?.days == days, "other days than \(text)")
        }
        for day in [days.lowerBound, days.upperBound] {
            try require(CalendarDate(daysSince1970: day.daysSince1970) == day, "\(day) counted is another day")
        }
    }
}
