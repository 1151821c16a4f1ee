import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("What is done again and again, on the terminal board")
struct BoardRoutineTests {
    private let today = CalendarDate("2026-11-20")!

    /// A todo and two days of routines, in list order.
    private func content() throws -> BoardContent {
        let routines = ["Stretch", "Read"].enumerated().map { index, content in
            Routine(
                id: "r\(index)",
                content: content,
                rule: RoutineRule(.daily),
                from: today,
                position: Double(index + 2)
            )
        }
        let todos = [sampleTodo("milk", id: "t0", on: today)] + routines.map { $0.todo(on: today, of: "alice") }
        #expect(todos.map(\.isUnmade) == [false, true, true])
        return BoardContent(
            today: today,
            users: [
                BoardContent.User(
                    uid: "alice",
                    today: todos,
                    routines: routines,
                    month: [today: todos],
                    todayPhase: .live
                )
            ]
        )
    }

    private func press(_ keys: String, _ state: inout BoardState, _ content: BoardContent) -> [BoardWrite] {
        keys.flatMap { key -> [BoardWrite] in
            let effects = state.press(.character(key), content)
            state.follow(content)
            return effects.compactMap { if case .write(let write) = $0 { write } else { nil } }
        }
    }

    private func state(_ content: BoardContent) -> BoardState {
        var state = BoardState(users: 1)
        state.follow(content)
        return state
    }

    @Test("a day is finished by the key of every todo, and u has it again")
    func finish() throws {
        let content = try content()
        var state = state(content)
        let asked = press("j ", &state, content)
        #expect(asked.map(\.id) == ["r0--20261120"])
        #expect(asked.map(\.change) == [.patch(TodoPatch(status: .complete))])
        state.finished(asked[0], nil)
        #expect(press("u", &state, content).map(\.change) == [.unmake])
        #expect(press("u", &state, content).isEmpty && state.notice == .nothingToUndo)
    }

    @Test("a day stays selected that u has again, though it is gone for a moment on the way", arguments: [true, false])
    func selected(isAnsweredFirst: Bool) throws {
        let (before, id) = (try content(), "r0--20261120")
        var (made, gone) = (before, before)
        made.users[0].today[1].revision = 1
        gone.users[0].today.remove(at: 1)
        var state = state(before)
        let done = press("j ", &state, before)
        state.finished(done[0], nil)
        state.follow(made)
        let undone = press("u", &state, made)
        #expect(undone.map(\.change) == [.unmake])
        for content in [made, gone] {
            state.follow(content)
            if content.users[0].today.count == 2, isAnsweredFirst { state.finished(undone[0], nil) }
        }
        state.follow(before)
        #expect(state.selected(before)?.id == id)
        if !isAnsweredFirst { state.finished(undone[0], nil) }
        state.follow(before)
        // From here on it is as any other.
        state.follow(gone)
        #expect(state.selected(gone)?.id == "r1--20261120")
        state.follow(before)
        #expect(state.selected(before)?.id == "r1--20261120")
    }

    @Test("a day that u could not have again is selected as any other")
    func notUnmade() throws {
        let before = try content()
        var (made, gone) = (before, before)
        made.users[0].today[1].revision = 1
        gone.users[0].today.remove(at: 1)
        var state = state(before)
        state.finished(press("j ", &state, before)[0], nil)
        state.follow(made)
        state.finished(press("u", &state, made)[0], .conflict("it was changed elsewhere", current: nil))
        state.follow(gone)
        state.follow(made)
        #expect(state.selected(made)?.id == "r1--20261120")
    }

    @Test("what follows on the way of the first change is taken back by itself, and deleted as a todo")
    func twice() throws {
        let content = try content()
        var state = state(content)
        #expect(press("ji ", &state, content).count == 2)
        #expect(
            press("uu", &state, content).map(\.change) == [.patch(TodoPatch(status: .inProgress)), .unmake]
        )
        var other = self.state(content)
        #expect(press("j d", &other, content).map(\.change) == [.patch(TodoPatch(status: .complete)), .remove])
    }

    @Test("one that comes every other week begins with the next day that it names")
    func firstDay() throws {
        let content = try content()
        var state = state(content)
        // Today is a Friday; two weeks counted from its Monday would leave the next one out.
        _ = press("aReview every other monday", &state, content)
        guard case .write(let write)? = state.press(KeyPress(.enter), content).first,
            case .routines(let patches, _) = write.change
        else {
            Issue.record("no routine is written")
            return
        }
        #expect(patches.map(\.from) == [CalendarDate("2026-11-23")!])
    }

    @Test("a line that says how often makes a routine, which u ends, unless it has another rule by then")
    func adding() throws {
        let content = try content()
        var state = state(content)
        _ = press("aStretch every weekday at 7:00 until dec 31 2999", &state, content)
        let screen = BoardFooter(
            state: state,
            content: content,
            connection: .live,
            hasKeys: true,
            language: BoardLanguage()
        )
        let hint = screen.lines(width: 120).lines.map(\.text).joined(separator: "\n")
        #expect(
            hint.contains("every weekday → every weekday")
                && hint.contains("until dec 31 2999 → until Tue, Dec 31, 2999")
        )
        let effects = state.press(KeyPress(.enter), content)
        guard case .write(let write) = effects.first, case .routines(let patches, let typed) = write.change,
            let patch = patches.first
        else {
            Issue.record("no routine is written")
            return
        }
        #expect(effects.count == 1 && patch.id == write.id && patch.content == "Stretch" && patch.from == today)
        #expect(patch.rule?.description == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=29991231")
        #expect(patch.time == .set(TimeOfDay("07:00")!) && typed == "Stretch every weekday at 7:00 until dec 31 2999")
        #expect(state.notice == .routineAdded("Stretch"))
        state.finished(write, nil)
        let undone = press("u", &state, content)
        #expect(
            undone.map(\.change) == [
                .routines([RoutinePatch(id: patch.id, isEnded: true, seen: patch.rule)], typed: "")
            ]
        )
    }

    @Test("a routine that is refused is back as it was typed")
    func refused() throws {
        let content = try content()
        var state = state(content)
        _ = press("aStretch every day", &state, content)
        guard case .write(let write) = state.press(KeyPress(.enter), content).first else {
            Issue.record("nothing is written")
            return
        }
        state.finished(write, .full("alice has 50 routines already: end one of them first"))
        guard case .prompt(let prompt) = state.mode else {
            Issue.record("what was typed is lost")
            return
        }
        #expect(prompt.editor.text == "Stretch every day")
        let text = prompt.problem.map { EnglishWords().notice($0) { $0.description } }
        #expect(text == "Not saved: alice has 50 routines already: end one of them first")
    }

    @Test("d leaves a day out, once, and u has it again")
    func skip() throws {
        let content = try content()
        var state = state(content)
        let asked = press("jdd", &state, content)
        #expect(asked.map(\.change) == [.skip(isBack: false)] && asked[0].id == "r0--20261120")
        #expect(state.notice == .skipped("Stretch"))
        #expect(state.isBeingRemoved(content.users[0].today[1]) && !state.isBeingRemoved(content.users[0].today[2]))
        #expect(press("u", &state, content).map(\.change) == [.skip(isBack: true)])
    }

    @Test(
        "R ends a routine from its day on, once, and u makes it what it was, unless it has another rule by then",
        arguments: [("2026-11-20", nil), ("2026-11-19", "FREQ=DAILY;UNTIL=20261119")] as [(String, String?)]
    )
    func ending(from: String, left: String?) throws {
        var content = try content()
        content.users[0].routines[0].from = try #require(CalendarDate(from))
        var state = state(content)
        let asked = press("jR", &state, content)
        let routine = content.users[0].routines[0]
        #expect(asked.map(\.change) == [.split(routine, on: today, into: nil, typed: nil)] && asked[0].id == "r0")
        #expect(state.notice == .routineEnded("Stretch", today))
        #expect(press("R", &state, content).isEmpty && state.notice == .routineSaving("Stretch"))
        #expect(press("r", &state, content).isEmpty && state.mode == .board)
        let back = try #require(press("u", &state, content).first)
        guard case .routines(let patches, let typed) = back.change, let patch = patches.first else {
            Issue.record("\(back.change)")
            return
        }
        #expect(patch.content == "Stretch" && patch.rule == routine.rule && patch.from == routine.from && typed.isEmpty)
        #expect(patch.seen?.description == left)
    }

    @Test("R says so where there is nothing to end, or somebody else has come first")
    func notEnded() throws {
        let content = try content()
        var state = state(content)
        #expect(press("R", &state, content).isEmpty && state.notice == .noRoutine("milk"))
        let write = try #require(press("jR", &state, content).first)
        state.finished(write, .conflict("another rule", current: nil))
        #expect(state.notice == .routineChangedElsewhere("Stretch"))
        #expect(press("u", &state, content).isEmpty && state.notice == .nothingToUndo)
    }

    @Test("a day's own page says how often it is done")
    func page() throws {
        let page = BoardPage.todo(id: "r0--20261120", uid: "alice").lines(width: 80, try content(), BoardLanguage())
        #expect(page.contains { $0.text.contains(" · every day") })
    }

    @Test(
        "moves among todos that are not stored by a place of its own",
        arguments: [("J", 2.5), ("jJ", 4), ("jK", 0), ("GK", 1.5), ("GKK", 1.5)]
    )
    func place(keys: String, position: Double) throws {
        let content = try content()
        var state = state(content)
        #expect(press(keys, &state, content).first?.change == .patch(TodoPatch(position: position)))
    }

    @Test("shows its sign in the list, and no times of what is not there yet")
    func looks() throws {
        let content = try content()
        var column = TodayColumn(
            person: PublicPerson(uid: "alice"),
            day: today,
            today: today,
            todos: content.users[0].today,
            phase: .live,
            language: BoardLanguage()
        )
        column.selected = 1
        let rows = column.lines(width: 30, height: 6).map(\.text)
        #expect(rows[3] == " ○ milk" && rows[4] == "▸○ Stretch" + String(repeating: " ", count: 19) + "↻", "\(rows)")
        for (id, hasTimes) in [("t0", true), ("r0--20261120", false)] {
            let page = BoardPage.todo(id: id, uid: "alice").lines(width: 60, content, BoardLanguage()).map(\.text)
            #expect(page.contains { $0.contains("1970") || $0.hasPrefix("Added") } == hasTimes, "\(page)")
        }
    }
}
