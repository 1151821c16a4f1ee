import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("The badge of today", .serialized)
@LoopActor
struct RoutineBadgeContractTests {
    private let today = CalendarDate(Date(), in: .gmt)

    /// What became of a daily routine since three days ago, and what the badge counts of it today.
    nonisolated private static let outcomes: [(state: String, due: Int)] = [
        ("none", 0), ("due", 1), ("skipped", 0), ("skipped tomorrow", 1), ("had again", 1), ("begun", 1),
        ("finished", 0),
        ("moved to tomorrow", 0), ("moved to yesterday", 1), ("removed", 0), ("opened again", 1), ("ended", 0),
        ("ended from tomorrow", 1), ("split today", 1), ("split today for tomorrow", 0), ("split tomorrow", 1),
        ("split when finished", 0), ("over by its count", 0), ("on its last day", 1), ("not begun", 0),
        ("every other day", 0), ("added by its id", 1), ("taken away", 0), ("fifty", 50),
    ]

    @Test(
        "counts a routine as the list of today shows it",
        arguments: StoresKind.allCases,
        outcomes.map(\.state)
    )
    func today(_ kind: StoresKind, _ state: String) async throws {
        let due = try #require(Self.outcomes.first { $0.state == state }).due
        try await kind.with { stores in
            // Others stand beside it: one of today, one left from yesterday, one to come.
            for days in [-1, 0, 1] {
                let draft = TodoDraft(date: today.adding(days: days), content: "x")
                _ = try await stores.todos.add(draft, for: "alice")
            }
            try await bring(stores, to: state)
            let badges = try await stores.feeds.badges(of: "alice", on: today)
            #expect(badges.today == 2 + due)
            let stored = try await stores.todos.snapshot(of: "alice", in: nil).todos.filter(\.status.isOpen)
            let settings = try await stores.relations.profile(of: "alice").settings
            let shown = settings.routineTodos(in: today...today, today: today, besides: Set(stored.map(\.id)))
            #expect(badges.today == stored.count { $0.date <= today } + shown.count, "as the list shows it")
            #expect(badges.open == stored.count + shown.count)
        }
    }

    private func bring(_ stores: Stores, to state: String) async throws {
        guard state != "none" else { return }
        let routines = stores.routines
        func set(_ rule: String = "FREQ=DAILY", from days: Int = -3, id: String = "r1") async throws {
            let rule = try RoutineRule(rule)
            let patch = RoutinePatch(id: id, content: "Run", rule: rule, from: today.adding(days: days))
            try await routines.set([patch], of: "alice")
        }
        let id = Routine.id(of: "r1", on: today)
        func update(_ patch: TodoPatch) async throws {
            _ = try await stores.todos.update(id, of: "alice", with: patch, expecting: nil)
        }
        switch state {
        case "over by its count": return try await set("FREQ=DAILY;COUNT=3")
        case "on its last day": return try await set("FREQ=DAILY;COUNT=4")
        case "not begun": return try await set(from: 1)
        case "every other day": return try await set("FREQ=DAILY;INTERVAL=2")
        case "fifty": for number in 0..<50 { try await set(id: "r\(number)") }
        default: try await set()
        }
        let tomorrow = today.adding(days: 1)
        let other = RoutinePatch(id: "r2", content: "Swim")
        switch state {
        case "skipped": try await routines.skip(today, of: "r1", of: "alice")
        case "skipped tomorrow": try await routines.skip(tomorrow, of: "r1", of: "alice")
        case "had again":
            for isBack in [false, true] { try await routines.skip(today, of: "r1", of: "alice", isBack: isBack) }
        case "begun": try await update(TodoPatch(status: .inProgress))
        case "finished": try await update(TodoPatch(status: .complete))
        case "moved to tomorrow": try await update(TodoPatch(date: tomorrow))
        case "moved to yesterday": try await update(TodoPatch(date: today.adding(days: -1)))
        case "removed":
            try await update(TodoPatch(status: .complete))
            _ = try await stores.todos.remove(id, of: "alice", expecting: nil)
        case "opened again": for status in [TodoStatus.complete, .todo] { try await update(TodoPatch(status: status)) }
        case "ended": try await routines.split("r1", of: "alice", on: today, into: nil)
        case "ended from tomorrow": try await routines.split("r1", of: "alice", on: tomorrow, into: nil)
        case "split today": try await routines.split("r1", of: "alice", on: today, into: other)
        case "split today for tomorrow":
            let later = RoutinePatch(id: "r2", content: "Swim", from: tomorrow)
            try await routines.split("r1", of: "alice", on: today, into: later)
        case "split tomorrow": try await routines.split("r1", of: "alice", on: tomorrow, into: other)
        case "split when finished":
            try await update(TodoPatch(status: .complete))
            try await routines.split("r1", of: "alice", on: today, into: other)
        case "added by its id":
            _ = try await stores.todos.add(TodoDraft(id: id, date: today, content: "Run"), for: "alice")
        case "taken away": try await routines.set([RoutinePatch(id: "r1", isEnded: true)], of: "alice")
        default: break
        }
    }
}
