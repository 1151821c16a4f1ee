import EventLoop
import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("What became of todos, on the terminal board")
struct BoardPastTests {
    private let today = CalendarDate("2026-11-20")!

    private func entry(
        _ version: Int,
        _ kind: ChangeKind,
        _ todo: Todo,
        by device: String? = nil
    ) -> TodoHistory.Entry {
        TodoHistory.Entry(
            id: ChangeID(version: version, microseconds: 1_795_000_000_000_000 + version),
            kind: kind,
            todo: todo,
            device: device.flatMap(WritingDevice.init)
        )
    }

    private func content() -> BoardContent {
        let todos = [sampleTodo("milk", id: "t0", on: today), sampleTodo("bread", id: "t1", on: today)]
        return BoardContent(
            today: today,
            users: [
                BoardContent.User(uid: "alice", today: todos, month: [today: todos], todayPhase: .live),
                BoardContent.User(uid: "bob", isReadOnly: true),
            ]
        )
    }

    /// Of milk, which was wine and done once.
    private func history(isGone: Bool = false) -> TodoHistory {
        let now = sampleTodo("milk", id: "t0", on: today)
        var before = now
        (before.content, before.status, before.detail) = ("wine", .complete, "red\ndry")
        before.visibility = .private
        let changes = [
            entry(4, .modified, now), entry(2, .modified, before, by: "Safari on iPhone"), entry(1, .added, now),
        ]
        let removal = isGone ? [entry(9, .removed, now)] : []
        return TodoHistory(
            todo: isGone ? nil : now,
            since: 1_795_000_000_000_001,
            reach: .whole,
            entries: removal + changes
        )
    }

    /// A board on which something was asked for by keys and has been read.
    private func board(_ keys: String, _ answer: TodoHistory?) -> BoardState {
        let content = content()
        var state = BoardState(users: 2)
        state.follow(content)
        for effect in press(keys, &state) {
            guard case .read(let past, nil) = effect, let answer else { continue }
            state.read(.success(answer), of: past)
        }
        return state
    }

    private func press(_ keys: String, _ state: inout BoardState) -> [BoardEffect] {
        keys.flatMap {
            state.press($0 == "⏎" ? KeyPress(.enter) : $0 == "⎋" ? KeyPress(.escape) : .character($0), content())
        }
    }

    private func writes(_ effects: [BoardEffect]) -> [BoardWrite] {
        effects.compactMap { if case .write(let write) = $0 { write } else { nil } }
    }

    private func screen(_ state: BoardState, _ columns: Int = 80, _ rows: Int = 24, korean: Bool = false) -> [String] {
        let language =
            korean ? BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR")) : BoardLanguage()
        let layout = BoardLayout(state: state, content: content(), connection: .live, language: language)
        let lines = layout.screen(TerminalSize(columns: columns, rows: rows)).lines
        #expect(lines.count == rows && lines.allSatisfy { columns < 20 || $0.width <= columns })
        return lines.map(\.text)
    }

    @Test("H asks for what became of the selected todo, b for what was deleted, and only of one's own")
    func asking() {
        var state = BoardState(users: 2)
        state.follow(content())
        #expect(press("jH", &state) == [.read(BoardPast(of: "alice", id: "t1"), before: nil)])
        #expect(press("⎋b", &state) == [.read(BoardPast(of: "alice", id: nil), before: nil)])
        state.mode = .board
        state.turn(by: 1)
        #expect(press("H", &state) == [] && state.notice == .readOnly("bob"))
        #expect(press("b", &state) == [] && state.notice == .readOnly("bob"))
    }

    @Test("shows while it is read that it is, then the changes in words, what was then and how far back it goes")
    func looks() {
        var text = screen(board("H", nil)).joined(separator: "\n")
        #expect(text.contains("What became of “milk”") && text.contains("Loading"))
        var state = board("H", history())
        text = screen(state, 200).joined(separator: "\n")
        #expect(text.contains("“wine” → “milk” · note taken away · done → to do · private → for followers"))
        #expect(text.contains("“milk” → “wine” · note changed · to do → done · for followers → private"))
        #expect(text.contains("added") && text.contains("That is everything."))
        #expect(text.contains("b brings it back as it was then"))
        _ = press("j", &state)
        text = screen(state).joined(separator: "\n")
        #expect(
            text.contains("● done · Today · private · Safari on iPhone") && text.contains("red") && text.contains("dry")
        )
        var timed = history()
        timed.entries[0].todo.time = TimeOfDay("09:30")
        #expect(screen(board("H", timed)).joined().contains("to do · Today · 09:30 · for followers"))
        text = screen(state, korean: true).joined(separator: "\n")
        #expect(text.contains("변경 기록") && text.contains("완료 → 할 일") && text.contains("기록 전부입니다"))
        // Of a todo that is older than the log nothing is known, and why not is said.
        let unknown = TodoHistory(todo: content().users[0].today[0], since: 1_795_000_000_000_000, reach: .trimmed)
        text = screen(board("H", unknown)).joined(separator: "\n")
        #expect(text.contains("Nothing is known of its changes.") && text.contains("nothing is known from before"))
        let lost = TodoHistory(since: nil, reach: .lost)
        #expect(screen(board("b", lost)).joined().contains("The log was lost"))
    }

    @Test("brings back what was chosen, over the very state that was shown, and takes that back by u")
    func bringBack() throws {
        var state = board("H", history())
        let asked = writes(press("jb", &state))
        let write = try #require(asked.first)
        let patch = TodoPatch(
            date: today,
            time: .remove,
            content: "wine",
            detail: "red\ndry",
            status: .complete,
            visibility: .private
        )
        #expect(asked.count == 1 && write.id == "t0" && write.uid == "alice")
        #expect(write.change == .patch(patch, expecting: ExpectedRevision(1, micros: 0)))
        #expect(state.mode == .board && state.notice == .broughtBack("wine"))
        state.finished(write, nil)
        let undone = writes(press("u", &state))
        #expect(
            undone.map(\.change) == [
                .patch(
                    TodoPatch(
                        date: today,
                        time: .remove,
                        content: "milk",
                        detail: "",
                        status: .todo,
                        position: 1,
                        visibility: .followers
                    )
                )
            ]
        )
    }

    @Test("brings a deleted todo back under its id, from the list or from one of its changes")
    func deleted() throws {
        let removed = TodoHistory(
            since: 1,
            reach: .whole,
            entries: [
                entry(9, .removed, sampleTodo("cheese", id: "gone", on: today)),
                entry(8, .removed, sampleTodo("ham", id: "ham", on: today)),
            ]
        )
        var state = board("b", removed)
        #expect(screen(state).joined().contains("cheese"))
        let back = try #require(writes(press("jb", &state)).first)
        let draft = TodoDraft(id: "ham", date: today, content: "ham", position: 1, visibility: .followers)
        #expect(back.change == .add(draft) && back.before == nil)
        #expect(writes(press("u", &state)).map(\.change) == [.remove])

        state = board("b", removed)
        #expect(press("⏎", &state) == [.read(BoardPast(of: "alice", id: "gone"), before: nil)])
        state.read(.success(history(isGone: true)), of: BoardPast(of: "alice", id: "gone"))
        let earlier = try #require(writes(press("jjb", &state)).first)
        guard case .add(let wine) = earlier.change else {
            Issue.record("it is gone, so it is added")
            return
        }
        #expect(wine.content == "wine" && wine.id == "t0" && wine.status == .complete && wine.visibility == .private)
    }

    @Test(
        "says why it was not brought back, and offers no words to be sent again",
        arguments: [
            TodoError.conflict("changed", current: nil), .exists("there"), .notFound("gone"), .unavailable("no Redis"),
        ]
    )
    func refused(error: TodoError) throws {
        var state = board("H", history())
        let write = try #require(writes(press("jb", &state)).first)
        state.finished(write, error)
        #expect(state.mode == .board && state.notice == .notBroughtBack(error))
        let isTheirs = if case .unavailable = error { false } else { true }
        #expect(screen(state)[22].contains("somebody has changed it meanwhile") == isTheirs)
        #expect(press("u", &state) == [] && state.notice == .nothingToUndo)
    }

    @Test("reads on at the end, takes answers for what is shown only, and keeps what is known when one fails")
    func parts() {
        let todo = sampleTodo("milk", id: "t0", on: today)
        func part(_ versions: [Int], more: Bool) -> TodoHistory {
            TodoHistory(
                todo: todo,
                since: 1,
                reach: .whole,
                entries: versions.map { entry($0, .modified, todo) },
                hasMore: more
            )
        }
        let past = BoardPast(of: "alice", id: "t0")
        var state = board("H", part([9, 8], more: true))
        #expect(!screen(state).joined().contains("everything"))
        let asked = press("jj", &state)
        guard case .read(let shown, let before)? = asked.first else {
            Issue.record("it reads on")
            return
        }
        #expect(asked.count == 1 && shown.id == "t0" && before?.version == 8)
        state.read(.success(part([5], more: false)), of: BoardPast(of: "alice", id: "other"))
        state.read(.success(part([7], more: true)), of: past)
        guard case .past(let now) = state.mode else {
            Issue.record("it stays open")
            return
        }
        #expect(now.history?.entries.map(\.id.version) == [9, 8, 7] && now.entry?.id.version == 8)
        _ = press("G", &state)
        state.read(.failure(.gone("trimmed")), of: past)
        #expect(screen(state).joined().contains("trimmed") && screen(state).joined().contains("everything"))
        #expect(press("GG", &state) == [])
        _ = press("⎋", &state)
        state.read(.success(part([6], more: false)), of: past)
        #expect(state.mode == .board)
    }

    @Test(
        "fits every screen, and keys on it change nothing else",
        arguments: [(1, 1), (8, 3), (20, 6), (24, 10), (50, 20), (80, 24), (200, 60)]
    )
    func fits(columns: Int, rows: Int) {
        for answer in [history(), history(isGone: true), TodoHistory(since: nil, reach: .lost), nil] {
            for keys in ["", "j", "G"] {
                for korean in [false, true] {
                    var state = board("H", answer)
                    #expect(press(keys, &state) == [])
                    _ = screen(state, columns, rows, korean: korean)
                }
            }
        }
        var state = board("H", history())
        #expect(press(" xdaeT", &state) == [] && state.unanswered == 0)
    }

    @Test("are brought back without a goal that is gone, and so is a removal that is undone", arguments: [true, false])
    @LoopActor
    func goneGoal(isReturn: Bool) async throws {
        let repository = InMemoryTodoRepository()
        let (service, routines) = (TodoService(repository), repository.stores.routines)
        var past = sampleTodo("milk", id: "t0", on: today)
        past.goal = "gone"
        let draft = TodoDraft(id: "t0", date: today, content: "milk", goal: "gone")
        var write = BoardWrite(
            number: 1,
            uid: "alice",
            id: "t0",
            change: .add(draft),
            before: isReturn ? nil : past,
            isReturn: isReturn
        )
        try await service.perform(write, routines)
        let back = try await repository.todo("t0", of: "alice")
        #expect(back.content == "milk" && back.goal == nil)
        let patch = TodoPatch(content: "wine", goal: "gone")
        write = BoardWrite(number: 2, uid: "alice", id: "t0", change: .patch(patch), before: back, isReturn: true)
        try await service.perform(write, routines)
        let again = try await repository.todo("t0", of: "alice")
        #expect(again.content == "wine" && again.goal == nil)
        // What somebody asks for now is refused.
        write = BoardWrite(
            number: 3,
            uid: "alice",
            id: "t1",
            change: .add(TodoDraft(id: "t1", date: today, content: "x", goal: "gone"))
        )
        await #expect(throws: TodoError.self) { try await service.perform(write, routines) }
    }
}
