import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("A week at a glance, on a terminal")
struct WeekChartTests {
    private let today = CalendarDate("2026-11-24")!
    private let goals = [
        Goal(id: "g2", name: "Work", color: .teal, position: 1, visibility: .private),
        Goal(id: "g1", name: "집\u{202E}안일", color: .red, position: 2, visibility: .private, isArchived: true),
    ]

    /// The chart of what is finished so many days before today, by goal.
    private func chart(
        _ counts: [Int: [String: Int]],
        _ width: Int = 60,
        _ language: BoardLanguage = BoardLanguage()
    ) -> [ScreenLine] {
        let counts = Dictionary(uniqueKeysWithValues: counts.map { (today.adding(days: -$0), $1) })
        let week = Week(until: today, counts, finishedDays: Set(counts.keys))
        return WeekChart(week: week, goals: goals, today: today, language: language).lines(width: width)
    }

    @Test("has a line a day with a square for each todo, and says what of which goal")
    func lines() {
        let lines = chart([0: ["g1": 1, "g2": 2, "": 1, "gone": 1], 1: ["": 3], 3: ["g2": 1]])
        #expect(
            lines.map(\.text) == [
                "Wed, Nov 18", "Thu, Nov 19", "Fri, Nov 20", "Sat, Nov 21  ■     1  Work 1", "Sun, Nov 22",
                "Yesterday    ■■■   3", "Today        ■■■■■ 5  Work 2 · 집\u{FFFD}안일 1 · No goal 2", "", "9 finished",
                "Something finished 2 days in a row",
            ]
        )
        let colors = lines[6].spans.filter { $0.text.hasPrefix("■") }.map(\.styles)
        #expect(colors == [[GoalColor.teal.style], [GoalColor.red.style], [.dim]])
    }

    @Test("is kind where there is nothing, and has no streak of a day")
    func nothing() {
        #expect(chart([:]).map(\.text).suffix(2) == ["", "What you finish will show here."])
        #expect(chart([0: ["": 1]]).map(\.text).suffix(2) == ["", "1 finished"])
        let korean = BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR"))
        #expect(chart([0: ["": 1], 1: ["": 1]], 60, korean).map(\.text).suffix(2) == ["2개 완료", "2일 연속 완료"])
    }

    @Test("fits whatever is finished into whatever width", arguments: [1, 5, 12, 20, 40, 79])
    func fits(_ width: Int) {
        for counts in [
            [:], [0: ["": 1]], [0: ["g1": 5000, "g2": 1], 6: ["": 10000, "g2": 1]], [3: ["g1": 1, "g2": 1, "": 1]],
        ] {
            let lines = chart(counts, width)
            #expect(lines.count >= 9 && lines.allSatisfy { $0.width <= width }, "\(lines.map(\.text))")
        }
    }
}
