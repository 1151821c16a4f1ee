import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("What was typed at the board and refused")
struct BoardRefusedTests {
    private let today = CalendarDate("2026-11-20")!

    /// What may have the keys when a refusal comes: the keys that open it, and those that leave it for the board.
    private static let modes: [(opens: [KeyPress], leaves: [KeyPress])] = [
        ([], []),
        (typed("anext"), typed("⏎")), (typed("anext"), [KeyPress(.escape)]), (typed("e!"), typed("⏎")),
        (typed("n!"), typed("⏎")),
        (typed("yslept well"), typed("⏎")), (typed("m2026-12-01"), typed("⏎")), (typed("#"), [KeyPress(.escape)]),
        (typed("/mi"), typed("⏎")), (typed("Smi"), [KeyPress(.escape)]),
        (typed("?"), typed("?")), (typed("w"), typed("q")), ([KeyPress(.enter)], [KeyPress(.escape)]),
        (typed("H"), [KeyPress(.escape)]), (typed("b"), typed("q")), (typed("!"), typed("!")),
        (typed("Smi⏎"), [KeyPress(.escape)]), (typed("Smi⏎S"), [KeyPress(.escape)]),
    ]

    private static func typed(_ text: String) -> [KeyPress] {
        text.map { $0 == "⏎" ? KeyPress(.enter) : .character($0) }
    }

    /// A board of alice, who has one todo today.
    private func board() -> (BoardState, BoardContent) {
        let milk = sampleTodo("milk", id: "t0", on: today)
        var ids = (1...99).map { "new\($0)" }[...]
        var state = BoardState(users: 1, makeID: { ids.popFirst() ?? "" })
        let user = BoardContent.User(uid: "alice", today: [milk], month: [today: [milk]])
        let content = BoardContent(today: today, users: [user])
        state.follow(content)
        return (state, content)
    }

    private func press(_ keys: [KeyPress], _ state: inout BoardState, _ content: BoardContent) -> [BoardWrite] {
        keys.flatMap { key in
            defer { state.follow(content) }
            return state.press(key, content)
        }.compactMap { if case .write(let write) = $0 { write } else { nil } }
    }

    @Test("Waits for whatever has the keys, and is then offered, one after the other", arguments: modes, [1, 3])
    func waiting(mode: (opens: [KeyPress], leaves: [KeyPress]), count: Int) throws {
        var (state, content) = board()
        let refusal = TodoError.unavailable("no Redis")
        let lines = ["one", "two", "three"].prefix(count)
        let pasted = KeyPress(.paste(lines.joined(separator: "\n")))
        let writes = press([.character("a"), pasted, KeyPress(.enter)], &state, content)
        try #require(writes.count == count)
        _ = press(mode.opens, &state, content)
        let before = state.mode
        for write in writes { state.finished(write, refusal) }
        if before != .board { #expect(state.mode == before, "nothing that is typed or read is disturbed") }
        _ = press(mode.leaves, &state, content)
        for (line, write) in zip(lines, writes) {
            guard case .prompt(let prompt) = state.mode else {
                Issue.record("'\(line)' is offered again, not \(state.mode)")
                return
            }
            #expect(prompt.editor.text == line && prompt.problem == .notSaved(refusal))
            let again = press(Self.typed("⏎"), &state, content)
            #expect(again.map(\.change) == [write.change])
        }
        #expect(state.mode == .board && state.notice?.isTrouble != true)
    }

    @Test("Is offered once the todo that was being read is gone")
    func goneWhileReading() throws {
        var (state, content) = board()
        let write = try #require(press(Self.typed("aone⏎k⏎"), &state, content).first)
        state.finished(write, .unavailable("no Redis"))
        #expect(state.mode == .page(.todo(id: "t0", uid: "alice"), scroll: 0))
        #expect(state.notice == .notSaved(.unavailable("no Redis")))
        (content.users[0].today, content.users[0].month) = ([], [:])
        state.follow(content)
        guard case .prompt(let prompt) = state.mode else {
            Issue.record("the words are offered, not \(state.mode)")
            return
        }
        #expect(prompt.editor.text == "one" && state.notice == nil)
    }

    @Test("Is thrown away by Escape, one at a time")
    func thrownAway() throws {
        var (state, content) = board()
        let pasted = KeyPress(.paste("one\ntwo"))
        let writes = press([.character("a"), pasted, KeyPress(.enter)], &state, content)
        for write in writes { state.finished(write, .full("no room")) }
        _ = press([KeyPress(.escape)], &state, content)
        guard case .prompt(let prompt) = state.mode else {
            Issue.record("the second is offered, not \(state.mode)")
            return
        }
        #expect(prompt.editor.text == "two")
        _ = press([KeyPress(.escape)], &state, content)
        #expect(state.mode == .board)
    }
}
