import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("Days as people write them")
struct RelativeDayTests {
    /// A Friday.
    private let today = CalendarDate("2026-11-20")!

    @Test(
        "mean a day, seen from today",
        arguments: [
            ("2026-11-20", "2026-11-20"), ("today", "2026-11-20"), ("Tomorrow", "2026-11-21"),
            ("yesterday", "2026-11-19"), ("어제", "2026-11-19"),
            ("fri", "2026-11-20"), ("FRIDAY", "2026-11-20"), ("sat", "2026-11-21"), ("thu", "2026-11-26"),
            ("thurs", "2026-11-26"), ("sun", "2026-11-22"), ("+3d", "2026-11-23"), ("-1d", "2026-11-19"),
            ("+2w", "2026-12-04"), ("-0d", "2026-11-20"), ("11-19", "2026-11-19"), ("11-20", "2026-11-20"),
            ("1-3", "2027-01-03"), ("05-21", "2027-05-21"), ("5-23", "2026-05-23"), ("02-29", nil),
        ] as [(String, String?)]
    )
    func days(text: String, expected: String?) {
        #expect(RelativeDay.day(text, today: today)?.description == expected)
    }

    @Test("mean the nearest such day of another year when this year has none")
    func leapDay() {
        #expect(RelativeDay.day("02-29", today: CalendarDate("2027-11-20")!)?.description == "2028-02-29")
    }

    @Test(
        "are no day otherwise",
        arguments: [
            "", "fr", "fridays", "day", "+d", "+3", "3d", "+3m", "+-3d", "+3 d", "13-01", "11-31", "0-1", "2026-02-29",
            "20.11.2026", "+400000d", "-400000d", "+999999w", "+99999999d", "todayy", "２-３",
        ]
    )
    func nonsense(text: String) {
        #expect(RelativeDay.day(text, today: today) == nil)
    }
}
