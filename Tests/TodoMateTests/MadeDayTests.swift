import Testing

@testable import TodoMate

@Suite("The days of routines of which todos were made")
struct MadeDayTests {
    private static let friday = CalendarDate("2026-11-20")!

    @Test(
        "are noted where the routine has them, each once, as the server does",
        arguments: [
            ("swim--20261120", [20]), ("swim--20261127", [20, 27]), ("swim--20261204", [20]), ("swim--20261121", [20]),
            ("swim--20261113", [20]), ("run--20261120", [20]), ("swim", [20]), ("swim--20261399", [20]),
        ]
    )
    func noted(_ id: String, _ days: [Int]) throws {
        // Fridays, the last one on the 27th.
        let rule = try RoutineRule("FREQ=WEEKLY;BYDAY=FR;UNTIL=20261130")
        var settings = AccountSettings(uid: "alice", audience: .private, visibility: .followers, feedSeen: 0)
        settings.routines = [
            Routine(id: "swim", content: "Swim", rule: rule, from: Self.friday, position: 1, made: [Self.friday])
        ]
        settings.noteMade(id)
        #expect(settings.routines[0].made.map(\.day) == days)
    }
}
