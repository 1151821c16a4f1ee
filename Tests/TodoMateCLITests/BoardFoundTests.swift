import Foundation
import TerminalUI
import Testing

@testable import TodoMate
@testable import TodoMateCLI

@Suite("Search on all days, on the terminal board")
struct BoardFoundTests {
    private let today = CalendarDate("2026-11-20")!

    private func content() -> BoardContent {
        let todos = [sampleTodo("bread", id: "t0", on: today)]
        return BoardContent(
            today: today,
            users: [
                BoardContent.User(uid: "alice", today: todos, month: [today: todos], todayPhase: .live),
                BoardContent.User(uid: "bob", isReadOnly: true),
            ]
        )
    }

    private func press(_ keys: String, _ state: inout BoardState, _ content: BoardContent) -> [BoardEffect] {
        keys.flatMap { key -> [BoardEffect] in
            let press: KeyPress =
                switch key {
                case "⏎": KeyPress(.enter)
                case "⎋": KeyPress(.escape)
                default: .character(key)
                }
            let effects = state.press(press, content)
            state.follow(content)
            return effects
        }
    }

    private func part(_ ids: ClosedRange<Int>, next: Bool = false) -> FoundTodos {
        var part = FoundTodos()
        let todos = ids.map { sampleTodo("milk \($0)", id: "m\($0)", on: today.adding(days: -$0)) }
        part.todos = todos.map { TodoRecord($0) }
        if next { part.next = todos.last.map { SearchPlace($0) } }
        return part
    }

    /// A board that looked for milk.
    private func board(_ answers: Result<FoundTodos?, TodoError>...) -> BoardState {
        let content = content()
        var state = BoardState(users: 2)
        state.follow(content)
        _ = press("Smilk⏎", &state, content)
        for answer in answers { _ = state.take(answer, of: BoardFound("milk", of: "alice")) }
        return state
    }

    private func lines(_ state: BoardState, height: Int = 10, _ language: BoardLanguage = BoardLanguage()) -> [String] {
        guard case .found(let found) = state.mode else { return [] }
        return found.lines(width: 60, height: height, content(), language).map(\.text)
    }

    @Test(
        "A todo's time stands behind its day, which has the year of another one than today's",
        arguments: [("2026-11-19", "Yesterday"), ("2026-11-03", "Tue, Nov 3"), ("2025-11-03", "Mon, Nov 3, 2025")]
    )
    func times(date: String, said: String) throws {
        let day = try #require(CalendarDate(date))
        var (part, milk) = (FoundTodos(), sampleTodo("milk 1", id: "m1", on: day))
        milk.time = TimeOfDay("09:30")
        part.todos = [TodoRecord(milk)]
        #expect(lines(board(.success(part)))[1].hasPrefix("▸○ \(said) 09:30  milk 1"))
    }

    @Test("S asks for words and looks for them in the list that has the keys, also in somebody else's")
    func asking() {
        let content = content()
        var state = BoardState(users: 2)
        state.follow(content)
        #expect(press("Smilk⏎", &state, content) == [.find(BoardFound("milk", of: "alice"), after: nil)])
        #expect(lines(state) == ["Found by “milk” · alice", "Loading …"])
        #expect(press("q", &state, content).isEmpty && state.mode == .board)
        state.turn(by: 1)
        #expect(press("S  tea ⏎", &state, content) == [.find(BoardFound("tea", of: "bob"), after: nil)])
        // Whatever there is, to be narrowed.
        #expect(press("⎋S ⏎", &state, content) == [.find(BoardFound("", of: "bob"), after: nil)])
        #expect(lines(state)[0] == "All todos · bob" && press("⎋", &state, content).isEmpty && state.mode == .board)
        #expect(press("Stea⎋", &state, content).isEmpty && state.mode == .board && state.filter.isEmpty)
    }

    @Test("what was found stands with its days, the latest first")
    func showing() {
        let state = board(.success(part(0...2)))
        let shown = lines(state)
        #expect(shown.count == 4 && shown[1].hasPrefix("▸○ Today") && shown[1].hasSuffix("milk 0"))
        #expect(shown[2].contains("Yesterday") && shown[3].hasSuffix("milk 2"))
        let korean = BoardLanguage(words: KoreanWords(), locale: Locale(identifier: "ko_KR"))
        #expect(lines(state, korean)[0].hasPrefix("“milk” 검색 결과"))
        #expect(lines(board(.success(FoundTodos())))[1].hasPrefix("Nothing is found by this."))
        // Where one may see nothing of the owner, there is nothing to be found.
        #expect(lines(board(.success(nil)))[1].hasPrefix("Nothing is found by this."))
    }

    @Test(
        "keys narrow what was found by status, goal and month, in turn, and have all of it again",
        arguments: [
            ("", "", TodoSearch()), ("i", " · to do", TodoSearch(status: .todo)),
            ("iii", " · done", TodoSearch(status: .complete)), ("iiiii", "", TodoSearch()),
            ("#", " · Work", TodoSearch(goal: "g1")), ("##", " · Home", TodoSearch(goal: "g2")),
            ("###", "", TodoSearch()),
            ("h", " · November 2026", november), ("hl", " · December 2026", december),
            ("lh", " · October 2026", october), ("hht", "", TodoSearch()),
            ("t", "", TodoSearch()), ("i#h", " · to do · Work · November 2026", all),
        ]
    )
    func narrowing(keys: String, said: String, search: TodoSearch) {
        var content = content()
        content.users[0].goals = [
            Goal(id: "g1", name: "Work", position: 1, visibility: .private),
            Goal(id: "g2", name: "Home", position: 2, visibility: .private),
        ]
        var state = board(.success(part(0...2)))
        let effects = press(keys, &state, content)
        guard case .found(let found) = state.mode else {
            Issue.record("\(state.mode)")
            return
        }
        var expected = search
        expected.words = TodoWords("milk")
        #expect(found.search == expected && lines(state)[0] == "Found by “milk” · alice" + said)
        #expect(effects.count == (keys == "t" ? 0 : keys.count))
        // What was asked before is not what shows now.
        let late = BoardFound("milk", of: "alice", narrowing: FoundNarrowing(status: .incomplete))
        #expect(state.take(.success(part(0...2)), of: late).isEmpty)
        #expect(lines(state).count == (effects.isEmpty ? 4 : 2))
        // Other words are looked for among the same.
        _ = press("S⏎", &state, content)
        guard case .found(let again) = state.mode else {
            Issue.record("\(state.mode)")
            return
        }
        #expect(again.search == expected)
    }

    private static func month(_ month: String) -> TodoSearch {
        let days = CalendarMonth(month)?.days
        return TodoSearch(from: days?.lowerBound, to: days?.upperBound)
    }
    private static let (october, november, december) = (month("2026-10"), month("2026-11"), month("2026-12"))
    private static let all = TodoSearch(status: .todo, goal: "g1", from: november.from, to: november.to)

    @Test("Somebody else's goals are not known, and their todos are not narrowed by them")
    func othersGoals() {
        let content = content()
        var state = BoardState(users: 2)
        state.follow(content)
        state.turn(by: 1)
        _ = press("Stea⏎", &state, content)
        #expect(press("#", &state, content).isEmpty && press("i", &state, content).count == 1)
        #expect(lines(state)[0] == "Found by “tea” · bob · to do")
    }

    @Test("parts are read as one goes down, and at once where one has none of them")
    func parts() {
        let content = content()
        var state = board(.success(part(0...1, next: true)))
        #expect(press("j", &state, content).count == 1)
        // It is asked for once.
        #expect(press("jG", &state, content).isEmpty)
        var empty = FoundTodos()
        empty.next = SearchPlace(sampleTodo("", id: "x", on: today))
        #expect(state.take(.success(empty), of: BoardFound("milk", of: "alice")).count == 1)
        #expect(state.take(.success(part(1...3)), of: BoardFound("milk", of: "alice")).isEmpty)
        // One that was changed meanwhile stands there once.
        #expect(lines(state).count == 5)
        #expect(press("G", &state, content).isEmpty && lines(state)[4].hasPrefix("▸"))
    }

    @Test("an error is shown above what is known, and the next step down tries again")
    func errors() {
        let content = content()
        var state = board(.success(part(0...1, next: true)), .failure(.unavailable("no answer")))
        #expect(lines(state)[1].contains("no answer") && lines(state).count == 4)
        #expect(press("G", &state, content).count == 1)
        #expect(state.take(.success(part(2...2)), of: BoardFound("milk", of: "alice")).isEmpty)
        #expect(lines(state).count == 4)
    }

    @Test("Enter goes to the day of the todo, which has the keys once it is there, whatever was filtered")
    func going() {
        var content = content()
        var state = board(.success(part(0...2)))
        state.filter = "bread"
        #expect(press("jj⏎", &state, content).isEmpty)
        #expect(state.mode == .board && state.filter.isEmpty && state.chosenDay == today.adding(days: -2))
        #expect(state.selected(content) == nil)
        let others = sampleTodo("first", id: "a", on: today.adding(days: -2), position: 0)
        content.users[0].month[today.adding(days: -2)] = [others, sampleTodo("milk 2", id: "m2", on: others.date)]
        state.follow(content)
        #expect(state.selected(content)?.id == "m2")
        var other = board(.success(part(0...0)))
        _ = press("⏎", &other, content)
        #expect(other.chosenDay == nil)
    }

    @Test("S looks for other words, and an answer to the words before is not shown")
    func others() {
        let content = content()
        var state = board()
        #expect(press("Sy⏎", &state, content) == [.find(BoardFound("milky", of: "alice"), after: nil)])
        #expect(state.take(.success(part(0...2)), of: BoardFound("milk", of: "alice")).isEmpty)
        #expect(lines(state).last == "Loading …")
    }
}
