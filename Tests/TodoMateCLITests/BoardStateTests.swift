import CommandArguments
import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("Keys at the board")
struct BoardStateTests {
    private let today = CalendarDate("2026-11-20")!

    /// A board of alice, who has three todos today, and of bob, who has none.
    private func board() -> (BoardState, BoardContent) {
        let todos = ["milk", "bread", "eggs"].enumerated().map { index, content in
            sampleTodo(content, id: "t\(index)", on: today, position: Double(index))
        }
        var ids = (1...9).map { "new\($0)" }[...]
        var state = BoardState(users: 2, makeID: { ids.popFirst() ?? "" }) { text in
            guard let day = CalendarDate(text) else { throw InvalidValue(expectation: "a day") }
            return day
        }
        let users = [
            BoardContent.User(uid: "alice", today: todos, month: [today: todos]), BoardContent.User(uid: "bob"),
        ]
        let content = BoardContent(today: today, users: users)
        state.follow(content)
        return (state, content)
    }

    private func writes(_ effects: [BoardEffect]) -> [BoardWrite] {
        effects.compactMap { if case .write(let write) = $0 { write } else { nil } }
    }

    /// Presses keys, the text letter by letter, and returns what was asked for.
    private func press(_ keys: [KeyPress], _ state: inout BoardState, _ content: BoardContent) -> [BoardEffect] {
        keys.flatMap { key in
            defer { state.follow(content) }
            return state.press(key, content)
        }
    }

    private func typed(_ text: String) -> [KeyPress] { text.map { $0 == "⏎" ? KeyPress(.enter) : .character($0) } }

    @Test(
        "Keys walk through the list and stop at its ends",
        arguments: [
            ("", "t0"), ("j", "t1"), ("jj", "t2"), ("jjjj", "t2"), ("jk", "t0"), ("k", "t0"), ("G", "t2"), ("Gg", "t0"),
            ("ㅓ", "t1"), ("ㅓㅓㅏ", "t1"),
        ]
    )
    func walking(keys: String, id: String) {
        var (state, content) = board()
        #expect(press(typed(keys), &state, content) == [])
        #expect(state.selected(content)?.id == id)
    }

    @Test(
        "A list that can only be looked at opens no prompt and is not changed",
        arguments: ["a", "e", "n", " ", "x", "m", "<", ">", "J", "K", "d"]
    )
    func readOnly(key: String) {
        var (state, content) = board()
        content.users[0].isReadOnly = true
        #expect(press(typed(key), &state, content) == [])
        #expect(state.mode == .board && state.notice == .readOnly("alice"))
        _ = press([KeyPress(.tab)] + typed("a"), &state, content)
        #expect(state.mode != .board, "the other list is one's own")
    }

    @Test("The selected todo stays selected while others come and go, and its neighbour follows when it goes")
    func following() {
        var (state, content) = board()
        _ = press(typed("j"), &state, content)
        content.users[0].today.insert(sampleTodo("first", id: "t9", on: today, position: -1), at: 0)
        state.follow(content)
        #expect(state.selected(content)?.id == "t1")
        content.users[0].today.removeAll { $0.id == "t9" || $0.id == "t1" }
        state.follow(content)
        #expect(state.selected(content)?.id == "t2")
        content.users[0].today = []
        state.follow(content)
        #expect(state.selected(content) == nil)
        #expect(press(typed("jkeG d"), &state, content) == [])
        #expect(state.notice == .nothingSelected)
    }

    @Test(
        "Keys change the selected todo",
        arguments: [
            (" ", .patch(TodoPatch(status: .complete))), ("i", .patch(TodoPatch(status: .inProgress))),
            ("x", .patch(TodoPatch(status: .incomplete))),
            ("d", .remove), (">", .patch(TodoPatch(date: CalendarDate("2026-11-21")!))),
            ("<", .patch(TodoPatch(date: CalendarDate("2026-11-19")!))), ("J", .place(.after("t1"))),
            ("e!⏎", .patch(TodoPatch(content: "milk!"))), ("nat the shop⏎", .patch(TodoPatch(detail: "at the shop"))),
            ("m2026-12-01⏎", .patch(TodoPatch(date: CalendarDate("2026-12-01")!))),
            ("m9:30⏎", .patch(TodoPatch(time: .set(TimeOfDay("09:30")!)))),
            ("m2026-12-01 9PM⏎", .patch(TodoPatch(date: CalendarDate("2026-12-01")!, time: .set(TimeOfDay("21:00")!)))),
            (
                "m오후 3시 2026-12-01⏎",
                .patch(TodoPatch(date: CalendarDate("2026-12-01")!, time: .set(TimeOfDay("15:00")!)))
            ),
            ("m2026-11-20 at 9:30⏎", .patch(TodoPatch(time: .set(TimeOfDay("09:30")!)))),
        ] as [(String, BoardWrite.Change)]
    )
    func changing(keys: String, change: BoardWrite.Change) throws {
        var (state, content) = board()
        let asked = writes(press(typed(keys), &state, content))
        let write = try #require(asked.first)
        #expect(asked.count == 1)
        #expect(write.change == change && write.id == "t0" && write.uid == "alice")
        #expect(state.unanswered == 1 && state.mode == .board)
    }

    @Test(
        "Each key gives its status, or takes it away again",
        arguments: TodoStatus.allCases,
        [(" ", TodoStatus.complete), ("i", .inProgress), ("x", .incomplete)]
    )
    func statuses(before: TodoStatus, _ key: (name: String, gives: TodoStatus)) {
        var (state, content) = board()
        content.users[0].today[0].status = before
        let asked = writes(press(typed(key.name), &state, content))
        #expect(asked.map(\.change) == [.patch(TodoPatch(status: before == key.gives ? .todo : key.gives))])
    }

    @Test("On a slow line each key counts, before the change shows")
    func slowLine() {
        var (state, content) = board()
        let asked = writes(press(typed("i  x"), &state, content)).map(\.status)
        #expect(asked == [.inProgress, .complete, .todo, .incomplete])
        #expect(writes(press(typed("jddd"), &state, content)).map(\.id) == ["t1"])
        #expect(state.notice == .deleted("bread") && state.unanswered == 5)
    }

    @Test("What is deleted says whether reactions go with it, which do not come back", arguments: [[:], ["🎉": 2]])
    func reactions(reactions: [String: Int]) {
        var (state, content) = board()
        content.users[0].today[0].reactions = reactions
        let milk = content.users[0].today[0].content
        #expect(writes(press(typed("d"), &state, content)).map(\.change) == [.remove])
        #expect(state.notice == (reactions.isEmpty ? .deleted(milk) : .deletedForGood(milk)))
        for words in [EnglishWords(), KoreanWords()] as [any BoardWords] {
            let text = words.notice(.deletedForGood(milk)) { $0.description }
            #expect(text.contains("reactions") || text.contains("반응"))
        }
    }

    @Test(
        "Nothing is written where nothing changes",
        arguments: ["e⏎", "n⏎", "m⏎", "m2026-11-20⏎", "mnone⏎", "m2026-11-20 none⏎", "m없음⏎", "a⏎", "a   ⏎", "K", "GJ"]
    )
    func unchanged(keys: String) {
        var (state, content) = board()
        #expect(press(typed(keys), &state, content) == [])
        #expect(state.mode == .board)
    }

    @Test("Escape leaves a line untyped")
    func escape() {
        for keys in ["anew", "e and more", "nx", "m2026-12-01"] {
            var (state, content) = board()
            #expect(press(typed(keys) + [KeyPress(.escape)], &state, content) == [])
            #expect(state.mode == .board)
        }
    }

    @Test("A new todo goes to the day shown and is selected once it is there")
    func adding() {
        var (state, content) = board()
        _ = press([KeyPress(.right)], &state, content)
        let write = writes(press(typed("a call  mum ⏎"), &state, content)).first
        let tomorrow = CalendarDate("2026-11-21")!
        #expect(write?.change == .add(TodoDraft(id: "new1", date: tomorrow, content: "call  mum")))
        let others = [sampleTodo("before", id: "b", on: tomorrow)]
        content.users[0].month[tomorrow] = others
        state.follow(content)
        content.users[0].month[tomorrow] = others + [sampleTodo("call  mum", id: "new1", on: tomorrow)]
        state.follow(content)
        #expect(state.selected(content)?.id == "new1")
    }

    private let nine = TimeOfDay("09:30")!

    @Test("A todo stands where its time puts it, and says so when it is moved elsewhere")
    func orderedByTime() {
        var (state, content) = board()
        content.users[0].today[0].time = nine
        state.follow(content)
        #expect(press(typed("J"), &state, content) == [] && state.notice == .orderedByTime("milk"))
        #expect(press(typed("jK"), &state, content) == [] && state.notice == .orderedByTime("bread"))
        #expect(writes(press(typed("J"), &state, content)).first?.change == .place(.after("t2")))
        // Its time can be taken away, and comes back.
        let asked = writes(press(typed("gmnone⏎u"), &state, content))
        #expect(asked.map(\.change) == [.patch(TodoPatch(time: .remove)), .patch(TodoPatch(time: .set(nine)))])
        #expect(
            writes(press(typed("du"), &state, content)).last?.change
                == .add(
                    TodoDraft(id: "t0", date: today, time: nine, content: "milk", position: 0, visibility: .followers)
                )
        )
    }

    private func drafts(_ effects: [BoardEffect]) -> [TodoDraft] {
        writes(effects).compactMap { if case .add(let draft) = $0.change { draft } else { nil } }
    }

    private func prompt(_ state: BoardState) -> BoardPrompt? {
        if case .prompt(let prompt) = state.mode { prompt } else { nil }
    }

    @Test("A new todo is for the day and time that its words say, and says so where that is another day")
    func reading() {
        var (state, content) = board()
        let tomorrow = today.adding(days: 1)
        let added = drafts(press(typed("acall mum tomorrow at 9:30⏎"), &state, content))
        #expect(added == [TodoDraft(id: "new1", date: tomorrow, time: nine, content: "call mum")])
        #expect(state.notice == .added("call mum", tomorrow, nine))
        #expect(drafts(press(typed("a9시 반 회의⏎"), &state, content)).map(\.date) == [today])
        #expect(state.notice == nil)
        // From the day that shows, only what is not said is taken; words count from today.
        let shown = drafts(press(typed("lla9:30 run⏎atomorrow run⏎"), &state, content))
        #expect(shown.map(\.date) == [today.adding(days: 2), tomorrow])
    }

    @Test("Ctrl-T keeps what was read as text, the last words first, and reads all of them again after the first")
    func asText() {
        var (state, content) = board()
        let key = KeyPress.character("t", .control)
        func read() -> [String] { prompt(state)?.newTodos(today).readings.map(\.words) ?? [] }
        _ = press(typed("acall mum tomorrow at 9:30"), &state, content)
        #expect(read() == ["tomorrow", "at 9:30"])
        for due in [[], ["tomorrow", "at 9:30"]] {
            _ = press([key], &state, content)
            #expect(read() == due, "behind words that stay text nothing is read")
        }
        _ = press([key] + typed("⏎"), &state, content)
        let asked = drafts(press(typed("atomorrow call mum fri") + [key], &state, content))
        #expect(asked.isEmpty && read() == ["tomorrow"])
        _ = press([key], &state, content)
        #expect(read() == [])
        // What was typed over may be read again.
        _ = press([.character("w", .control)] + typed("fri"), &state, content)
        #expect(read() == ["fri"])
        let added = drafts(press(typed("⏎"), &state, content))
        #expect(added.map(\.content) == ["tomorrow call mum"])
    }

    @Test("Several pasted lines are several todos, each read by itself, and none is lost")
    func pasted() {
        var (state, content) = board()
        let text = "milk\ttomorrow\n\n  call mum 9:30\r\n\n우유\n"
        let added = drafts(press(typed("a") + [KeyPress(.paste(text)), KeyPress(.enter)], &state, content))
        #expect(added.map(\.content) == ["milk", "call mum", "우유"] && Set(added.compactMap(\.id)).count == 3)
        #expect(added.map(\.date) == [today.adding(days: 1), today, today] && added.map(\.time) == [nil, nine, nil])
        for (text, problem) in [
            (Array(repeating: "x", count: 51).joined(separator: "\n"), BoardNotice.tooManyLines(51)),
            ("short\n" + String(repeating: "x", count: 501), .tooLong(501)),
        ] {
            #expect(press(typed("a") + [KeyPress(.paste(text)), KeyPress(.enter)], &state, content) == [])
            #expect(prompt(state)?.problem == problem && prompt(state)?.editor.text == text)
            _ = press([KeyPress(.escape)], &state, content)
        }
    }

    @Test("A new todo that was not saved comes back with its day and time, and its words stay as they are")
    func retryReading() throws {
        var (state, content) = board()
        let key = KeyPress.character("t", .control)
        let add = try #require(
            writes(press(typed("afri call mum tomorrow 9:30") + [key, key, key] + typed("⏎"), &state, content)).first
        )
        state.finished(add, .unavailable("no Redis"))
        let again = try #require(writes(press(typed("⏎"), &state, content)).first)
        #expect(again.change == add.change)
        let timed = try #require(writes(press(typed("acall mum tomorrow 9:30⏎"), &state, content)).first)
        state.finished(timed, .unavailable("no Redis"))
        #expect(try #require(writes(press(typed("⏎"), &state, content)).first).change == timed.change)
    }

    @Test("Words that are missing or no day are refused, and stay to be repaired")
    func refusals() {
        var (state, content) = board()
        #expect(press(typed("e") + [.character("u", .control), KeyPress(.enter)], &state, content) == [])
        guard case .prompt(let prompt) = state.mode else {
            Issue.record("the line stays")
            return
        }
        #expect(prompt.problem == .empty)
        #expect(
            writes(press(typed("oat milk⏎"), &state, content)).first?.change == .patch(TodoPatch(content: "oat milk"))
        )

        #expect(press(typed("msomeday⏎"), &state, content) == [])
        if case .prompt(let prompt) = state.mode {
            #expect(prompt.problem == .noDay("someday") && prompt.editor.text == "someday")
        } else {
            Issue.record("the line stays")
        }
    }

    @Test(
        "u takes back what was done, the last first",
        arguments: [
            (
                "d",
                .add(
                    TodoDraft(
                        id: "t0",
                        date: CalendarDate("2026-11-20")!,
                        content: "milk",
                        position: 0,
                        // Not what new todos get: what only its owner could see must not come back for others.
                        visibility: .followers
                    )
                )
            ),
            (" ", .patch(TodoPatch(status: .incomplete))),
            ("e!⏎", .patch(TodoPatch(content: "milk"))),
            (">", .patch(TodoPatch(date: CalendarDate("2026-11-20")!, position: 0))),
            ("J", .patch(TodoPatch(date: CalendarDate("2026-11-20")!, position: 0))),
            ("anew⏎", .remove),
        ] as [(String, BoardWrite.Change)]
    )
    func undo(keys: String, inverse: BoardWrite.Change) throws {
        var (state, content) = board()
        let asked = writes(press(typed("x" + keys + "uuu"), &state, content))
        try #require(asked.count == 4)
        #expect(asked[2].change == inverse && asked[2].id == asked[1].id)
        #expect(asked[3].change == .patch(TodoPatch(status: .todo)))
        #expect(state.notice == .nothingToUndo)
        #expect(Set(asked.map(\.number)).count == 4)
    }

    @Test("What was not saved is not undone, and an undo that failed can be tried again")
    func failedUndo() throws {
        var (state, content) = board()
        let remove = try #require(writes(press(typed("d"), &state, content)).first)
        state.finished(remove, .unavailable("no Redis"))
        #expect(state.notice == .notSaved(.unavailable("no Redis")))
        #expect(press(typed("u"), &state, content) == [])

        let status = try #require(writes(press(typed(" "), &state, content)).first)
        state.finished(status, nil)
        let undo = try #require(writes(press(typed("u"), &state, content)).first)
        state.finished(undo, .unavailable("no Redis"))
        #expect(writes(press(typed("u"), &state, content)).first?.change == undo.change)
        #expect(state.unanswered == 1)
    }

    @Test("Words that could not be saved are offered again, a new todo under the same id")
    func retry() throws {
        var (state, content) = board()
        let add = try #require(writes(press(typed("acall mum⏎"), &state, content)).first)
        state.finished(add, .unavailable("no Redis"))
        #expect(state.notice == nil, "the line itself says what is wrong")
        let again = try #require(writes(press(typed("⏎"), &state, content)).first)
        #expect(again.change == add.change && again.id == add.id)
        state.finished(again, .exists("another todo"))
        let other = try #require(writes(press(typed("!⏎"), &state, content)).first)
        #expect(other.id != add.id)

        let edit = try #require(writes(press(typed("ge!⏎"), &state, content)).first)
        var changed = content.users[0].today[0]
        (changed.content, changed.revision) = ("soy milk", 7)
        content.users[0].today[0] = changed
        state.finished(edit, .conflict("changed", current: changed))
        guard case .prompt(let prompt) = state.mode else {
            Issue.record("the words are offered again")
            return
        }
        #expect(prompt.editor.text == "milk!" && prompt.purpose == .edit(changed))
        #expect(writes(press(typed("⏎"), &state, content)).first?.change == .patch(TodoPatch(content: "milk!")))
    }

    @Test("Words that somebody else has changed meanwhile are not overwritten unseen")
    func conflict() {
        var (state, content) = board()
        _ = press(typed("e"), &state, content)
        content.users[0].today[0].content = "soy milk"
        let write = writes(press(typed("!⏎"), &state, content)).first
        #expect(write?.change == .patch(TodoPatch(content: "milk!"), expecting: ExpectedRevision(1, micros: 0)))
    }

    @Test("A todo that was deleted while it was edited can be added again")
    func gone() throws {
        var (state, content) = board()
        let edit = try #require(writes(press(typed("e!⏎"), &state, content)).first)
        state.finished(edit, .notFound("gone"))
        let add = try #require(writes(press(typed("⏎"), &state, content)).first)
        #expect(add.change == .add(TodoDraft(id: "new1", date: today, content: "milk!")))
    }

    @Test(
        "Keys walk through days and months",
        arguments: [
            ("l", "2026-11-21"), ("h", "2026-11-19"), ("lh", "2026-11-20"), ("]", "2026-12-20"), ("[", "2026-10-20"),
            ("lllllllllll", "2026-12-01"), ("]]]t", "2026-11-20"), ("llllllllll]]]", "2027-02-28"),
        ]
    )
    func days(keys: String, day: String) {
        var (state, content) = board()
        #expect(press(typed(keys), &state, content) == [])
        #expect(state.day(content).description == day)
        // Today is followed over midnight, another day is not.
        content.today = content.today.adding(days: 100)
        #expect(state.day(content) == (day == "2026-11-20" ? content.today : CalendarDate(day)!))
    }

    @Test("A filter shows only what matches, by any case and accent, while it is typed")
    func filter() {
        var (state, content) = board()
        content.users[0].today[1].detail = "from the Café"
        let shown = { (state: BoardState) in state.todos(of: 0, content).map(\.content) }
        _ = press(typed("/E"), &state, content)
        #expect(shown(state) == ["bread", "eggs"])
        _ = press(typed("GX"), &state, content)
        #expect(shown(state) == [])
        _ = press([KeyPress(.backspace), KeyPress(.enter)], &state, content)
        #expect(state.mode == .board && shown(state) == ["eggs"])
        #expect(state.selected(content)?.id == "t2")
        _ = press([KeyPress(.escape)], &state, content)
        #expect(shown(state).count == 3)
        _ = press(typed("/cafe⏎"), &state, content)
        #expect(shown(state) == ["bread"])
        _ = press(typed("/") + [KeyPress(.escape)], &state, content)
        #expect(state.filter.isEmpty)
        // A todo that was just added must not be hidden.
        _ = press(typed("/milk⏎anew⏎"), &state, content)
        #expect(state.filter.isEmpty)
    }

    @Test("Tab goes from list to list, and keys act on the one that has them")
    func users() {
        var (state, content) = board()
        _ = press([KeyPress(.tab)], &state, content)
        #expect(state.user == 1 && state.selected(content) == nil)
        #expect(writes(press(typed("anew⏎"), &state, content)).first?.uid == "bob")
        _ = press([KeyPress(.tab)], &state, content)
        #expect(state.user == 0)
        _ = press([KeyPress(.tab, .shift)], &state, content)
        #expect(state.user == 1)
    }

    @Test("Pages open, scroll and close, and keys on them change no todo")
    func pages() {
        var (state, content) = board()
        #expect(press(typed("?jjkd x"), &state, content) == [])
        #expect(state.mode == .page(.help, scroll: 1))
        #expect(press(typed("q"), &state, content) == [])
        #expect(state.mode == .board)
        _ = press([KeyPress(.enter)], &state, content)
        #expect(state.mode == .page(.todo(id: "t0", uid: "alice"), scroll: 0))
        _ = press([KeyPress(.escape)], &state, content)
        #expect(press(typed("q"), &state, content) == [.quit])
        #expect(press([.character("l", .control)], &state, content) == [.redraw])
    }

    @Test("A page of a todo that somebody else deletes closes")
    func deletedPage() {
        var (state, content) = board()
        _ = press([KeyPress(.enter)], &state, content)
        content.users[0].today.removeFirst()
        content.users[0].month = [:]
        state.follow(content)
        #expect(state.mode == .board)
    }

    @Test("Every command has a key of its own, and a line of help in each language")
    func table() {
        let bound = BoardKeymap.rows.joined()
        #expect(Set(bound.map(\.command)) == Set(BoardCommand.allCases))
        #expect(Set(bound.flatMap(\.keys)).count == bound.flatMap(\.keys).count)
        for words in [EnglishWords(), KoreanWords()] as [any BoardWords] {
            let lines = BoardKeymap.help.map { words.help($0.command) }
            #expect(Set(lines).count == lines.count && !lines.contains(""))
        }
        for row in BoardKeymap.help {
            #expect(WatchCommand.spec.help(program: "todomate", width: 200).contains("  \(row.keys)  "))
        }
    }

    @Test("Unknown keys and pastes do nothing")
    func unknown() {
        var (state, content) = board()
        let keys: [KeyPress] = [
            .character("Z"), .character("漢"), KeyPress(.paste("ddd")), KeyPress(.backspace), .character("d", .alt),
        ]
        #expect(press(keys, &state, content) == [])
        #expect(state.mode == .board && state.notice == nil)
    }
}

/// A todo of alice.
func sampleTodo(
    _ content: String,
    _ status: TodoStatus = .todo,
    id: String = "t",
    on date: CalendarDate,
    position: Double = 1,
    detail: String = ""
) -> Todo {
    let time = Date(timeIntervalSince1970: 0)
    return Todo(
        id: id,
        uid: "alice",
        date: date,
        content: content,
        detail: detail,
        status: status,
        position: position,
        revision: 1,
        createdAt: time,
        updatedAt: time
    )
}
