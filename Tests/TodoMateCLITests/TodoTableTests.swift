import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("A list at a terminal")
struct TodoTableTests {
    private func todo(
        _ id: String,
        _ date: String,
        _ content: String,
        _ status: TodoStatus = .todo,
        detail: String = ""
    )
        -> Todo
    {
        Todo(
            id: id,
            uid: "alice",
            date: CalendarDate(date)!,
            content: content,
            detail: detail,
            status: status,
            position: 1,
            revision: 1,
            createdAt: Date(timeIntervalSince1970: 0),
            updatedAt: Date(timeIntervalSince1970: 0)
        )
    }

    private func text(_ todos: [Todo], width: Int = 80, style: StyleSupport = .none) -> String {
        TodoTable(todos: todos, today: CalendarDate("2026-11-20")!, width: width, style: style).text
    }

    @Test("shows what would put the text around it into another order instead of obeying it, as one line does")
    func reordering() throws {
        for value in Array(0x202A...0x202E) + Array(0x2066...0x2069) {
            let scalar = try #require(Unicode.Scalar(value))
            let todo = todo("t", "2026-11-20", "pay \(scalar)gpj.exe")
            for text in [text([todo]), todo.line] {
                #expect(text.contains("pay \u{FFFD}gpj.exe") && !text.unicodeScalars.contains(scalar))
            }
        }
    }

    @Test("goes day by day, with marks, the beginnings of ids, and how much is done")
    func days() {
        let todos = [
            todo("abcdefghijkl", "2026-11-19", "Rent", .complete), todo("t2", "2026-11-20", "우유 🥛", .inProgress),
            todo("abcdefgzzzzz", "2026-11-20", "Call", detail: "after six"),
            todo("t4", "2026-12-01", "No", .incomplete),
        ]
        #expect(
            text(todos) == """
                Thursday, November 19 · yesterday
                  abcdefgh  ● Rent

                Friday, November 20 · today
                  t2        ◐ 우유 🥛
                  abcdefgz  ○ Call ≡

                Tuesday, December 1
                  t4        × No

                1 of 4 done

                """
        )
    }

    @Test("groups each day by goals in their order, with what is for none, or for one that is gone, at the end")
    func goals() {
        var todos = [
            todo("t1", "2026-11-20", "Walk"), todo("t2", "2026-11-20", "Report"), todo("t3", "2026-11-20", "Lost"),
            todo("t4", "2026-11-20", "Call"), todo(DayNote.id(of: CalendarDate("2026-11-20")!), "2026-11-20", "Note"),
            todo("t5", "2026-11-21", "Rest"), todo("t6", "2026-11-22", "Swim"),
        ]
        (todos[0].goal, todos[1].goal, todos[2].goal, todos[3].goal) = ("health", "work", "gone", "work")
        todos[4].detail = "a note"
        todos[6].goal = "health"
        let goals = [("work", "Work"), ("health", "Health")].enumerated().map {
            Goal(id: $1.0, name: $1.1, position: Double($0), visibility: .followers)
        }
        let table = TodoTable(
            todos: todos,
            goals: goals,
            today: CalendarDate("2026-11-20")!,
            width: 80,
            style: .none
        ).text
        let lines = table.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        let shown = lines.map { line in line.split(separator: " ").last.map(String.init) ?? "" }
        #expect(
            shown == [
                "today", "Work", "Report", "Call", "Health", "Walk", "goal", "Lost", "note", "tomorrow", "Rest", "22",
                "Health", "Swim", "done",
            ]
        )
        // Where nothing is for any of them, there is nothing to group.
        #expect(
            text(Array(todos[5...5]))
                == TodoTable(
                    todos: Array(todos[5...5]),
                    goals: goals,
                    today: CalendarDate("2026-11-20")!,
                    width: 80,
                    style: .none
                ).text
        )
    }

    @Test("speaks Korean, and says the year of a day of another one")
    func korean() {
        var todos = [todo("t1", "2026-11-20", "우유", .complete), todo("t2", "2027-01-01", "휴식")]
        todos[1].visibility = .private
        let language = BoardLanguage(environment: ["LANG": "ko_KR.UTF-8"])
        let today = CalendarDate("2026-11-20")!
        let table = TodoTable(todos: todos, today: today, width: 80, style: .none, language: language)
        #expect(
            table.text == """
                11월 20일 금요일 · 오늘
                  t1  ● 우유

                2027년 1월 1일 금요일
                  t2  ○ 휴식  (나만)

                \(KoreanWords().done(1, of: 2))

                """
        )
        let nothing = TodoTable(todos: [], today: today, width: 80, style: .none, language: language)
        #expect(nothing.text == "할 일 없음\n")
        #expect(text(todos).contains("Friday, January 1, 2027\n"))
    }

    @Test("shows reactions behind the words, and short ids whole, as 'remove' wants them")
    func reactions() {
        var milk = todo("shopping-1", "2026-11-20", "Milk")
        milk.reactions = ["🎉": 2, "👍": 1]
        let line = text([milk]).split(separator: "\n")[1]
        #expect(line == "  shopping-1  ○ Milk  🎉 2  👍 1" || line == "  shopping-1  ○ Milk  👍 1  🎉 2")
        #expect(text([milk], width: 30).split(separator: "\n")[1].displayWidth <= 30)
    }

    @Test("marks what nobody else sees")
    func hidden() {
        var diary = todo("diary", "2026-11-20", "Diary", detail: "long")
        #expect(text([diary]).split(separator: "\n")[1] == "  diary  ○ Diary ≡")
        diary.visibility = .private
        #expect(text([diary]).split(separator: "\n")[1] == "  diary  ○ Diary ≡  (private)")
    }

    @Test("says so when it is empty")
    func empty() { #expect(text([]) == "nothing to do\n") }

    @Test("is never wider than the window, and obeys nothing that a todo contains", arguments: [24, 40, 80])
    func widths(width: Int) {
        let long = String(repeating: "긴 줄 ", count: 60)
        let lines = text(
            [todo("a", "2026-11-20", long, detail: "x"), todo("b", "2026-11-20", "\u{1B}[31mred")],
            width: width
        )
        .split(separator: "\n")
        #expect(lines.dropFirst().allSatisfy { $0.displayWidth <= width }, "\(lines)")
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test("shows a day's note behind its todos, and counts it as nothing to do")
    func notes() {
        let note = todo("note-of-2026-11-20", "2026-11-20", "📔", .incomplete, detail: "Rain.\nA walk.")
        let milk = todo("t1", "2026-11-20", "Milk", .complete)
        #expect(
            text([note, milk]) == """
                Friday, November 20 · today
                  t1      ● Milk
                  note-o    📔 Rain. A walk.

                1 of 1 done

                """
        )
        #expect(!text([note]).contains("done"))
    }
}
