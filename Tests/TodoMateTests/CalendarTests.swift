import Foundation
import Testing

@testable import TodoMate

@Suite("Calendar days and months")
struct CalendarTests {
    @Test(
        "reads real days in one form only",
        arguments: ["2026-11-20", "1900-01-01", "2999-12-31", "2024-02-29", "2000-02-29"]
    )
    func reads(_ text: String) throws {
        #expect(try #require(CalendarDate(text)).description == text)
    }

    @Test(
        "refuses everything else",
        arguments: [
            "", "2026-11-31", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "1899-12-31",
            "3000-01-01",
            "2026-1-1", "20261120", "2026/11/20", "2026-11-20 ", " 2026-11-20", "+026-11-20", "2026-11-2０",
            "2026-11--1",
        ]
    )
    func refuses(_ text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test("counts days as Foundation's calendar does, from 1900 to 2999")
    func agreesWithFoundation() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        for days in stride(
            from: CalendarDate.earliest.daysSince1970,
            through: CalendarDate.latest.daysSince1970,
            by: 97
        ) {
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekday],
                from: Date(timeIntervalSince1970: Double(days) * 86_400)
            )
            let date = CalendarDate(daysSince1970: days)
            #expect(
                [date.year, date.month, date.day, date.weekday + 1] == [
                    parts.year, parts.month, parts.day, parts.weekday,
                ]
            )
            #expect(date.daysSince1970 == days)
        }
    }

    @Test("takes the day from the time zone")
    func timeZones() throws {
        let instant = try Date("2026-11-20T16:30:00Z", strategy: .iso8601)
        #expect(CalendarDate(instant, in: try #require(TimeZone(identifier: "Asia/Seoul"))).description == "2026-11-21")
        #expect(CalendarDate(instant, in: .gmt).description == "2026-11-20")
        #expect(
            CalendarDate(instant, in: try #require(TimeZone(identifier: "America/Los_Angeles"))).description
                == "2026-11-20"
        )
    }

    @Test(
        "takes the day from the time zone where a midnight or a whole day is missing, or an hour comes twice",
        arguments: [
            ("America/Sao_Paulo", "2018-11-04T02:59:59Z", "2018-11-03"),
            ("America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04"),
            // Its last hour comes twice.
            ("America/Sao_Paulo", "2018-02-18T02:00:00Z", "2018-02-17"),
            ("America/Sao_Paulo", "2018-02-18T03:00:00Z", "2018-02-18"),
            ("Asia/Beirut", "2026-03-28T21:59:59Z", "2026-03-28"),
            ("Asia/Beirut", "2026-03-28T22:00:00Z", "2026-03-29"),
            ("Asia/Beirut", "2026-10-24T21:00:00Z", "2026-10-24"),
            ("Asia/Beirut", "2026-10-24T22:00:00Z", "2026-10-25"),
            ("Africa/Cairo", "2026-04-23T21:59:59Z", "2026-04-23"),
            ("Africa/Cairo", "2026-04-23T22:00:00Z", "2026-04-24"),
            ("Africa/Cairo", "2026-10-29T21:00:00Z", "2026-10-29"),
            ("Africa/Cairo", "2026-10-29T22:00:00Z", "2026-10-30"),
            ("Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29"),
            ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"),
        ]
    )
    func oddDays(_ zone: String, _ instant: String, _ day: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        #expect(CalendarDate(try Date(instant, strategy: .iso8601), in: zone).description == day)
    }

    @Test(
        "lays a month out as 42 days",
        arguments: [
            ("2026-11", 0, "2026-11-01"), ("2026-11", 1, "2026-10-26"), ("2026-02", 0, "2026-02-01"),
            ("2027-01", 1, "2026-12-28"),
        ]
    )
    func grid(_ month: String, _ firstWeekday: Int, _ first: String) throws {
        let month = try #require(CalendarMonth(month))
        let grid = month.grid(firstWeekday: firstWeekday)
        #expect(grid.count == 42)
        #expect(grid.first?.description == first)
        #expect(grid.first?.weekday == firstWeekday)
        #expect(
            Set(grid).isSuperset(of: sequence(first: month.firstDay) { $0 < month.lastDay ? $0.adding(days: 1) : nil })
        )
    }

    @Test("turns months over the year's end")
    func neighbours() throws {
        let december = try #require(CalendarMonth("2026-12"))
        #expect(december.next.description == "2027-01")
        #expect(december.next.previous == december)
        #expect(december.lastDay.description == "2026-12-31")
    }
}
