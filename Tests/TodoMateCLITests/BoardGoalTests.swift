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
            Goal(id: "g1", name: "Work", position: 1, visibility: .private),
            Goal(id: "g2", name: "집안일", position: 2, visibility: .public),
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
        #expect(screen("", "g2").contains("○ report #집안일"))
        #expect(!screen("", nil).contains("report #") && !screen("", "gone").contains("report #"))
        #expect(screen("⏎", "g1").contains("· #Work"))
        #expect(screen("#", "g1").contains("Work, 집안일") && !screen("#", nil).contains("Old"))
        for columns in [20, 24, 30, 42] { _ = screen("", "g2", columns) }
    }
}
