import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store that counts what is finished", .serialized)
@LoopActor
struct WeekContractTests {
    nonisolated private static let today = CalendarDate("2026-11-24")!

    private struct Table: Decodable {
        let weeks: [Example]
    }

    private struct Example: Decodable {
        let says: String
        let today: CalendarDate
        let run: [CalendarDate]?
        /// Day, status, and a goal or none.
        let todos: [[String]]
        let streak: Int
        /// Day, goal and number; absent where it is what the run says.
        let week: [Entry]?
    }

    private struct Entry: Decodable, Equatable {
        let day: CalendarDate
        let goal: String
        let count: Int

        init(_ day: CalendarDate, _ goal: String, _ count: Int) {
            (self.day, self.goal, self.count) = (day, goal, count)
        }

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            self.init(
                try parts.decode(CalendarDate.self),
                try parts.decode(String.self),
                try parts.decode(Int.self)
            )
        }
    }

    private static func table() throws -> [Example] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Weeks/weeks.json")
        return try JSONDecoder().decode(Table.self, from: Data(contentsOf: file)).weeks
    }

    nonisolated private func entries(_ week: Week) -> [Entry] {
        week.days.flatMap { day in day.finished.map { Entry(day.date, $0.goal ?? "", $0.count) } }
    }

    private func week(_ stores: Stores, of uid: String = "alice") async throws -> Week {
        try await stores.feeds.week(of: uid, until: Self.today)
    }

    private func add(
        _ stores: Stores,
        _ id: String,
        daysBefore back: Int = 0,
        _ status: TodoStatus = .complete,
        goal: String? = nil
    ) async throws {
        let draft = TodoDraft(
            id: id,
            date: Self.today.adding(days: -back),
            content: id,
            status: status,
            goal: goal
        )
        _ = try await stores.todos.add(draft, for: "alice")
    }

    @Test("counts as the table says", arguments: StoresKind.allCases)
    func table(_ kind: StoresKind) async throws {
        let examples = try Self.table()
        #expect(examples.count > 20)
        try await kind.with { stores in
            for (index, example) in examples.enumerated() {
                let uid = "user\(index)"
                for goal in ["g1", "g2"] { try await stores.goals.set(GoalPatch(id: goal, name: goal), of: uid) }
                let ends = (example.run ?? []).map(\.daysSince1970)
                let run = ends.isEmpty ? [] : (ends[0]...ends[1]).map { CalendarDate(daysSince1970: $0) }
                for day in run {
                    let draft = TodoDraft(date: day, content: "x", status: .complete)
                    _ = try await stores.todos.add(draft, for: uid)
                }
                for parts in example.todos {
                    let draft = TodoDraft(
                        date: try #require(CalendarDate(parts[0])),
                        content: "x",
                        status: try #require(TodoStatus(rawValue: parts[1])),
                        goal: parts.count > 2 ? parts[2] : nil
                    )
                    _ = try await stores.todos.add(draft, for: uid)
                }
                let week = try await stores.feeds.week(of: uid, until: example.today)
                let days = Week.days(until: example.today)
                let expected = example.week ?? run.filter(days.contains).map { Entry($0, "", 1) }
                #expect(week.streak == example.streak, "\(example.says)")
                #expect(week.days.map(\.date) == days && entries(week) == expected, "\(example.says)")
                #expect(try JSONDecoder().decode(Week.self, from: Data(week.json.utf8)) == week)
            }
        }
    }

    @Test("follows each change of a todo, its goal and its routine", arguments: StoresKind.allCases)
    func follows(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            func update(_ id: String, _ patch: TodoPatch) async throws {
                _ = try await stores.todos.update(id, of: "alice", with: patch, expecting: nil)
            }
            func expectWeek(_ streak: Int, _ counts: [Int: [String: Int]], line: Int = #line) async throws {
                let week = try await week(stores)
                var found: [Int: [String: Int]] = [:]
                for entry in entries(week) {
                    found[Self.today.daysSince1970 - entry.day.daysSince1970, default: [:]][entry.goal] = entry.count
                }
                #expect(week.streak == streak && found == counts, "line \(line)")
            }
            try await stores.goals.set(GoalPatch(id: "g1", name: "Work"), of: "alice")
            try await expectWeek(0, [:])
            try await add(stores, "a", goal: "g1")
            try await add(stores, "b", daysBefore: 1)
            try await expectWeek(2, [0: ["g1": 1], 1: ["": 1]])
            // Opened again, given up and begun: none of it is finished.
            for status in [TodoStatus.todo, .inProgress, .incomplete] {
                try await update("b", TodoPatch(status: status))
                try await expectWeek(1, [0: ["g1": 1]])
            }
            try await update("b", TodoPatch(status: .complete))
            // Moved to another day, it is finished on that one.
            try await update("b", TodoPatch(date: Self.today.adding(days: -3)))
            try await expectWeek(1, [0: ["g1": 1], 3: ["": 1]])
            try await update("b", TodoPatch(date: Self.today.adding(days: 1)))
            try await expectWeek(1, [0: ["g1": 1]])
            try await update("b", TodoPatch(date: Self.today, goal: "g1"))
            try await expectWeek(1, [0: ["g1": 2]])
            // A reaction or another's visibility changes nothing of it.
            _ = try await stores.feeds.react("🎉", to: "b", of: "alice", by: "alice")
            try await update("b", TodoPatch(visibility: .private))
            try await expectWeek(1, [0: ["g1": 2]])
            // A goal that is archived is there; one that is removed leaves its todos.
            try await stores.goals.set(GoalPatch(id: "g1", isArchived: true), of: "alice")
            try await expectWeek(1, [0: ["g1": 2]])
            _ = try await stores.goals.remove("g1", of: "alice") { _ in }
            try await expectWeek(1, [0: ["": 2]])
            // A routine's day counts once it was made and finished.
            let routine = RoutinePatch(id: "r1", content: "Run", rule: try RoutineRule("FREQ=DAILY"), from: Self.today)
            try await stores.routines.set([routine], of: "alice")
            try await expectWeek(1, [0: ["": 2]])
            try await update(Routine.id(of: "r1", on: Self.today), TodoPatch(status: .complete))
            try await expectWeek(1, [0: ["": 3]])
            for id in ["a", "b", Routine.id(of: "r1", on: Self.today)] {
                _ = try await stores.todos.remove(id, of: "alice", expecting: nil)
            }
            try await expectWeek(0, [:])
            #expect(try await week(stores, of: "bob") == Week(until: Self.today, [:], finishedDays: []))
            await expect("invalid") { _ = try await week(stores, of: "no body") }
        }
    }

    @Test("takes words of a todo for nothing but words", arguments: StoresKind.allCases)
    func words(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let text = #"","status":"complete","goal":"g1""#
            let draft = TodoDraft(date: Self.today, content: text, detail: text)
            _ = try await stores.todos.add(draft, for: "alice")
            #expect(try await week(stores).count == 0)
            let done = TodoDraft(date: Self.today, content: text, detail: text, status: .complete)
            _ = try await stores.todos.add(done, for: "alice")
            #expect(try await entries(week(stores)) == [Entry(Self.today, "", 1)])
        }
    }

    @Test("counts thousands of a day, in parts that each look at some, whatever becomes of what one ended with")
    func parts() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            let lines = (0..<2500).map { number in
                let status = number.isMultiple(of: 5) ? "todo" : "complete"
                let day = number < 2200 ? 24 : 23
                return
                    #"{"id":"t\#(number)","uid":"alice","date":"2026-11-\#(day)","content":"x","status":"\#(status)"}"#
            }
            for start in stride(from: 0, to: lines.count, by: 500) {
                let words = ["FCALL", "todomate_import", "1", "todomate:{alice}", "add"]
                _ = try await server.cli(words + lines[start..<start + 500])
            }
            let week = try await week(repository.stores)
            #expect(entries(week) == [Entry(Self.today.adding(days: -1), "", 240), Entry(Self.today, "", 1760)])
            #expect(week.streak == 2)

            func part(_ what: String, _ place: String...) async throws -> [String] {
                let call = ["FCALL_RO", "todomate_finished", "1", "todomate:{alice}", "20261118", "20261124", what]
                return try await server.cli(call + place).split(separator: "\n", omittingEmptySubsequences: false)
                    .map(String.init)
            }
            // A day is known by one. (The two empty lines before are trimmed.)
            #expect(try await part("days") == ["20261124", "", "1", "20261123", "", "1"])
            let first = try await part("goals")
            #expect(first[0].hasPrefix("20261124.t") && first[1].isEmpty)
            let place = first[0]
            #expect(try await part("goals", place)[1] == "20261124")
            let id = String(place.dropFirst(9))
            _ = try await server.cli(["FCALL", "todomate_remove", "1", "todomate:{alice}", id])
            let again = try await part("goals", place)
            #expect(again[1].isEmpty && again[0].hasPrefix("20261124.t"), "the day begins anew")
        }
    }

    @Test("says what is wrong with what it is asked")
    func refusals() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url)
            defer { repository.close() }
            try await repository.prepare()
            for words in [
                [], ["20261118"], ["20261118", "20261124"], ["20261124", "20261118", "goals"],
                ["x", "20261124", "goals"],
                ["20261118", "20261124", "weeks"], ["20261118", "20261124", "goals", "x"],
                ["20261118", "20261124", "goals", "20261124."], ["20261118", "20261124", "goals", "20261124.a b"],
                ["20261118", "20261124", "goals", "20261124.a", "b"],
            ] {
                let call = ["FCALL_RO", "todomate_finished", "1", "todomate:{alice}"] + words
                #expect(try await server.cli(call).hasPrefix("TODOMATE_USAGE"), "\(words)")
            }
        }
    }
}
