import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("The note of the day on the terminal board")
struct BoardNoteTests {
    private let today = CalendarDate("2026-11-20")!
    private let yesterday = CalendarDate("2026-11-19")!

    private func note(_ detail: String, on day: CalendarDate? = nil, revision: Int = 1) -> Todo {
        let day = day ?? today
        var note = sampleTodo("📔", .incomplete, id: DayNote.id(of: day), on: day, detail: detail)
        (note.revision, note.visibility) = (revision, .private)
        return note
    }

    private func content(_ todays: Todo?, isReadOnly: Bool = false, on day: CalendarDate? = nil) -> BoardContent {
        let today = day ?? today
        let todos = [sampleTodo("milk", id: "t0", on: today)]
        var notes = todays.map { [today: $0] } ?? [:]
        notes[yesterday] = note("Before", on: yesterday)
        let user = BoardContent.User(
            uid: "alice",
            isReadOnly: isReadOnly,
            today: todos,
            month: [today: todos],
            todaysNote: todays,
            notes: notes,
            todayPhase: .live,
            monthPhase: .live
        )
        return BoardContent(today: today, users: [user])
    }

    private func press(_ keys: [KeyPress], _ state: inout BoardState, _ content: BoardContent) -> [BoardWrite] {
        keys.flatMap { key -> [BoardWrite] in
            let effects = state.press(key, content)
            state.follow(content)
            return effects.compactMap { if case .write(let write) = $0 { write } else { nil } }
        }
    }

    private func typed(_ text: String) -> [KeyPress] { text.map { KeyPress.character($0) } }
    private let enter = KeyPress(.enter)
    private var erase: [KeyPress] { Array(repeating: KeyPress(.backspace), count: 20) }

    private func purpose(_ state: BoardState) -> BoardPrompt.Purpose? {
        if case .prompt(let prompt) = state.mode { prompt.purpose } else { nil }
    }

    private func problem(_ state: BoardState) -> BoardNotice? {
        if case .prompt(let prompt) = state.mode { prompt.problem } else { nil }
    }

    @Test("is saved at the end of a month though the board shows the next one by then")
    func monthsEnd() throws {
        let (last, next) = (CalendarDate("2026-11-30")!, CalendarDate("2026-12-01")!)
        let before = note("Rain", on: last, revision: 3)
        var state = BoardState(users: 1)
        #expect(press(typed("y, tea"), &state, content(before, on: last)) == [])
        let asked = press([enter], &state, content(nil, on: next))
        #expect(asked.map(\.change) == [.patch(TodoPatch(detail: "Rain, tea"), expecting: before.written)])
        #expect(state.mode == .board)
    }

    /// What the note says when `y` is pressed, what is typed, and what is asked for.
    @Test("y writes, changes and empties it, and an undo takes that back")
    func write() throws {
        for (before, keys, expected, inverse) in [
            (nil, typed("Rain. "), .add(DayNote.draft("Rain.", on: today)), .remove),
            (note("Rain"), typed(", tea"), .patch(TodoPatch(detail: "Rain, tea"), expecting: note("").written), nil),
            (note("Rain"), erase, .remove, .add(DayNote.draft("Rain", on: today))), (note("Rain"), [], nil, nil),
            (nil, typed("  "), nil, nil), (nil, [], nil, nil),
        ] as [(Todo?, [KeyPress], BoardWrite.Change?, BoardWrite.Change?)] {
            let content = content(before)
            var state = BoardState(users: 1)
            let asked = press(typed("y") + keys + [enter], &state, content)
            #expect(asked.map(\.change) == (expected.map { [$0] } ?? []) && state.mode == .board)
            guard let write = asked.first else { continue }
            #expect(write.id == "note-of-2026-11-20" && write.uid == "alice")
            state.finished(write, nil)
            guard let inverse else { continue }
            var undone = press(typed("u"), &state, content).map(\.change)
            if case .add(var draft)? = undone.first {
                #expect(draft.position == 1)
                draft.position = nil
                undone = [.add(draft)]
            }
            #expect(undone == [inverse])
        }
    }

    @Test("is that of the day shown, and in Korean letters as well")
    func days() {
        let content = content(nil)
        var state = BoardState(users: 1)
        _ = press(typed("hㅛ"), &state, content)
        #expect(purpose(state) == .dayNote(uid: "alice", date: yesterday, before: note("Before", on: yesterday)))
        #expect(press(typed("!") + [enter], &state, content).map(\.id) == ["note-of-2026-11-19"])
    }

    /// What somebody has made of the note while one was typing.
    @Test("what was written elsewhere meanwhile is not overwritten unseen")
    func meanwhile() {
        for (before, now) in [
            (nil, note("Theirs", revision: 5)), (note("Rain"), note("Theirs", revision: 5)), (note("Rain"), nil),
        ] as [(Todo?, Todo?)] {
            var state = BoardState(users: 1)
            _ = press(typed("y") + typed("mine"), &state, content(before))
            #expect(press([enter], &state, content(now)) == [])
            #expect(problem(state) != nil, "says why")
            // Once more keeps mine.
            let asked = press([enter], &state, content(now)).map(\.change)
            let text = (before?.detail ?? "") + "mine"
            let expected: BoardWrite.Change =
                now.map { .patch(TodoPatch(detail: text), expecting: $0.written) }
                ?? .add(DayNote.draft(text, on: today))
            #expect(asked == [expected])
        }
    }

    @Test("what is refused stays to be sent again")
    func refused() throws {
        for (before, error) in [
            (nil, .exists("x")), (nil, .full("x")),
            (note("Rain"), .conflict("x", current: note("Theirs", revision: 5))),
            (note("Rain"), .notFound("x")), (note("Rain"), .unavailable("x")),
        ] as [(Todo?, TodoError)] {
            let content = content(before)
            var state = BoardState(users: 1)
            let write = try #require(press(typed("y") + typed("!") + [enter], &state, content).first)
            state.finished(write, error)
            guard case .prompt(let prompt) = state.mode, case .dayNote(_, _, let base) = prompt.purpose else {
                Issue.record("\(error) leaves no prompt")
                continue
            }
            #expect(prompt.editor.text == (before?.detail ?? "") + "!" && prompt.problem != nil)
            switch error {
            case .conflict: #expect(base?.detail == "Theirs")
            case .exists, .notFound: #expect(base == nil)
            default: #expect(base == before)
            }
        }
    }

    @Test("of others it is read and not written")
    func others() {
        var state = BoardState(users: 1)
        #expect(press(typed("y"), &state, content(note("Rain"), isReadOnly: true)) == [])
        #expect(state.mode == .page(.todo(id: "note-of-2026-11-20", uid: "alice"), scroll: 0))
        var other = BoardState(users: 1)
        _ = press(typed("y"), &other, content(nil, isReadOnly: true))
        #expect(other.mode == .board && other.notice == .noNote("alice", today))
    }

    @Test("stands below the list, in as few lines as there is room for", arguments: 8...24)
    func layout(_ rows: Int) {
        let long = (1...9).map { "line \($0)" }.joined(separator: "\n")
        let korean = BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR"))
        for (columns, language, heading) in [
            (80, BoardLanguage(), "Note of the day · private"), (30, korean, "일기 · 나만"),
        ] {
            var layout = BoardLayout(
                state: BoardState(users: 1),
                content: content(note(long)),
                connection: .live,
                language: language
            )
            let lines = layout.screen(TerminalSize(columns: columns, rows: rows)).lines.map(\.text)
            #expect(lines.count == rows)
            #expect(lines.contains { $0.contains("milk") }, "the todos come first")
            // Above the month of a narrow terminal there is less room.
            if rows >= (columns == 80 ? 16 : 20) {
                #expect(lines.contains { $0.contains(heading) }, "\(lines)")
                #expect(lines.contains { $0.contains("line 1") } && !lines.contains { $0.contains("line 5") })
            }
            layout.state.mode = .page(.todo(id: "note-of-2026-11-20", uid: "alice"), scroll: 0)
            let page = layout.screen(TerminalSize(columns: columns, rows: 40)).lines.map(\.text).joined(separator: "\n")
            #expect(page.contains("line 9") && !page.contains("×"))
        }
    }
}
