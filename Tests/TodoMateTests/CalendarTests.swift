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
