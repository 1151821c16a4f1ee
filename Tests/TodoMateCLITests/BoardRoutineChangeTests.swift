import Foundation
import TerminalUI
import Testing
import TodoMate

@testable import TodoMateCLI

@Suite("Changing what is done again and again, on the terminal board")
struct BoardRoutineChangeTests {
    private let today = CalendarDate("2026-11-20")!

    private func press(_ keys: String, _ state: inout BoardState, _ content: BoardContent) -> [BoardWrite] {
        keys.flatMap { key -> [BoardWrite] in
            let effects = state.press(.character(key), content)
            state.follow(content)
            return effects.compactMap { if case .write(let write) = $0 { write } else { nil } }
        }
    }

    /// A todo, and a day of a routine behind it.
    private func content(_ routine: Routine) -> BoardContent {
        let todos = [sampleTodo("milk", id: "t0", on: today), routine.todo(on: today, of: "alice")]
        let alice = BoardContent.User(
            uid: "alice",
            today: todos,
            routines: [routine],
            month: [today: todos],
            todayPhase: .live
        )
        return BoardContent(today: today, users: [alice])
    }

    /// A board whose routine is this one, with the line that `r` offers.
    private func offered(_ routine: Routine, _ language: BoardLanguage = BoardLanguage()) throws -> (
        BoardContent, BoardState, BoardPrompt
    ) {
        let content = content(routine)
        var state = BoardState(users: 1, makeID: { "r9" }, language: language)
        state.follow(content)
        _ = press("jr", &state, content)
        guard case .prompt(let prompt) = state.mode else { throw TodoError.notFound("no prompt: \(state.mode)") }
        return (content, state, prompt)
    }

    private func routine(_ content: String, _ rule: String, _ time: String? = nil) throws -> Routine {
        Routine(
            id: "r0",
            content: content,
            rule: try RoutineRule(rule),
            from: today.adding(days: -7),
            position: 2,
            time: time.flatMap { TimeOfDay($0) }
        )
    }

    @Test(
        "r offers a routine as a line that reads back as the same, and entering that changes nothing",
        arguments: [
            ("Stretch", "FREQ=DAILY", nil, "", "Stretch every day"),
            ("Stretch", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "07:00", "", "Stretch every weekday 07:00"),
            ("Stretch", "FREQ=WEEKLY;BYDAY=MO,FR", nil, "", "Stretch every Monday, Friday"),
            ("Stretch", "FREQ=DAILY;UNTIL=20270131", "07:00", "", "Stretch every day until 2027-01-31 07:00"),
            ("Stretch", "FREQ=DAILY;COUNT=30", "07:00", "", "Stretch 07:00"),
            ("Call mum every day", "FREQ=WEEKLY", nil, "", "Call mum every day every week"),
            ("Read #work", "FREQ=DAILY", nil, "", "Read #work every day"),
            (
                "스트레칭", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20270131", "07:00", "ko_KR.UTF-8",
                "스트레칭 평일마다 2027-01-31까지 07:00"
            ),
        ] as [(String, String, String?, String, String)]
    )
    func offering(words: String, rule: String, time: String?, locale: String, line: String) throws {
        let language = BoardLanguage(environment: ["LANG": locale])
        let (content, before, prompt) = try offered(routine(words, rule, time), language)
        #expect(prompt.editor.text == line)
        var state = before
        #expect(state.press(KeyPress(.enter), content).isEmpty && state.mode == .board && state.notice == nil)
    }

    @Test(
        "what is typed over it begins on that day, and leaves alone what it does not say",
        arguments: [
            ("Swim", "Swim", "FREQ=DAILY", .remove),
            ("Stretch every 2 days 07:00", "Stretch", "FREQ=DAILY;INTERVAL=2", nil),
            ("Stretch 6:30 every day", "Stretch", "FREQ=DAILY", .set(TimeOfDay("06:30")!)),
            ("Stretch every day", "Stretch", "FREQ=DAILY", .remove),
        ] as [(String, String, String, TimeChange?)]
    )
    func changing(text: String, words: String, rule: String, time: TimeChange?) throws {
        let old = try routine("Stretch", "FREQ=DAILY", "07:00")
        var (content, state, prompt) = try offered(old)
        prompt.editor = BoardPrompt(prompt.purpose, text: text).editor
        state.mode = .prompt(prompt)
        let effects = state.press(KeyPress(.enter), content)
        let patch = RoutinePatch(id: "r9", content: words, rule: try RoutineRule(rule), time: time)
        guard case .write(let write) = effects.first else {
            Issue.record("\(effects), \(state.mode)")
            return
        }
        #expect(write.change == .split(old, on: today, into: patch, typed: prompt) && write.id == "r0")
        #expect(state.notice == .routineChanged(words, today))
        state.finished(write, nil)
        content.users[0].routines[0].rule = try RoutineRule("FREQ=DAILY;UNTIL=20261119")
        let back = try #require(press("u", &state, content).first)
        var whole = RoutinePatch(old)
        (whole.made, whole.seen) = ([], content.users[0].routines[0].rule)
        #expect(
            back.change
                == .routines([whole, RoutinePatch(id: "r9", isEnded: true, heir: "r0", seen: patch.rule)], typed: "")
        )
    }

    @Test("what has so many days left goes on with those, under other words")
    func counted() throws {
        let old = try routine("Stretch", "FREQ=DAILY;COUNT=10")
        var (content, state, prompt) = try offered(old)
        _ = press("ing", &state, content)
        prompt.editor = BoardPrompt(prompt.purpose, text: "Stretching").editor
        guard case .write(let write) = state.press(KeyPress(.enter), content).first else {
            Issue.record("\(state.mode)")
            return
        }
        let patch = RoutinePatch(id: "r9", content: "Stretching", rule: try RoutineRule("FREQ=DAILY;COUNT=3"))
        #expect(write.change == .split(old, on: today, into: patch, typed: prompt))
        for key in ["R", "r"] {
            #expect(
                press(key, &state, content).isEmpty && state.notice == .routineSaving("Stretch") && state.mode == .board
            )
        }
        state.finished(write, nil)
        content.users[0].routines[0].content = "Other"
        #expect(press("R", &state, content).count == 1)
    }

    @Test("where somebody else comes first, what was typed stays, and is done once it is entered again")
    func others() throws {
        let old = try routine("Stretch", "FREQ=DAILY")
        var (content, state, prompt) = try offered(old)
        prompt.editor = BoardPrompt(prompt.purpose, text: "Stretching").editor
        state.mode = .prompt(prompt)
        content.users[0].routines[0].rule = try RoutineRule("FREQ=DAILY;INTERVAL=7")
        #expect(state.press(KeyPress(.enter), content).isEmpty)
        func refused() throws -> BoardPrompt {
            guard case .prompt(let prompt) = state.mode else { throw TodoError.notFound("\(state.mode)") }
            return prompt
        }
        #expect(try refused().problem == .routineChangedElsewhere("Stretch") && refused().editor.text == "Stretching")
        guard case .write(let write) = state.press(KeyPress(.enter), content).first else {
            Issue.record("\(state.mode)")
            return
        }
        // The server knows of yet another rule.
        state.finished(write, .conflict("another rule", current: nil))
        #expect(try refused().problem == .routineChangedElsewhere("Stretch") && refused().editor.text == "Stretching")
        content.users[0].routines.remove(at: 0)
        #expect(state.press(KeyPress(.enter), content).isEmpty)
        #expect(try refused().problem == .noRoutine("Stretching"))
        #expect(press("⎋", &state, content).isEmpty)
    }

    @Test("a day of one that has ended since is offered without its end, which no line can say any more, and keeps it")
    func past() throws {
        let day = today.adding(days: -3)
        let old = try routine("Stretch", "FREQ=DAILY;UNTIL=\(day.adding(days: 1).ordinal)", "07:00")
        var content = content(old)
        content.users[0].month[day] = [old.todo(on: day, of: "alice")]
        var state = BoardState(users: 1, makeID: { "r9" })
        state.follow(content)
        _ = press("hhhr", &state, content)
        guard case .prompt(let prompt) = state.mode else { throw TodoError.notFound("no prompt: \(state.mode)") }
        #expect(prompt.editor.text == "Stretch 07:00")
        #expect(state.press(KeyPress(.enter), content).isEmpty && state.mode == .board && state.notice == nil)
    }

    @Test("words that would be too long with their rule are offered alone")
    func long() throws {
        let words = String(repeating: "a", count: TodoBounds.contentLength - 5)
        let (content, before, prompt) = try offered(routine(words, "FREQ=DAILY"))
        #expect(prompt.editor.text == words)
        var state = before
        #expect(state.press(KeyPress(.enter), content).isEmpty && state.mode == .board && state.notice == nil)
    }

    @Test(
        "what is refused is offered again as it was read",
        arguments: [TodoError.unavailable("away"), .conflict("a rule", current: nil)]
    )
    func again(_ error: TodoError) throws {
        var (content, state, _) = try offered(routine("Call mum at 9", "FREQ=DAILY"))
        content.users[0].goals = [Goal(id: "g1", name: "Mum", position: 1, visibility: .private)]
        _ = press(" #mum", &state, content)
        guard case .write(let write) = state.press(KeyPress(.enter), content).first else {
            throw TodoError.notFound("\(state.mode)")
        }
        let before = try #require(write.change.made)
        #expect(before.content == "Call mum at 9" && before.goal == "g1" && before.time == nil)
        state.finished(write, error)
        guard case .write(let second) = state.press(KeyPress(.enter), content).first else {
            throw TodoError.notFound("\(state.mode)")
        }
        #expect(second.change.made == before)
    }

    @Test(
        "other words, time or rule that others gave it meanwhile are told first, and its time stays where no line said one",
        arguments: ["words", "time", "rule"]
    )
    func meanwhile(what: String) throws {
        var (content, state, _) = try offered(routine("Stretch", "FREQ=DAILY"))
        _ = press("!", &state, content)
        switch what {
        case "words": content.users[0].routines[0].content = "Yoga"
        case "time": content.users[0].routines[0].time = TimeOfDay("07:00")
        default: content.users[0].routines[0].rule = try RoutineRule("FREQ=DAILY;INTERVAL=7")
        }
        #expect(state.press(KeyPress(.enter), content).isEmpty)
        guard case .prompt(let prompt) = state.mode else { throw TodoError.notFound("\(state.mode)") }
        #expect(prompt.problem == .routineChangedElsewhere(content.users[0].routines[0].content))
        guard case .write(let write) = state.press(KeyPress(.enter), content).first else {
            throw TodoError.notFound("\(state.mode)")
        }
        #expect(try #require(write.change.made).time == nil)
    }

    @Test("a day that is none of its rule's any more moves none of its others")
    func moved() throws {
        let old = try routine("Stretch", "FREQ=DAILY")
        var (content, state, prompt) = try offered(old)
        var weekly = old
        (weekly.rule, weekly.from) = (try RoutineRule("FREQ=WEEKLY"), today.adding(days: -6))
        content.users[0].routines = [weekly]
        prompt.overwrites = true
        for (text, problem) in [("Stretch every week", true), ("Stretching", true), ("Stretch every day", false)] {
            prompt.editor = BoardPrompt(prompt.purpose, text: text).editor
            state.mode = .prompt(prompt)
            let effects = state.press(KeyPress(.enter), content)
            #expect(effects.isEmpty == problem, "\(text)")
            guard case .prompt(let refused) = state.mode else { continue }
            #expect(refused.problem == .notItsDay("Stretch", today))
        }
        var other = BoardState(users: 1)
        other.follow(content)
        _ = press("jr", &other, content)
        #expect(other.notice == .notItsDay("Stretch", today) && other.mode == .board)
    }

    @Test("r says so where there is no routine that goes on")
    func none() throws {
        let content = content(try routine("Stretch", "FREQ=DAILY"))
        var state = BoardState(users: 1)
        state.follow(content)
        #expect(press("r", &state, content).isEmpty && state.notice == .noRoutine("milk"))
    }
}

extension BoardWrite.Change {
    /// What a routine is to be from a day on.
    fileprivate var made: RoutinePatch? {
        if case .split(_, _, let patch, _) = self { patch } else { nil }
    }
}
