import EventLoop
import Foundation
import TerminalUI
import Testing
import TodoMate
import TodoMateClient

@testable import TodoMateCLI

@Suite("What was only published, on the terminal board")
struct BoardOnlyShownTests {
    private let today = CalendarDate("2026-11-20")!

    /// Stored, published, stored.
    private func content(waiting: Bool = false) -> BoardContent {
        var todos = (0..<3).map { sampleTodo("todo \($0)", id: "t\($0)", on: today, position: Double($0)) }
        todos[1].revision = 0
        let user = BoardContent.User(
            uid: "alice",
            today: todos,
            month: [today: todos],
            todayPhase: .live,
            monthPhase: .live
        )
        let unsent = PendingChange(id: 1, kind: .added, state: .pending, todo: todos[1])
        return BoardContent(today: today, users: [user], unsent: waiting ? [unsent] : [])
    }

    private func press(_ keys: String, _ state: inout BoardState, _ content: BoardContent) -> [BoardEffect] {
        keys.flatMap { key -> [BoardEffect] in
            let effects = state.press(key == "⏎" ? KeyPress(.enter) : .character(key), content)
            state.follow(content)
            return effects
        }
    }

    private func state(_ content: BoardContent) -> BoardState {
        var state = BoardState(users: 1)
        state.follow(content)
        return state
    }

    @Test("no key changes it, and each says why", arguments: Array(" ixmT<>JKden#H"))
    func refused(key: Character) {
        let content = content()
        var state = state(content)
        #expect(press("j", &state, content).isEmpty && state.selected(content)?.id == "t1")
        #expect(press(String(key), &state, content).isEmpty)
        #expect(state.notice == .onlyShown("todo 1") && state.mode == .board)
        // The one beside it is changed by the same key, or answers something else.
        #expect(press("j", &state, content).isEmpty && state.selected(content)?.id == "t2")
        _ = press(String(key), &state, content)
        #expect(state.notice != .onlyShown("todo 1") && state.notice != .onlyShown("todo 2"))
    }

    @Test("one that waits to be sent is changed as every other")
    func waiting() {
        let content = content(waiting: true)
        var state = state(content)
        #expect(press("j ", &state, content).count == 1 && state.notice == nil)
    }

    @Test("its sign and its page say what it is, and it can be read")
    func read() throws {
        let content = content()
        var state = state(content)
        #expect(press("j⏎", &state, content).isEmpty)
        guard case .page(let page, _) = state.mode else {
            Issue.record("no page is open")
            return
        }
        let language = BoardLanguage()
        let lines = page.lines(width: 80, content, language).map(\.text)
        #expect(lines.contains { $0.contains("only shown") } && !lines.contains { $0.contains("1970") })
        let help = BoardPage.help.lines(width: 80, content, language).map(\.text)
        #expect(help.contains { $0.contains("◌ only shown") })
    }

    @Test("others move past it, to the next one that has a place")
    func past() {
        let content = content()
        var state = state(content)
        let effects = press("J", &state, content)
        guard case .write(let write) = effects.first else {
            Issue.record("nothing is written")
            return
        }
        #expect(write.id == "t0" && write.change == .place(.after("t2")))
    }

    @Test("a note of the day that was only published is not written over")
    func note() {
        var content = content()
        let note = DayNote.draft("published", on: today).todo(of: "alice", revision: 0)
        content.users[0].todaysNote = note
        var state = state(content)
        state.openNote(content)
        #expect(state.mode == .board && state.notice == .onlyShown("published"))
        content.users[0].todaysNote?.revision = 3
        state.openNote(content)
        #expect(state.mode != .board)
    }
}

extension TodoDraft {
    fileprivate func todo(of uid: String, revision: Int) -> Todo {
        let time = Date(timeIntervalSince1970: 0)
        return Todo(
            id: id ?? "",
            uid: uid,
            date: date,
            content: content,
            detail: detail,
            position: 0,
            revision: revision,
            createdAt: time,
            updatedAt: time
        )
    }
}
