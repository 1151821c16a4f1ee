import Foundation
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("The moments of a day")
struct DayTests {
    @Test(
        "begin and end with it, however long it is",
        arguments: [
            ("GMT", "2026-11-20", "2026-11-20T00:00:00Z", 24.0),
            ("Asia/Seoul", "2026-11-20", "2026-11-19T15:00:00Z", 24),
            ("Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00Z", 24),
            // Begins at 01:00, and the last hour of a day comes twice.
            ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", 23),
            ("America/Sao_Paulo", "2018-11-03", "2018-11-03T03:00:00Z", 24),
            ("America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00:00Z", 25),
            ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z", 24),
            ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z", 23),
            ("Asia/Beirut", "2026-10-24", "2026-10-23T21:00:00Z", 25),
            ("Asia/Beirut", "2026-10-25", "2026-10-24T22:00:00Z", 24),
            ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", 23),
            ("Africa/Cairo", "2026-10-29", "2026-10-28T21:00:00Z", 25),
            // The hour after midnight is skipped, or comes twice.
            ("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z", 23),
            ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z", 25),
            ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", 23),
            ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", 25),
            // Half an hour, and a change that falls on the day before by its own clock.
            ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24.5),
            ("America/Scoresbysund", "2026-10-24", "2026-10-24T01:00:00Z", 25),
            // Over the date line: a day that never was.
            ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", 24),
            ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", 0),
            ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 24),
        ]
    )
    func moments(_ zone: String, _ day: String, _ beginning: String, _ hours: Double) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let day = try #require(CalendarDate(day))
        let moments = FeedReader.moments(of: day, in: zone)
        let first = Int(try Date(beginning, strategy: .iso8601).timeIntervalSince1970) * 1_000_000
        #expect(moments.lowerBound == first && moments.count == Int(hours * 3_600_000_000))
        #expect(FeedReader.beginning(of: day, in: zone) == first)
        // What it is called by the clock at each of its ends says the same.
        func name(_ microseconds: Int) -> CalendarDate {
            CalendarDate(Date(timeIntervalSince1970: Double(microseconds / 1_000_000)), in: zone)
        }
        for moment in [moments.lowerBound, moments.upperBound - 1_000_000] {
            #expect((name(moment) == day) == !moments.isEmpty)
        }
        #expect(name(moments.lowerBound - 1_000_000) < day && name(moments.upperBound) > day)
    }
}
