import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("The terminal board")
struct BoardLayoutTests {
    private let today = CalendarDate("2026-11-20")!
    private let english = BoardLanguage()
    private let korean = BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR"))

    private func todos(_ contents: String..., on date: CalendarDate? = nil) -> [Todo] {
        contents.enumerated().map { sampleTodo($1, id: "t\($0)", on: date ?? today, position: Double($0)) }
    }

    private func content(_ todos: [Todo], users: Int = 1) -> BoardContent {
        let month = Dictionary(grouping: todos, by: \.date)
        return BoardContent(
            today: today,
            users: (0..<users).map { number in
                BoardContent.User(
                    uid: users == 1 ? "alice" : "user\(number)",
                    today: month[today] ?? [],
                    month: month,
                    todayPhase: .live,
                    monthPhase: .live
                )
            }
        )
    }

    private func screen(
        _ content: BoardContent,
        _ columns: Int = 80,
        _ rows: Int = 24,
        keys: String = "",
        connection: BoardFooter.Connection = .live,
        language: BoardLanguage? = nil
    ) -> [String] {
        var state = BoardState(users: content.users.count)
        state.follow(content)
        for key in keys { _ = state.press(key == "⏎" ? KeyPress(.enter) : .character(key), content) }
        state.follow(content)
        let layout = BoardLayout(state: state, content: content, connection: connection, language: language ?? english)
        return layout.screen(TerminalSize(columns: columns, rows: rows)).lines.map(\.text)
    }

    private static let sizes: [(Int, Int)] = [
        (20, 6), (40, 10), (50, 20), (71, 24), (72, 24), (80, 24), (80, 10), (120, 36), (200, 60), (8, 3), (2, 2),
        (1, 1),
    ]

    @Test(
        "fills exactly the screen, whatever its size, language and state",
        arguments: sizes,
        ["", "?", "⏎", "a우유 사기", "m", "/일", "/zzz⏎", "d", "lll", "]]"]
    )
    func fits(_ size: (columns: Int, rows: Int), keys: String) {
        let many = (0..<40).map { number in
            sampleTodo(
                "할 일 \(number) 🥛 👩‍👩‍👧 mixed with e\u{301} text that is long",
                TodoStatus.allCases[number % 4],
                id: "t\(number)",
                on: today.adding(days: number / 20),
                detail: number % 2 == 0 ? "a note\nof two lines" : ""
            )
        }
        for (users, language) in [(1, english), (1, korean), (3, english), (9, korean)] {
            for connection in [BoardFooter.Connection.live, .refused("NOAUTH Authentication required."), .reconnecting]
            {
                var state = BoardState(users: users)
                let content = content(many, users: users)
                state.follow(content)
                for key in keys { _ = state.press(key == "⏎" ? KeyPress(.enter) : .character(key), content) }
                let layout = BoardLayout(state: state, content: content, connection: connection, language: language)
                let (lines, cursor) = layout.screen(TerminalSize(columns: size.columns, rows: size.rows))
                #expect(lines.count == size.rows)
                // In fewer columns than any window has, the terminal cuts.
                guard size.columns >= 20 else { continue }
                for line in lines { #expect(line.width <= size.columns, "\(line.text)") }
                if let cursor { #expect(cursor.column < size.columns && cursor.row < size.rows) }
            }
        }
    }

    @Test("shows a list with its marks, its notes and how much of it is done")
    func list() {
        let statuses: [(String, TodoStatus)] = [("a", .todo), ("b", .inProgress), ("c", .complete), ("d", .incomplete)]
        var todos = statuses.enumerated().map { sampleTodo($1.0, $1.1, id: "t\($0)", on: today) }
        todos[1].detail = "more"
        let column = TodayColumn(
            person: PublicPerson(uid: "alice"),
            day: today,
            today: today,
            todos: todos,
            phase: .live,
            selected: 2,
            language: english
        )
        let lines = column.lines(width: 32, height: 8).map(\.text)
        #expect(
            lines == [
                " alice               1 of 4 done", " Today  Friday, November 20", "━━━━━━━━────────────────────────",
                " ○ a",
                " ◐ b                           ≡", "▸● c", " × d", "",
            ]
        )
    }

    @Test("shows times before the words, in whatever width there is, and on a todo's own page")
    func times() {
        var todos = [sampleTodo("Call mum", id: "t0", on: today), sampleTodo("milk", id: "t1", on: today)]
        todos[0].time = TimeOfDay("09:30")
        let column = TodayColumn(
            person: PublicPerson(uid: "alice"),
            day: today,
            today: today,
            todos: todos,
            phase: .live,
            language: english
        )
        func rows(_ width: Int) -> [String] { column.lines(width: width, height: 5).suffix(2).map(\.text) }
        #expect(rows(24) == [" ○ 09:30 Call mum", " ○ milk"])
        #expect(rows(14) == [" ○ 09:30 Call…", " ○ milk"])
        for width in 1..<14 { #expect(rows(width).allSatisfy { $0.displayWidth <= max(width, 4) }, "\(width)") }
        #expect(screen(content(todos), keys: "⏎").contains { $0.contains("to do · Today 09:30 · alice") })
    }

    @Test(
        "says beside the line what was read from it, in both languages",
        arguments: ["acall mum tomorrow at 9:30", "a내일 9시 반 회의"]
    )
    func readings(keys: String) {
        let content = content(todos("milk"))
        let lines = screen(content, 120, keys: keys).suffix(2)
        #expect(lines.first?.hasPrefix(" Add to Tomorrow 09:30 › ") == true, "\(lines)")
        #expect(
            lines.last?.contains(
                keys.contains("call")
                    ? "tomorrow → Sat, Nov 21, at 9:30 → 09:30 · Ctrl-T" : "내일 → Sat, Nov 21, 9시 반 → 09:30"
            ) == true
        )
        let korean = screen(content, 120, keys: keys, language: korean).suffix(2)
        #expect(korean.last?.contains("09:30 · Ctrl-T 글로 두기 · Enter 저장") == true, "\(korean)")
        let long = "a" + String(repeating: "x", count: 460)
        #expect(screen(content, 120, keys: long).suffix(2).first?.hasSuffix(" 40") == true)
        #expect(screen(content, 120, keys: "abuy milk").suffix(2).first?.hasPrefix(" Add to Today › buy milk") == true)
    }

    @Test("says how people are called, beside who they are, and never more than there is room for", arguments: sizes)
    func people(columns: Int, rows: Int) {
        let names: [(String?, String?)] = [
            ("Alice Kim", "🦊"), ("김앨리스와 아주아주아주 긴 이름을 가진 사람입니다요", "👩‍👩‍👧"), (nil, "🇰🇷"), ("user0", nil),
            ("\u{1B}[2J\u{202E}evil", nil), (nil, nil),
        ]
        var board = content(todos("a", "b"), users: names.count)
        for (index, (name, face)) in names.enumerated() {
            board.users[index].known = PublicPerson(uid: "user\(index)", name: name, face: face)
        }
        for keys in ["", "a", "⏎", "l"] {
            // Where a prompt has room at all.
            guard keys != "a" || columns >= 8 else { continue }
            let lines = screen(board, columns, rows, keys: keys)
            for line in lines { #expect(line.displayWidth <= columns, "\(line)") }
            let text = lines.joined()
            #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
        }
        guard columns >= 200 else { return }
        let text = screen(board, columns, rows).joined(separator: "\n")
        for label in ["🦊 Alice Kim (user0)", "… (user1)", "🇰🇷 user2", "user0 (user3)", "␛[2J\u{FFFD}evil (user4)"] {
            #expect(text.contains(label), "\(label)")
        }
    }

    @Test("invites to add a todo only where that can be done", arguments: [false, true])
    func invitation(isReadOnly: Bool) {
        var board = content([])
        board.users[0].isReadOnly = isReadOnly
        let text = screen(board).joined()
        #expect(text.contains("Nothing planned.") == !isReadOnly)
        #expect(text.contains("Nothing on this day yet.") == isReadOnly)
    }

    @Test("says how many todos do not fit, and always shows the selected one", arguments: 0..<9)
    func overflow(selected: Int) {
        let todos = (0..<9).map { sampleTodo("todo \($0)", id: "t\($0)", on: today) }
        let column = TodayColumn(
            person: PublicPerson(uid: "alice"),
            day: today,
            today: today,
            todos: todos,
            phase: .live,
            selected: selected,
            language: english
        )
        let lines = column.lines(width: 24, height: 8).map(\.text).dropFirst(3)
        #expect(lines.contains("▸○ todo \(selected)"))
        let hidden = lines.compactMap { $0.firstMatch(of: /[↑↓] (\d+) more/).flatMap { Int($0.1) } }.reduce(0, +)
        #expect(hidden + lines.count { $0.contains("todo") } == 9)
    }

    @Test("shows the month with today, the day chosen, counts and first todos")
    func month() throws {
        let milk = todos("우유", "빵", on: CalendarDate("2026-11-10")!)
        var done = todos("x", on: CalendarDate("2026-11-11")!)
        done[0].status = .complete
        let lines = screen(content(milk + done), 120, 36)
        #expect(lines[0].contains("November 2026") && lines[0].hasSuffix("2 open"))
        #expect(lines[1].contains("Sun") && lines[1].contains("Sat"))
        #expect(lines.contains { $0.contains("[20]") })
        let week = try #require(lines.firstIndex { $0.contains(/10 +2 +11 +✓/) })
        #expect(lines[week + 1].contains("○ 우유") && lines[week + 1].contains("● x"))
        #expect(lines[week + 2].contains("○ 빵"))
    }

    @Test(
        "shows times in the month where words fit behind them",
        arguments: [(14, "○ 09:30 Cal…"), (13, "○ Call mum")]
    )
    func timesInMonth(cell: Int, row: String) throws {
        var todo = sampleTodo("Call mum", id: "t0", on: today)
        todo.time = TimeOfDay("09:30")
        let month = MonthPage(
            month: CalendarMonth(containing: today),
            todos: [today: [todo]],
            today: today,
            day: today,
            language: english
        )
        let lines = month.lines(width: cell * 7, height: 30).map(\.text)
        #expect(lines.contains { $0.trimmed == row }, "\(lines)")
    }

    @Test("keeps every column in place, whatever stands before it")
    func columns() {
        let plain = screen(content(todos("plain", "plain", "plain", "plain", "plain")))
        let wide = screen(content(todos("우유 사기 🥛", "👩‍👩‍👧 🇰🇷 ❤️", "e\u{301}e\u{301}e\u{301}", "क्ष नि", "１２３")))
        for (left, right) in zip(plain, wide) {
            let column = { (line: String) in line.components(separatedBy: "│").first?.displayWidth }
            #expect(column(left) == column(right))
        }
    }

    @Test("puts the month below the lists where it is too narrow, and leaves it out where it is too low")
    func narrow() throws {
        let board = content(todos("a"))
        let below = screen(board, 50, 20)
        let list = try #require(below.firstIndex { $0.contains("○ a") })
        let month = try #require(below.firstIndex { $0.contains("November 2026") })
        #expect(list < month)
        #expect(below.contains { $0.contains(" 30") }, "all weeks are there")
        #expect(!screen(board, 50, 12).contains { $0.contains("2026") })
    }

    @Test("fills the rule below the heads from edge to edge", arguments: 60...170)
    func rule(columns: Int) throws {
        for users in 1...4 {
            let rule = try #require(screen(content(todos("a"), users: users), columns, 40).dropFirst(2).first)
            #expect(rule.allSatisfy { "─┼".contains($0) } && (columns - 6...columns).contains(rule.count))
        }
    }

    @Test("shows lists side by side, as many as can be read, the one with the keys among them")
    func users() {
        let board = content(todos("a"), users: 5)
        #expect(screen(board, 200, 30)[0].contains(/user0.*user1.*user2.*user3.*user4.*November/))
        let some = screen(board, 80, 30)
        #expect(some[0].contains("user0") && some[0].contains("user2") && !some[0].contains("user3"))
        #expect(some.contains { $0.contains("2 more: Tab") })
        var state = BoardState(users: 5)
        for _ in 0..<4 { _ = state.press(KeyPress(.tab), board) }
        let layout = BoardLayout(state: state, content: board, connection: .live, language: english)
        #expect(layout.screen(TerminalSize(columns: 80, rows: 30)).lines[0].text.contains("user4"))
    }

    @Test("lets no control character of a todo reach the terminal")
    func safe() {
        let evil = [sampleTodo("\u{1B}[2Jgone", id: "t0", on: today, detail: "\u{1B}]0;x\u{7}")]
        for keys in ["", "⏎", "e", "n", "d", "m"] {
            #expect(!screen(content(evil), keys: keys).joined().unicodeScalars.contains { $0.value < 0x20 })
        }
    }

    @Test("says what it waits for, and what is wrong")
    func phases() {
        var board = content([])
        #expect(screen(board)[3].contains("Nothing planned"))
        #expect(screen(board, keys: "l")[3].contains("Nothing on this day"))
        #expect(screen(board, keys: "/x⏎")[3].contains("Nothing matches"))
        board.users[0].todayPhase = .loading
        #expect(screen(board)[3].contains("Loading"))
        board.users[0].todayPhase = .failed(.unavailable("no Redis"))
        #expect(screen(board)[3].contains("no Redis"))
        board.users[0].today = todos("old")
        let lines = screen(board)
        #expect(lines[3].contains("Not current: no Redis") && lines[4].contains("○ old"))
    }

    @Test("shows hints and the connection in the last line, the connection first where there is no room")
    func footer() {
        let board = content(todos("a"))
        #expect(screen(board).last?.hasPrefix(" ? help  a add  Space done") == true)
        #expect(screen(board).last?.hasSuffix("● Live") == true)
        #expect(screen(board, connection: .reconnecting).last?.hasSuffix("○ Reconnecting …") == true)
        let refused = screen(board, 50, 20, connection: .refused("NOAUTH Authentication required.")).last
        #expect(refused?.contains("× Refused: NOAUTH") == true)
        #expect(screen(board, keys: "d")[22] == " “a” deleted. Press u to undo.")
        #expect(screen(board, keys: "/a⏎")[22] == " Only “a”: 1 here. Esc shows all.")
        #expect(screen(board, keys: "acall")[22] == " Add to Today › call")
        #expect(screen(board, keys: "mnever⏎").last?.contains("“never” is not a day") == true)
        #expect(screen(board, keys: "lacall")[22] == " Add to Tomorrow › call")
    }

    @Test("tells all keys and signs on the help page, in both languages")
    func help() {
        for (language, words) in [(english, "delete it"), (korean, "삭제")] {
            let page = screen(content([]), 80, 60, keys: "?", language: language).joined(separator: "\n")
            #expect(page.contains(words) && page.contains("Ctrl-C") && page.contains("◐") && page.contains("PgUp"))
        }
    }

    @Test("shows all of one todo, its lines and long words folded")
    func page() {
        let word = String(repeating: "긴", count: 50)
        let todo = sampleTodo("Buy milk", .inProgress, id: "t0", on: today, detail: "first\n\n\(word)")
        let lines = screen(content([todo]), 50, 20, keys: "⏎")
        #expect(
            lines[0] == " Buy milk" && lines[1] == " ◐ in progress · Today · alice · for followers"
                && lines[3] == " first"
        )
        #expect(
            lines[5].count { $0 == "긴" } == 24 && lines[6].count { $0 == "긴" } == 24
                && lines[7].count { $0 == "긴" } == 2
        )
    }

    @Test("speaks Korean")
    func inKorean() {
        let lines = screen(content(todos("우유")), keys: "d", language: korean)
        #expect(lines[0].contains("2026년 11월") && lines[1].hasPrefix(" 오늘  11월 20일 금요일"))
        #expect(lines[1].contains("일") && lines[1].contains("토"))
        #expect(lines[22] == " “우유” 삭제됨. u 되돌리기")
        #expect(lines[23].hasSuffix("● 실시간"))
    }

    @Test(
        "takes language and customs from the environment",
        arguments: [
            ([:], "Today", 0), (["LANG": "C.UTF-8"], "Today", 0), (["LANG": "ko_KR.UTF-8"], "오늘", 0),
            (["LANG": "ko"], "오늘", 0), (["LANG": "en_GB.UTF-8"], "Today", 1), (["LANG": "de_DE.UTF-8"], "Today", 1),
            (["LANG": "en_US.UTF-8", "LC_ALL": "ko_KR.UTF-8"], "오늘", 0),
            (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "en_US.UTF-8", "LC_ALL": ""], "Today", 0),
        ]
    )
    func language(environment: [String: String], today: String, firstWeekday: Int) {
        let language = BoardLanguage(environment: environment)
        #expect(language.words.today == today && language.firstWeekday == firstWeekday)
        #expect(language.weekdays.count == 7)
    }
}
