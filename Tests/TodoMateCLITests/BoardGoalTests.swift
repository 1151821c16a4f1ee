import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("Goals on the terminal board")
struct BoardGoalTests {
    private let today = CalendarDate("2026-11-20")!

    private func content(_ goal: String? = nil) -> BoardContent {
        var todo = sampleTodo("report", id: "t0", on: today)
        todo.goal = goal
        let goals = [
            Goal(id: "g1", name: "Work", color: .purple, position: 1, visibility: .private),
            Goal(id: "g2", name: "집안일", color: .teal, position: 2, visibility: .public),
            Goal(id: "g3", name: "Old", position: 3, visibility: .public, isArchived: true),
        ]
        return BoardContent(
            today: today,
            users: [
                BoardContent.User(uid: "alice", today: [todo], goals: goals, month: [today: [todo]], todayPhase: .live)
            ]
        )
    }

    private func press(_ keys: String, _ content: BoardContent) -> (BoardState, [BoardWrite.Change]) {
        var state = BoardState(users: 1)
        state.follow(content)
        var changes: [BoardWrite.Change] = []
        for key in keys {
            let press = key == "⏎" ? KeyPress(.enter) : key == "⌫" ? .character("u", .control) : .character(key)
            for effect in state.press(press, content) {
                if case .write(let write) = effect { changes.append(write.change) }
            }
        }
        return (state, changes)
    }

    @Test("are read from the line of a new todo, said beside it, and kept as text by Ctrl-T and after a refusal")
    func quickAdd() throws {
        let content = content()
        #expect(drafts(press("areport #work⏎", content).1) == ["report g1"])
        #expect(drafts(press("a#집안일 빨래⏎", content).1) == ["빨래 g2"])
        #expect(drafts(press("areport #old⏎", content).1) == ["report #old"])
        var (state, _) = press("areport #work", content)
        guard case .prompt(let prompt) = state.mode else { throw CancellationError() }
        #expect(prompt.newTodos(today, content.goals(for: prompt)).readings.map(\.words) == ["#work"])
        _ = state.press(.character("t", .control), content)
        let write = try #require(
            state.press(KeyPress(.enter), content).compactMap { if case .write(let write) = $0 { write } else { nil } }
                .first
        )
        #expect(drafts([write.change]) == ["report #work"])
        // What was not taken is offered as it was.
        state.finished(write, .full("no room"))
        let again = state.press(KeyPress(.enter), content).compactMap { effect -> BoardWrite.Change? in
            if case .write(let write) = effect { write.change } else { nil }
        }
        #expect(drafts(again) == ["report #work"])
    }

    private func drafts(_ changes: [BoardWrite.Change]) -> [String] {
        changes.compactMap {
            if case .add(let draft) = $0 {
                [draft.content, draft.goal].compactMap(\.self).joined(separator: " ")
            } else {
                nil
            }
        }
    }

    @Test(
        "a todo gets one by its name, another, or none, and u takes that back",
        arguments: [
            (nil, "#work⏎", "g1", ""), (nil, "#집안일⏎", "g2", ""), ("g1", "#⌫집안일⏎", "g2", "g1"), ("g2", "#⌫⏎", "", "g2"),
            ("gone", "#Old⏎", "g3", "gone"),
        ] as [(String?, String, String, String)]
    )
    func give(before: String?, keys: String, goal: String, undone: String) {
        let (state, changes) = press(keys + "u", content(before))
        #expect(changes == [.patch(TodoPatch(goal: goal)), .patch(TodoPatch(goal: undone))])
        #expect(state.mode == .board)
    }

    @Test("nothing is written where nothing changes, and a name that there is not stays to be repaired")
    func nothing() {
        for (goal, keys) in [(nil, "#⏎"), ("g1", "#⏎"), ("g1", "#⌫WORK⏎")] {
            let (state, changes) = press(keys, content(goal))
            #expect(changes.isEmpty && state.mode == .board)
        }
        let (state, changes) = press("#play⏎", content())
        guard case .prompt(let prompt) = state.mode else {
            Issue.record("the line stays")
            return
        }
        #expect(changes.isEmpty && prompt.problem == .noGoal("play") && prompt.editor.text == "play")
    }

    @Test("shows what todos are for where there is room, and which goals there are", arguments: [false, true])
    func looks(isKorean: Bool) {
        let language =
            isKorean ? BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR")) : BoardLanguage()
        func screen(_ keys: String, _ goal: String?, _ columns: Int = 80) -> String {
            let content = content(goal)
            let (state, _) = press(keys, content)
            let layout = BoardLayout(state: state, content: content, connection: .live, language: language)
            let lines = layout.screen(TerminalSize(columns: columns, rows: 24)).lines
            #expect(lines.allSatisfy { $0.width <= columns })
            return lines.map(\.text).joined(separator: "\n")
        }
        #expect(screen("o", "g2").contains("○ report #집안일"))
        #expect(!screen("o", nil).contains("report #") && !screen("", "gone").contains("report #"))
        #expect(screen("⏎", "g1").contains("· #Work"))
        #expect(screen("#", "g1").contains("Work, 집안일") && !screen("#", nil).contains("Old"))
        for columns in [20, 24, 30, 42] { for keys in ["", "o"] { _ = screen(keys, "g2", columns) } }
    }

    /// As the page's list of the same todos stands.
    private func day(_ goals: [String?], earlier: [Todo] = []) -> BoardContent {
        var content = content()
        let todos = zip("abcdefg", goals).enumerated().map { index, pair in
            var todo = sampleTodo(String(pair.0), id: String(pair.0), on: today, position: Double(index))
            todo.goal = pair.1
            return todo
        }
        (content.users[0].today, content.users[0].month, content.users[0].earlier) = (todos, [today: todos], earlier)
        return content
    }

    private func list(_ keys: String, _ content: BoardContent, rows: Int = 30, isKorean: Bool = false) -> [String] {
        let language =
            isKorean ? BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR")) : BoardLanguage()
        let (state, _) = press(keys, content)
        let layout = BoardLayout(state: state, content: content, connection: .live, language: language)
        let lines = layout.screen(TerminalSize(columns: 60, rows: rows)).lines.map(\.text)
        return lines.dropFirst(TodayColumn.headHeight).prefix { !$0.contains("November") && !$0.contains("11월") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("head what is for them, in their order, what is for none at the end; o tells them apart no more, and again")
    func groups() {
        let content = day(["g1", nil, "g2", "g1", "g3", "gone", "g1"])
        let byGoal = ["Work", "▸○ a", "○ d", "○ g", "집안일", "○ c", "Old", "○ e", "No goal", "○ b", "○ f"]
        #expect(list("", content) == byGoal)
        #expect(list("oo", content) == byGoal)
        #expect(
            list("o", content) == ["▸○ a #Work", "○ b", "○ c #집안일", "○ d #Work", "○ e #Old", "○ f", "○ g #Work"]
        )
        #expect(list("", content, isKorean: true).contains("목표 없음"))
        // Where none is for a goal that is known there is nothing to head.
        #expect(list("", day([nil, "gone"])) == ["▸○ a", "○ b"])
        #expect(list("", day(["g2", "g2"])) == ["집안일", "▸○ a", "○ b"])
        // Keys walk in the order that shows.
        #expect(list("jjj", content) == byGoal.map { $0 == "▸○ a" ? "○ a" : $0 == "○ c" ? "▸○ c" : $0 })
        #expect(list("/c⏎", content) == ["집안일", "▸○ c"])
        #expect(list("", day([])).count == 1, "only that there is nothing")
    }

    @Test("leave what is from earlier as it stands, which says its own")
    func earlierGroups() {
        var left = sampleTodo("left", id: "left", on: today.adding(days: -1))
        left.goal = "g2"
        let lines = list("", day([nil, "g1"], earlier: [left]))
        #expect(lines[1].hasPrefix("○ left #집안일"), "\(lines)")
        #expect(Array(lines.dropFirst(3)) == ["Work", "▸○ b", "No goal", "○ a"], "\(lines)")
    }

    @Test("keep todos among those of the same goal, unless todos stand in their own order")
    func moves() {
        let content = day(["g1", nil, "g2", "g1"])
        #expect(press("J", content).1 == [.place(.after("d"))])
        #expect(press("jK", content).1 == [.place(.before("a"))])
        for keys in ["jJ", "jjK", "jjJ", "jjjK"] {
            let (state, changes) = press(keys, content)
            guard case .orderedByGoal = state.notice else {
                Issue.record("\(keys): \(String(describing: state.notice))")
                continue
            }
            #expect(changes.isEmpty)
        }
        #expect(press("K", content).1.isEmpty && press("K", content).0.notice == nil)
        #expect(press("oJ", content).1 == [.place(.after("b"))])
    }

    @Test(
        "lend their colour to their name, to the heading of their todos and to the month's marks, wide and narrow",
        arguments: [(50, 30), (120, 24)],
        [nil, "g1", "g2", "g3", "gone"] as [String?]
    )
    func colors(size: (columns: Int, rows: Int), goal: String?) {
        let content = content(goal)
        let known = content.users[0].goals.first { $0.id == goal }
        for keys in ["", "o"] {
            let (state, _) = press(keys, content)
            let layout = BoardLayout(state: state, content: content, connection: .live, language: BoardLanguage())
            let spans = layout.screen(TerminalSize(columns: size.columns, rows: size.rows)).lines.flatMap(\.spans)
            let colored = spans.filter { span in known.map { span.styles.contains($0.color.style) } ?? false }
            #expect(colored.contains { $0.text == "○" } == (known != nil), "\(keys): a mark of the month")
            #expect(colored.contains { $0.text.contains(known?.name ?? "") } == (known != nil), "\(keys): the name")
            // The list's own mark says the status by its colour as well.
            #expect(spans.contains { $0.text == "○" && $0.styles.allSatisfy { $0 == .reverse } }, "\(keys)")
        }
    }

    @Test("leave a todo under way bold in the month, and what is for none its status's colour")
    func underWay() {
        var (mine, plain) = (sampleTodo("report", id: "t0", on: today), sampleTodo("rest", id: "t1", on: today))
        (mine.goal, mine.status, plain.status) = ("g1", .inProgress, .inProgress)
        let month = MonthPage(
            month: CalendarMonth(containing: today),
            todos: [today: [mine, plain]],
            today: today,
            day: today,
            goals: content().users[0].goals,
            language: BoardLanguage()
        )
        for width in [42, 112] {
            let marks = month.lines(width: width, height: 30).flatMap(\.spans).filter { $0.text == "◐" }.map(\.styles)
            #expect(marks == [[.bold, GoalColor.purple.style], [.bold, .underWay]], "\(width)")
        }
    }
}
