import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store of routines, of two devices that split one,", .serialized)
@LoopActor
struct RoutineSplitContractTests {
    private let today = CalendarDate(Date(), in: .gmt)
    nonisolated private static let daily = RoutineRule(.daily)

    /// What another device has done since this one read the routine, and what this one is answered: a split that says which rule was
    /// seen, one that does not, an end that says it.
    nonisolated private static let outcomes: [(state: String, answers: String)] = [
        ("nothing", "settings settings settings"),
        ("finished", "settings settings settings"),
        ("renamed", "settings settings settings"),
        ("counted", "conflict settings conflict"),
        ("split on the day", "conflict conflict conflict"),
        ("split before", "conflict conflict conflict"),
        ("split behind", "conflict settings conflict"),
        ("split on the first day", "notFound notFound notFound"),
        ("split by this request", "exists exists conflict"),
        ("split by this request on the first day", "exists exists notFound"),
        ("ended", "conflict conflict conflict"),
        ("gone", "notFound notFound notFound"),
    ]

    @Test(
        "makes one that follows, whatever the other one did",
        arguments: StoresKind.allCases,
        outcomes.map(\.state)
    )
    func split(_ kind: StoresKind, _ state: String) async throws {
        let answers = try #require(Self.outcomes.first { $0.state == state }).answers.split(separator: " ").map(
            String.init
        )
        #expect(answers.count == 3)
        try await kind.with { stores in
            for (index, due) in answers.enumerated() {
                let id = "r\(index)"
                try await make(stores, id)
                try await bring(stores, id, to: state)
                let before = try await stores.todos.latestChangeID(of: "alice")
                let said = await answer {
                    let new = RoutinePatch(id: "new\(id)", content: "Swim", rule: Self.daily)
                    return try await stores.routines.split(
                        id,
                        of: "alice",
                        on: today,
                        into: index < 2 ? new : nil,
                        seen: index == 1 ? nil : Self.daily
                    )
                }
                #expect(said == due, "\(index) after \(state)")
                let isWritten = try await stores.todos.latestChangeID(of: "alice") != before
                #expect(isWritten == (due == "settings"), "\(index) after \(state)")
                // Who does not say what was seen is told only of what ended before.
                if index != 1 || state != "split behind" {
                    let days = try await open(stores)
                    #expect(Set(days).count == days.count, "\(index) after \(state): \(days)")
                }
                let all = try await stores.routines.routines(of: "alice").map { RoutinePatch(id: $0.id, isEnded: true) }
                if !all.isEmpty { try await stores.routines.set(all, of: "alice") }
            }
        }
    }

    /// What was done since a split, what taking it back is answered, and the days that are open then, counted from today.
    nonisolated private static let returns: [(state: String, answer: String, open: [Int])] = [
        ("nothing", "settings", [-3, -2, -1, 0, 1, 2, 3]),
        ("finished before", "settings", [-3, -2, 0, 1, 2, 3]),
        ("finished behind", "settings", [-3, -2, -1, 0, 2, 3]),
        ("skipped behind", "settings", [-3, -2, -1, 0, 1, 3]),
        ("counted", "conflict", [-3, -2, -1, 0, 1]),
        ("split", "conflict", [-3, -2, -1, 0, 1, 2, 3]),
        ("gone", "notFound", [-3, -2, -1]),
        ("old counted", "conflict", [-3, -2, 0, 1, 2, 3]),
    ]

    @Test(
        "takes a split back with what was done meanwhile, or not at all",
        arguments: StoresKind.allCases,
        returns.map(\.state)
    )
    func takeBack(_ kind: StoresKind, _ state: String) async throws {
        let row = try #require(Self.returns.first { $0.state == state })
        try await kind.with { stores in
            try await make(stores, "r1")
            let whole = try #require(try await stores.routines.routines(of: "alice").first)
            let new = RoutinePatch(id: "new", content: "Swim")
            let both = try await stores.routines.split("r1", of: "alice", on: today, into: new, seen: Self.daily)
            let left = try #require(both.first { $0.id == "r1" }).rule
            switch state {
            case "finished before": try await finish(stores, "r1", -1)
            case "finished behind": try await finish(stores, "new", 1)
            case "skipped behind": try await stores.routines.skip(today.adding(days: 2), of: "new", of: "alice")
            case "counted":
                try await stores.routines.set(
                    [RoutinePatch(id: "new", rule: try RoutineRule("FREQ=DAILY;COUNT=2"))],
                    of: "alice"
                )
            case "split":
                let third = RoutinePatch(id: "third")
                try await stores.routines.split("new", of: "alice", on: today.adding(days: 1), into: third)
            case "gone": try await stores.routines.set([RoutinePatch(id: "new", isEnded: true)], of: "alice")
            case "old counted":
                try await stores.routines.set(
                    [RoutinePatch(id: "r1", rule: try RoutineRule("FREQ=DAILY;COUNT=2"))],
                    of: "alice"
                )
            default: break
            }
            let before = try await stores.routines.routines(of: "alice")
            var old = RoutinePatch(whole)
            old.seen = left
            let said = await answer {
                let ended = RoutinePatch(id: "new", isEnded: true, heir: "r1", seen: Self.daily)
                return try await stores.routines.set([old, ended], of: "alice")
            }
            #expect(said == row.answer)
            #expect(try await open(stores) == row.open)
            let after = try await stores.routines.routines(of: "alice")
            if row.answer == "settings" { #expect(after.map(\.id) == ["r1"]) } else { #expect(after == before) }
        }
    }

    @Test("refuses to hand days to nobody", arguments: StoresKind.allCases)
    func heirs(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await make(stores, "r1")
            for (patch, due) in [
                (RoutinePatch(id: "r1", isEnded: true, heir: "r1"), "invalid"),
                (RoutinePatch(id: "r1", heir: "r2"), "invalid"),
                (RoutinePatch(id: "r1", isEnded: true, heir: "r2"), "notFound"),
                (RoutinePatch(id: "r2", isEnded: true, heir: "r1"), "notFound"),
                (RoutinePatch(id: "r2", content: "x", seen: Self.daily), "notFound"),
            ] {
                #expect(await answer { try await stores.routines.set([patch], of: "alice") } == due, "\(patch)")
            }
            #expect(try await stores.routines.routines(of: "alice").map(\.id) == ["r1"])
        }
    }

    private func make(_ stores: Stores, _ id: String) async throws {
        let patch = RoutinePatch(id: id, content: "Run", rule: Self.daily, from: today.adding(days: -3))
        try await stores.routines.set([patch], of: "alice")
    }

    private func finish(_ stores: Stores, _ routine: String, _ days: Int) async throws {
        let id = Routine.id(of: routine, on: today.adding(days: days))
        _ = try await stores.todos.update(id, of: "alice", with: TodoPatch(status: .complete), expecting: nil)
    }

    private func bring(_ stores: Stores, _ id: String, to state: String) async throws {
        func split(_ days: Int, into other: String?) async throws {
            let patch = other.map { RoutinePatch(id: $0, content: "Read", rule: Self.daily) }
            try await stores.routines.split(
                id,
                of: "alice",
                on: today.adding(days: days),
                into: patch,
                seen: Self.daily
            )
        }
        switch state {
        case "finished": for days in [-1, 0, 1] { try await finish(stores, id, days) }
        case "renamed": try await stores.routines.set([RoutinePatch(id: id, content: "Walk")], of: "alice")
        case "counted":
            try await stores.routines.set(
                [RoutinePatch(id: id, rule: try RoutineRule("FREQ=DAILY;COUNT=9"))],
                of: "alice"
            )
        case "split on the day": try await split(0, into: "other\(id)")
        case "split before": try await split(-1, into: "other\(id)")
        case "split behind": try await split(2, into: "other\(id)")
        case "split on the first day": try await split(-3, into: "other\(id)")
        case "split by this request": try await split(0, into: "new\(id)")
        case "split by this request on the first day": try await split(-3, into: "new\(id)")
        case "ended": try await split(0, into: nil)
        case "gone": try await stores.routines.set([RoutinePatch(id: id, isEnded: true)], of: "alice")
        default: break
        }
    }

    private func answer(_ write: @LoopActor () async throws -> [Routine]) async -> String {
        do {
            _ = try await write()
            return "settings"
        } catch {
            return Mirror(reflecting: error).children.first?.label ?? "\(error)"
        }
    }

    /// The days on which there is something to do, each as often as there is, counted from today.
    private func open(_ stores: Stores) async throws -> [Int] {
        let settings = try await stores.relations.profile(of: "alice").settings
        let stored = Set(try await stores.todos.snapshot(of: "alice", in: nil).todos.map(\.id))
        let range = today.adding(days: -3)...today.adding(days: 3)
        return settings.routineTodos(in: range, today: today, besides: stored)
            .map { $0.date.daysSince1970 - today.daysSince1970 }.sorted()
    }
}
