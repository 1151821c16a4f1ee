import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("What is left from earlier, on the terminal board")
struct BoardEarlierTests {
    private let today = CalendarDate("2026-11-20")!

    private func content(_ earlier: Int = 3, today count: Int = 2, users: Int = 1) -> BoardContent {
        let days = (0..<earlier).map { number in
            sampleTodo(
                "left \(number)",
                id: "e\(number)",
                on: today.adding(days: -1 - number / 2),
                position: Double(number),
                detail: number == 1 ? "a note" : ""
            )
        }
        let todays = (0..<count).map { sampleTodo("todo \($0)", id: "t\($0)", on: today, position: Double($0)) }
        let user = BoardContent.User(
            uid: "alice",
            today: todays,
            earlier: days,
            earlierCount: earlier,
            month: [today: todays],
            todayPhase: .live,
            monthPhase: .live
        )
        let others = (1..<users).map { BoardContent.User(uid: "user\($0)", todayPhase: .live, monthPhase: .live) }
        return BoardContent(today: today, users: [user] + others)
    }

    private func press(_ keys: String, _ state: inout BoardState, _ content: BoardContent) -> [BoardWrite] {
        keys.flatMap { key -> [BoardWrite] in
            let effects = state.press(key == "⏎" ? KeyPress(.enter) : .character(key), content)
            state.follow(content)
            return effects.compactMap { if case .write(let write) = $0 { write } else { nil } }
        }
    }

    private func state(_ content: BoardContent) -> BoardState {
        var state = BoardState(users: content.users.count)
        state.follow(content)
        return state
    }

    @Test(
        "keys begin at today's first todo and reach all that stands above",
        arguments: [("", "t0"), ("k", "e2"), ("kkk", "e0"), ("kkkk", "e0"), ("g", "e0"), ("gG", "t1"), ("gjjj", "t0")]
    )
    func walking(keys: String, id: String) {
        let content = content()
        var state = state(content)
        #expect(press(keys, &state, content).isEmpty)
        #expect(state.selected(content)?.id == id)
    }

    @Test("keys begin at the latest one where today has nothing, and not before today is read")
    func beginnings() {
        var content = content(today: 0)
        #expect(state(content).selected(content)?.id == "e2")
        content.users[0].todayPhase = .loading
        var waiting = state(content)
        #expect(waiting.selected(content) == nil)
        content.users[0].todayPhase = .live
        content.users[0].today = [sampleTodo("first", id: "t0", on: today)]
        waiting.follow(content)
        #expect(waiting.selected(content)?.id == "t0")
        content.users[0].earlier = []
        waiting.follow(content)
        #expect(waiting.selected(content)?.id == "t0")
    }

    @Test("stands above today alone, and not where it is filtered away")
    func places() {
        let content = content()
        var state = state(content)
        for (keys, ids) in [
            ("", ["e0", "e1", "e2", "t0", "t1"]), ("l", []), ("t", ["e0", "e1", "e2", "t0", "t1"]), ("h", []),
            ("t/left 2⏎", ["e2"]), ("/zzz⏎", []),
        ] {
            _ = press(keys, &state, content)
            #expect(state.todos(of: 0, content).map(\.id) == ids, "\(keys)")
        }
    }

    @Test("T moves one to today and goes on with the next, and with it every key that a todo has")
    func one() {
        let content = content()
        var state = state(content)
        let asked = press("gTTT", &state, content)
        #expect(asked.map(\.id) == ["e0", "e1", "e2"])
        #expect(asked.allSatisfy { $0.change == .patch(TodoPatch(date: today)) })
        #expect(state.notice == .moved("left 2", today, nil))
        #expect(
            press("u", &state, content).map(\.change) == [
                .patch(TodoPatch(date: today.adding(days: -2), position: 2))
            ]
        )
        #expect(press("GT", &state, content).isEmpty, "it is there already")
        #expect(press("g d", &state, content).map(\.change) == [.patch(TodoPatch(status: .complete)), .remove])
        // From any other day, too.
        _ = press("l", &state, content)
        var other = content
        let tomorrow = today.adding(days: 1)
        other.users[0].month[tomorrow] = [sampleTodo("soon", id: "s", on: tomorrow)]
        state.follow(other)
        #expect(press("T", &state, other).map(\.id) == ["s"])
    }

    @Test("E moves all to today, the oldest day first, once; and u takes that back at once")
    func all() {
        let content = content()
        var state = state(content)
        let asked = press("E", &state, content)
        #expect(asked.map(\.id) == ["e2", "e0", "e1"])
        #expect(asked.allSatisfy { $0.change == .patch(TodoPatch(date: today)) } && state.notice == .movedAll(3))
        #expect(press("E", &state, content).isEmpty && state.notice == .nothingEarlier, "all are on their way")
        for write in asked { state.finished(write, write.id == "e1" ? .unavailable("no Redis") : nil) }
        #expect(state.notice == .notSaved(.unavailable("no Redis")))
        let undone = press("u", &state, content)
        #expect(undone.map(\.id) == ["e0", "e2"], "what was not saved is not undone")
        #expect(undone.map(\.change).first == .patch(TodoPatch(date: today.adding(days: -1), position: 0)))
        #expect(state.notice == .undoneAll(2))
        #expect(press("u", &state, content).isEmpty && state.notice == .nothingToUndo)
    }

    @Test("E finds nothing on other days, in empty lists and behind a filter, and changes nobody else's")
    func nothing() {
        let content = content()
        for keys in ["lE", "/zzz⏎E"] {
            var state = state(content)
            #expect(press(keys, &state, content).isEmpty && state.notice == .nothingEarlier)
        }
        var state = state(content)
        #expect(press("/left 1⏎E", &state, content).map(\.id) == ["e1"])
        var others = self.content()
        others.users[0].isReadOnly = true
        state = self.state(others)
        #expect(press("E", &state, others).isEmpty && state.notice == .readOnly("alice"))
    }

    @Test("J and K move among those of the same day only")
    func order() {
        let content = content()
        var state = state(content)
        #expect(press("gJ", &state, content).map(\.change) == [.place(.after("e1"))])
        #expect(press("jJ", &state, content).isEmpty, "the next one is of another day")
        #expect(press("jJ", &state, content).isEmpty, "the next one is of today")
    }

    private func column(_ content: BoardContent, width: Int, height: Int, selected: Int?) -> [String] {
        TodayColumn(
            person: PublicPerson(uid: "alice"),
            day: today,
            today: today,
            todos: content.users[0].today,
            earlier: content.users[0].earlier,
            earlierCount: content.users[0].earlierCount,
            phase: .live,
            selected: selected,
            language: BoardLanguage()
        ).lines(width: width, height: height).map(\.text)
    }

    @Test("shows headings, days and notes, the days short where there is little room")
    func looks() {
        #expect(
            column(content(), width: 40, height: 11, selected: 3).dropFirst(3) == [
                " From earlier · 3", " ○ left 0                      Yesterday",
                " ○ left 1                    Yesterday ≡",
                " ○ left 2                    Wed, Nov 18", " Today", "▸○ todo 0", " ○ todo 1", "",
            ]
        )
        let narrow = column(content(), width: 29, height: 10, selected: 3)
        #expect(narrow[4] == " ○ left 0               11-19" && narrow[5] == " ○ left 1             11-19 ≡")
        #expect(column(content(), width: 24, height: 10, selected: 3)[4] == " ○ left 0")
        #expect(
            column(content(today: 0), width: 60, height: 10, selected: 0).dropFirst(7).first?.hasPrefix(" Today")
                == true
        )
        #expect(column(content(today: 0), width: 60, height: 10, selected: 0)[8].contains("Nothing planned"))
    }

    @Test("says how many todos do not fit, and always shows the selected one", arguments: 0..<12, [4, 5, 8])
    func overflow(selected: Int, height: Int) {
        let lines = column(content(7, today: 5), width: 40, height: 3 + height, selected: selected).dropFirst(3)
        #expect(lines.count == height)
        #expect(lines.contains { $0.hasPrefix("▸○ \(selected < 7 ? "left \(selected)" : "todo \(selected - 7)")") })
        let hidden = lines.compactMap { $0.firstMatch(of: /[↑↓] (\d+) more/).flatMap { Int($0.1) } }.reduce(0, +)
        let shown = lines.count { $0.contains("left ") || $0.contains("todo ") }
        // A selected todo at the edge has no note beside it.
        #expect(
            hidden + shown <= 12
                && (hidden + shown == 12 || lines.first?.hasPrefix("▸") == true || lines.last?.hasPrefix("▸") == true)
        )
    }

    @Test(
        "fits every screen in both languages, beside lists without any",
        arguments: [(20, 6), (24, 12), (50, 20), (80, 24), (120, 36), (200, 60)]
    )
    func fits(columns: Int, rows: Int) {
        for language in [BoardLanguage(), BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR"))] {
            for users in [1, 3] {
                for keys in ["", "g", "E", "/left⏎"] {
                    let content = content(30, today: 8, users: users)
                    var state = state(content)
                    _ = press(keys, &state, content)
                    let layout = BoardLayout(state: state, content: content, connection: .live, language: language)
                    let lines = layout.screen(TerminalSize(columns: columns, rows: rows)).lines
                    #expect(lines.count == rows && lines.allSatisfy { $0.width <= columns })
                }
            }
        }
    }

    @Test("is counted whole where more are left than are listed")
    func many() {
        var content = content(5)
        content.users[0].earlierCount = 212
        let layout = BoardLayout(state: state(content), content: content, connection: .live, language: BoardLanguage())
        let screen = layout.screen(TerminalSize(columns: 80, rows: 24)).lines.map(\.text)
        #expect(screen.contains { $0.contains("From earlier · 212") })
        #expect(screen.last?.contains("E all to today") == true)
    }
}
