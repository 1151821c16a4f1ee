import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store of routines", .serialized)
@LoopActor
struct RoutineContractTests {
    private let today = CalendarDate(Date(), in: .gmt)

    private func rule(_ text: String) throws -> RoutineRule { try RoutineRule(text) }

    private func make(_ stores: Stores, _ id: String = "r1", _ text: String = "FREQ=DAILY") async throws {
        let patch = RoutinePatch(id: id, content: "Run", rule: try rule(text), from: today.adding(days: -3))
        try await stores.routines.set([patch], of: "alice")
    }

    private func id(_ days: Int = 0, _ routine: String = "r1") -> String {
        Routine.id(of: routine, on: today.adding(days: days))
    }

    @discardableResult
    private func update(
        _ stores: Stores,
        _ id: String,
        _ patch: TodoPatch,
        expecting revision: ExpectedRevision? = nil
    ) async throws -> TodoWrite {
        try await stores.todos.update(id, of: "alice", with: patch, expecting: revision)
    }

    /// The days on which there is something to do, from three days ago until in three days, counted from today.
    private func open(_ stores: Stores, _ days: ClosedRange<Int> = -3...3) async throws -> [Int] {
        let settings = try await stores.relations.profile(of: "alice").settings
        let range = today.adding(days: days.lowerBound)...today.adding(days: days.upperBound)
        return settings.routineTodos(in: range, today: today).map { $0.date.daysSince1970 - today.daysSince1970 }
            .sorted()
    }

    @Test("makes them, changes them, lists them in order and takes them away", arguments: StoresKind.allCases)
    func set(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let routines = stores.routines
            #expect(try await routines.routines(of: "alice") == [])
            try await stores.goals.set(GoalPatch(id: "g1", name: "Body"), of: "alice")
            let first = RoutinePatch(
                id: "r1",
                content: "달리기 \"x\"\\",
                rule: try rule("INTERVAL=1;BYDAY=FR,MO;FREQ=WEEKLY"),
                from: today,
                time: .set(TimeOfDay("07:00")!),
                goal: "g1",
                visibility: .set(.private)
            )
            let run = try await routines.set([first], of: "alice")[0]
            #expect(
                run.rule.description == "FREQ=WEEKLY;BYDAY=MO,FR" && run.position == 2 && run.content == "달리기 \"x\"\\"
            )
            #expect(
                run.time?.description == "07:00" && run.goal == "g1" && run.visibility == .private && run.made == []
            )
            let read = RoutinePatch(
                id: "r0",
                content: "Read",
                rule: try rule("FREQ=DAILY"),
                from: today,
                position: -1.5
            )
            #expect(try await routines.set([read], of: "alice").map(\.id) == ["r0", "r1"])
            let before = try await stores.todos.latestChangeID(of: "alice")
            #expect(try await routines.set([RoutinePatch(id: "r0", position: -1.5)], of: "alice").count == 2)
            #expect(try await stores.todos.latestChangeID(of: "alice") == before, "nothing has changed")
            // Several at once are one change, with all of them in the settings.
            let both = [
                RoutinePatch(id: "r0", isEnded: true),
                RoutinePatch(id: "r1", time: .remove, goal: "", visibility: .usual),
            ]
            let left = try await routines.set(both, of: "alice")
            #expect(left.count == 1 && left[0].time == nil && left[0].goal == nil && left[0].visibility == nil)
            let settings = try await stores.relations.profile(of: "alice").settings
            #expect(settings.routines == left)
            let changes = try #require(try await stores.todos.changes(of: "alice", since: before))
            #expect(changes.map(\.account) == [.settings(settings, audienceBefore: nil)])
            #expect(
                try await routines.set([RoutinePatch(id: "r0", isEnded: true)], of: "alice") == left,
                "gone already"
            )
            #expect(try await routines.routines(of: "bob") == [])
        }
    }

    @Test("takes no others", arguments: StoresKind.allCases)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let daily = try rule("FREQ=DAILY")
            for patch in [
                RoutinePatch(id: "r1"), RoutinePatch(id: "r1", content: "x", rule: daily),
                RoutinePatch(id: "a b", content: "x", rule: daily, from: today),
                RoutinePatch(id: String(repeating: "a", count: 55), content: "x", rule: daily, from: today),
                RoutinePatch(id: "r1", content: "", rule: daily, from: today),
                RoutinePatch(id: "r1", content: "a\nb", rule: daily, from: today),
                RoutinePatch(id: "r1", content: "x", rule: daily, from: today, position: 1e300),
                RoutinePatch(id: "r1", content: "x", rule: daily, from: today, goal: "none"),
                RoutinePatch(id: "r1", content: "x", rule: daily, from: today, goal: "a b"),
                RoutinePatch(
                    id: "r1",
                    content: "x",
                    rule: daily,
                    from: today,
                    made: (0...100).map { today.adding(days: $0) }
                ),
                RoutinePatch(
                    id: "r1",
                    content: "x",
                    rule: try rule("FREQ=DAILY;UNTIL=\(today.adding(days: -1).ordinal)"),
                    from: today
                ),
            ] {
                await expect("invalid", "\(patch)") { try await stores.routines.set([patch], of: "alice") }
            }
            let twice = RoutinePatch(id: "r1", content: "x", rule: daily, from: today)
            await expect("invalid") { try await stores.routines.set([twice, twice], of: "alice") }
            await expect("invalid") { try await stores.routines.set([], of: "alice") }
            // One that is refused refuses all.
            await expect("invalid") { try await stores.routines.set([twice, RoutinePatch(id: "r2")], of: "alice") }
            #expect(try await stores.routines.routines(of: "alice") == [])
            let most = (1...Routine.most).map { RoutinePatch(id: "r\($0)", content: "x", rule: daily, from: today) }
            try await stores.routines.set(most, of: "alice")
            await expect("full") { try await make(stores, "more") }
            try await stores.routines.set([RoutinePatch(id: "r7", content: "other")], of: "alice")
            let long = String(repeating: "\"", count: 500)
            await expect("full") {
                try await stores.routines.set(most.map { RoutinePatch(id: $0.id, content: long) }, of: "alice")
            }
            #expect(try await stores.routines.routines(of: "alice").count == Routine.most)
        }
    }

    @Test("has the days of the table", arguments: StoresKind.allCases.filter { $0 != .cluster })
    func table(_ kind: StoresKind) async throws {
        struct Table: Decodable {
            struct Row: Decodable {
                var rule: String
                var from: CalendarDate
                var `in`: [CalendarDate]
                var days: [CalendarDate]
                var spelt: String?
            }
            var rules: [Row]
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Routines/rules.json")
        let table = try JSONDecoder().decode(Table.self, from: Data(contentsOf: file))
        #expect(table.rules.count > 40)
        try await kind.with { stores in
            for row in table.rules {
                let patch = RoutinePatch(id: "r1", content: "x", rule: try rule(row.rule), from: row.from)
                guard !row.days.isEmpty else {
                    await expect("invalid", "\(row)") { try await stores.routines.set([patch], of: "alice") }
                    continue
                }
                let routine = try await stores.routines.set([patch], of: "alice")[0]
                #expect(routine.rule.description == row.spelt ?? row.rule)
                // Which days there are shows in where another one may take over, today or long ago.
                let range = row.in[0].daysSince1970...min(row.in[1].daysSince1970, row.in[0].daysSince1970 + 60)
                for number in range {
                    let day = CalendarDate(daysSince1970: number)
                    let other = RoutinePatch(id: "r2")
                    guard row.days.contains(day) else {
                        await expect("invalid", "\(row) \(day)") {
                            try await stores.routines.split("r1", of: "alice", on: day, into: other)
                        }
                        continue
                    }
                    let both = try await stores.routines.split("r1", of: "alice", on: day, into: other)
                    let found = both.flatMap { $0.rule.days(from: $0.from, in: row.in[0]...row.in[1]) }
                    #expect(found.sorted() == row.days, "\(row) \(day)")
                    let back = [RoutinePatch(id: "r2", isEnded: true), patch]
                    #expect(try await stores.routines.set(back, of: "alice").map(\.rule) == [routine.rule])
                }
                try await stores.routines.set([RoutinePatch(id: "r1", isEnded: true)], of: "alice")
            }
        }
    }

    /// What may have become of today's todo of a daily routine, and what is done with it then.
    private static let events = ["finish", "expectNone", "expectSome", "skip", "back", "remove", "add", "split", "end"]
    nonisolated private static let outcomes: [(state: String, answers: String)] = [
        // finish, finish where none may be, finish at a revision, skip, back, remove, add by id, change from here on, end
        ("open", "added added notFound settings same notFound added settings settings"),
        ("made", "same conflict conflict same exists removed same settings settings"),
        ("moved", "same conflict conflict same exists removed exists settings settings"),
        ("removed", "notFound notFound notFound same settings notFound added settings settings"),
        ("skipped", "notFound notFound notFound same settings notFound added settings settings"),
        ("ended", "notFound notFound notFound invalid invalid notFound added invalid same"),
        ("gone", "notFound notFound notFound notFound notFound notFound added notFound notFound"),
    ]

    @Test(
        "answers whatever is done with a day by what became of it",
        arguments: StoresKind.allCases,
        outcomes.map(\.state)
    )
    func product(_ kind: StoresKind, _ state: String) async throws {
        let answers = try #require(Self.outcomes.first { $0.state == state }).answers.split(separator: " ").map(
            String.init
        )
        #expect(answers.count == Self.events.count)
        try await kind.with { stores in
            for (index, (event, due)) in zip(Self.events, answers).enumerated() {
                let routine = "r\(index)"
                try await make(stores, routine)
                try await bring(stores, routine, to: state)
                let before = try await stores.todos.latestChangeID(of: "alice")
                let routinesBefore = try await stores.routines.routines(of: "alice")
                let answer = try await act(stores, routine, event)
                #expect(answer == due, "\(event) when \(state)")
                let isWritten = ["added", "settings", "removed"].contains(due)
                #expect(
                    try await (stores.todos.latestChangeID(of: "alice") != before) == isWritten,
                    "\(event) when \(state)"
                )
                if !isWritten {
                    #expect(try await stores.routines.routines(of: "alice") == routinesBefore)
                }
                // However it came to be, it is there at most once.
                let settings = try await stores.relations.profile(of: "alice").settings
                let stored = try await stores.todos.snapshot(of: "alice", in: nil).todos.map(\.id)
                let unmade = settings.routineTodos(in: today...today, today: today, besides: Set(stored)).map(\.id)
                #expect(!unmade.contains(id(0, routine)) || !stored.contains(id(0, routine)))
                let gone = ["removed", "skipped", "ended", "gone"]
                if gone.contains(state), !["back", "add"].contains(event) {
                    #expect(
                        !unmade.contains(id(0, routine)) && !stored.contains(id(0, routine)),
                        "\(event) when \(state)"
                    )
                }
            }
        }
    }

    private func bring(_ stores: Stores, _ routine: String, to state: String) async throws {
        switch state {
        case "made": try await update(stores, id(0, routine), TodoPatch(status: .complete))
        case "moved":
            try await update(stores, id(0, routine), TodoPatch(date: today.adding(days: 9), status: .complete))
        case "removed":
            try await update(stores, id(0, routine), TodoPatch(status: .complete))
            _ = try await stores.todos.remove(id(0, routine), of: "alice", expecting: nil)
        case "skipped": try await stores.routines.skip(today, of: routine, of: "alice")
        case "ended": try await stores.routines.split(routine, of: "alice", on: today, into: nil)
        case "gone": try await stores.routines.set([RoutinePatch(id: routine, isEnded: true)], of: "alice")
        default: break
        }
    }

    /// Does something with today's todo, and says what came of it.
    private func act(_ stores: Stores, _ routine: String, _ event: String) async throws -> String {
        let todo = id(0, routine)
        func said(_ write: TodoWrite) -> String { write.change.map { $0.kind.rawValue } ?? "same" }
        let before = try await stores.routines.routines(of: "alice")
        func said(_ routines: [Routine]) -> String { routines == before ? "same" : "settings" }
        do {
            switch event {
            case "finish": return said(try await update(stores, todo, TodoPatch(status: .complete)))
            case "expectNone": return said(try await update(stores, todo, TodoPatch(status: .inProgress), expecting: 0))
            case "expectSome":
                return said(try await update(stores, todo, TodoPatch(status: .inProgress), expecting: 999))
            case "skip": return said(try await stores.routines.skip(today, of: routine, of: "alice"))
            case "back": return said(try await stores.routines.skip(today, of: routine, of: "alice", isBack: true))
            case "remove":
                return try await stores.todos.remove(todo, of: "alice", expecting: nil).kind.rawValue
            case "add":
                return said(
                    try await stores.todos.add(TodoDraft(id: todo, date: today, content: "Run"), for: "alice")
                )
            case "split":
                let other = RoutinePatch(id: "x\(routine)", content: "Swim")
                return said(try await stores.routines.split(routine, of: "alice", on: today, into: other))
            default: return said(try await stores.routines.split(routine, of: "alice", on: today, into: nil))
            }
        } catch let error as TodoError {
            return Mirror(reflecting: error).children.first?.label ?? "\(error)"
        }
    }

    @Test(
        "makes the todo of a day by its first update, with what the routine and the update say",
        arguments: StoresKind.allCases
    )
    func making(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.goals.set(GoalPatch(id: "g1", name: "Body", visibility: .private), of: "alice")
            try await make(stores)
            try await stores.routines.set(
                [RoutinePatch(id: "r1", time: .set(TimeOfDay("07:00")!), goal: "g1")],
                of: "alice"
            )
            let shown = try #require(
                try await stores.relations.profile(of: "alice").settings.routineTodos(in: today...today, today: today)
                    .first
            )
            let made = try await update(stores, id(), TodoPatch(status: .complete)).todo
            #expect(shown.isUnmade && !made.isUnmade)
            var expected = shown
            (expected.status, expected.revision, expected.micros) = (.complete, made.revision, made.micros)
            (expected.createdAt, expected.updatedAt) = (made.createdAt, made.updatedAt)
            #expect(made == expected, "what was shown is what is made")
            // To another day, with words of its own; the day is done with all the same.
            let moved = try await update(
                stores,
                id(1),
                TodoPatch(
                    date: today.adding(days: 5),
                    time: .remove,
                    content: "Run \"far\"",
                    detail: "a\nb\\",
                    visibility: .public,
                    goal: ""
                )
            ).todo
            #expect(moved.date == today.adding(days: 5) && moved.time == nil && moved.content == "Run \"far\"")
            #expect(
                moved.detail == "a\nb\\" && moved.visibility == .public && moved.goal == nil && moved.status == .todo
            )
            #expect(try await open(stores, 0...6) == [2, 3, 4, 5, 6])
            // What is refused makes nothing.
            for patch in [TodoPatch(content: ""), TodoPatch(position: 1e300), TodoPatch(goal: "none")] {
                await expect("invalid", "\(patch)") { try await update(stores, id(2), patch) }
            }
            for none in [id(2, "r2"), "r1--20260230", "r1--20261", id(-4), "--20261120"] {
                await expect("notFound", "\(none)") { try await update(stores, none, TodoPatch(status: .complete)) }
            }
            #expect(try await open(stores, 0...6) == [2, 3, 4, 5, 6])
            // Its own words stay when the routine gets others; its day comes back when it is gone and asked for.
            try await stores.routines.set([RoutinePatch(id: "r1", content: "Swim")], of: "alice")
            #expect(try await stores.todos.todo(id(1), of: "alice").content == "Run \"far\"")
            _ = try await stores.todos.remove(id(1), of: "alice", expecting: nil)
            #expect(try await open(stores, 0...2) == [2])
            try await stores.routines.skip(today.adding(days: 1), of: "r1", of: "alice", isBack: true)
            #expect(try await open(stores, 0...2) == [1, 2])
            // A message is enough to know that a day was made.
            let before = try await stores.todos.latestChangeID(of: "alice")
            var settings = try await stores.relations.profile(of: "alice").settings
            try await update(stores, id(1), TodoPatch(status: .inProgress))
            for change in try #require(try await stores.todos.changes(of: "alice", since: before)) {
                #expect(change.kind == .added)
                settings.noteMade(change.todo.id)
            }
            #expect(try await stores.relations.profile(of: "alice").settings == settings)
        }
    }

    @Test("ends one and begins another on the same day, with what was done", arguments: StoresKind.allCases)
    func split(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await make(stores, "r1", "FREQ=DAILY;COUNT=8")
            for days in [-1, 2] { try await update(stores, id(days), TodoPatch(status: .complete)) }
            try await stores.routines.skip(today.adding(days: 3), of: "r1", of: "alice")
            let swim = RoutinePatch(id: "r2", content: "Swim")
            await expect("exists") {
                try await stores.routines.split("r1", of: "alice", on: today, into: RoutinePatch(id: "r1"))
            }
            await expect("invalid", "no day of it") {
                try await stores.routines.split("r1", of: "alice", on: today.adding(days: 5), into: swim)
            }
            await expect("invalid", "before it") {
                let early = RoutinePatch(id: "r2", from: today.adding(days: -1))
                try await stores.routines.split("r1", of: "alice", on: today, into: early)
            }
            await expect("invalid") {
                try await stores.routines.split("r1", of: "alice", on: today, into: RoutinePatch(id: "r2", made: []))
            }
            await expect("notFound") { try await stores.routines.split("r9", of: "alice", on: today, into: nil) }
            let both = try await stores.routines.split("r1", of: "alice", on: today.adding(days: 1), into: swim)
            let (old, new) = (try #require(both.first { $0.id == "r1" }), try #require(both.first { $0.id == "r2" }))
            #expect(old.rule.end == .until(today) && old.made == [today.adding(days: -1)])
            #expect(new.rule.end == .count(4) && new.content == "Swim" && new.from == today.adding(days: 1))
            #expect(new.made == [today.adding(days: 2), today.adding(days: 3)] && new.position == old.position)
            #expect(try await open(stores, -3...9) == [-3, -2, 0, 1, 4])
            // With another rule, the day need not be one of the old.
            let weekly = RoutinePatch(id: "r3", rule: try rule("FREQ=WEEKLY"))
            await expect("conflict", "it has ended") {
                try await stores.routines.split("r2", of: "alice", on: today.adding(days: 6), into: weekly)
            }
            try await stores.routines.set(
                [RoutinePatch(id: "r2", rule: try rule("FREQ=DAILY;INTERVAL=4"))],
                of: "alice"
            )
            try await stores.routines.split("r2", of: "alice", on: today.adding(days: 6), into: weekly)
            #expect(try await open(stores, -3...14) == [-3, -2, 0, 1, 5, 6, 13])
            // From its first day on, nothing is left of the old one.
            try await stores.routines.split("r1", of: "alice", on: today.adding(days: -3), into: nil)
            #expect(try await stores.routines.routines(of: "alice").map(\.id) == ["r2", "r3"])
            // All of that is taken back at once.
            let patches = [
                RoutinePatch(old), RoutinePatch(id: "r2", isEnded: true), RoutinePatch(id: "r3", isEnded: true),
            ]
            #expect(try await stores.routines.set(patches, of: "alice") == [old])
        }
    }

    @Test("remembers no more than it has to, and never less", arguments: StoresKind.allCases)
    func memory(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let from = today.adding(days: -400)
            let made = [today.adding(days: -60), today.adding(days: -38), today.adding(days: -2)]
            let patch = RoutinePatch(id: "r1", content: "x", rule: try rule("FREQ=DAILY"), from: from, made: made)
            #expect(try await stores.routines.set([patch], of: "alice")[0].made == Array(made.dropFirst()))
            #expect(try await open(stores, -60...0).first == -31, "what was not done by then does not wait for ever")
            for days in [-60, -45] {
                await expect("notFound") { try await update(stores, id(days), TodoPatch(status: .complete)) }
                await expect("invalid") {
                    try await stores.routines.skip(today.adding(days: days), of: "r1", of: "alice")
                }
            }
            try await update(stores, id(-31), TodoPatch(status: .complete))
            for days in 1...97 { try await stores.routines.skip(today.adding(days: days), of: "r1", of: "alice") }
            await expect("full") { try await stores.routines.skip(today.adding(days: 98), of: "r1", of: "alice") }
            await expect("full") { try await update(stores, id(98), TodoPatch(status: .complete)) }
            await expect("notFound") { _ = try await stores.todos.todo(id(98), of: "alice") }
            #expect(try await stores.routines.routines(of: "alice")[0].made.count == 100)
        }
    }

    @Test("keeps them out of accounts that are to be deleted", arguments: StoresKind.allCases)
    func leaving(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: "$argon2id$one")
            try await make(stores)
            _ = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            await expect("leaving") { try await make(stores, "r2") }
            await expect("leaving") { try await update(stores, id(), TodoPatch(status: .complete)) }
            await expect("leaving") { try await stores.routines.skip(today, of: "r1", of: "alice") }
            await expect("leaving") { try await stores.routines.split("r1", of: "alice", on: today, into: nil) }
        }
    }
}
