import Foundation
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("The terminal board")
struct BoardLayoutTests {
    private let today = CalendarDate("2026-11-20")!

    private func todo(_ content: String, _ status: TodoStatus = .todo, on date: CalendarDate? = nil) -> Todo {
        let time = Date(timeIntervalSince1970: 0)
        return Todo(
            id: "t",
            uid: "alice",
            date: date ?? today,
            content: content,
            status: status,
            position: 1,
            revision: 1,
            createdAt: time,
            updatedAt: time
        )
    }

    private func column(_ uid: String, _ todos: [Todo], _ phase: ViewModelPhase = .live) -> TodayColumn {
        TodayColumn(uid: uid, date: today, todos: todos, phase: phase)
    }

    private func page(_ todos: [Todo]) -> MonthPage {
        let month = CalendarMonth(containing: today)
        let byDay = Dictionary(grouping: todos, by: \.date)
        let cells = month.grid().map { date in
            TodosInMonthViewModel.Cell(date: date, isInMonth: month.days.contains(date), todos: byDay[date] ?? [])
        }
        return MonthPage(month: month, cells: cells, today: today)
    }

    @Test(
        "fills exactly the screen, whatever its size",
        arguments: [(20, 5), (40, 10), (71, 24), (72, 24), (80, 24), (200, 60), (5, 2)],
        [1, 3]
    )
    func fits(_ size: (columns: Int, rows: Int), _ users: Int) {
        let todos = (0..<40).map { todo("할 일 \($0) 🥛 mixed with e\u{301} text that is long") }
        let columns = (0..<users).map { column("user\($0)", todos) }
        let layout = BoardLayout(columns: columns, month: users == 1 ? page(todos) : nil, status: "live")
        let lines = layout.lines(TerminalSize(columns: size.columns, rows: size.rows), style: .none)
        #expect(lines.count == size.rows)
        #expect(lines.allSatisfy { $0.displayWidth <= max(size.columns, 21) })
    }

    @Test("shows a list with its marks and how much of it is done")
    func list() {
        let todos = [todo("a"), todo("b", .inProgress), todo("c", .complete), todo("d", .incomplete)]
        let lines = column("alice", todos).lines(width: 30, height: 7, style: .none)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines == ["alice · 2026-11-20 · 1/4", String(repeating: "─", count: 30), "○ a", "◐ b", "● c", "× d", ""]
        )
    }

    @Test("says how many todos do not fit")
    func overflow() {
        let lines = column("alice", (0..<9).map { todo("\($0)") }).lines(width: 20, height: 5, style: .none)
        #expect(lines.map { $0.trimmingCharacters(in: .whitespaces) }.suffix(3) == ["○ 0", "○ 1", "… 7 more"])
    }

    @Test("shows the month with its counts and first todos")
    func month() {
        let lines = page([todo("우유", on: CalendarDate("2026-11-10")!)]).lines(width: 70, height: 21, style: .none)
        #expect(lines[0].hasPrefix("2026-11 "))
        #expect(lines[6].contains("10 •1"))
        #expect(lines[7].contains("○우유"))
        #expect(lines.count == 21)
    }

    @Test("lets no control character of a todo reach the terminal")
    func safe() {
        let lines = column("alice", [todo("\u{1B}[2Jgone")]).lines(width: 30, height: 4, style: .none)
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test("says what it waits for")
    func phases() {
        #expect(column("a", [], .loading).lines(width: 30, height: 3, style: .none)[2].hasPrefix("loading"))
        #expect(column("a", []).lines(width: 30, height: 3, style: .none)[2].hasPrefix("nothing to do"))
        let failed = column("a", [], .failed(.unavailable("no Redis"))).lines(width: 30, height: 3, style: .none)
        #expect(failed[2].hasPrefix("no Redis"))
    }
}
