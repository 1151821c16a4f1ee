import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store of goals", .serialized)
@LoopActor
struct GoalContractTests {
    private let today = CalendarDate("2026-11-20")!

    @discardableResult
    private func add(
        _ stores: Stores,
        _ id: String,
        goal: String? = nil,
        visibility: Visibility? = nil
    ) async throws -> Todo {
        let draft = TodoDraft(id: id, date: today, content: id, visibility: visibility, goal: goal)
        return try await stores.todos.add(draft, for: "alice").todo
    }

    private func update(_ stores: Stores, _ id: String, _ patch: TodoPatch) async throws -> Todo {
        try await stores.todos.update(id, of: "alice", with: patch, expecting: nil).todo
    }

    @Test("makes them, changes them and lists them in order", arguments: StoresKind.allCases)
    func set(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let goals = stores.goals
            #expect(try await goals.goals(of: "alice") == [])
            try await stores.relations.set(AccountPatch(visibility: .private), of: "alice")
            let work = try await goals.set(GoalPatch(id: "g1", name: "일 \"x\"\\"), of: "alice")
            #expect(work == Goal(id: "g1", name: "일 \"x\"\\", color: .green, position: 2, visibility: .private))
            let home = try await goals.set(
                GoalPatch(id: "g2", name: "Home", color: .teal, position: -1.5, visibility: .public),
                of: "alice"
            )
            #expect(try await goals.goals(of: "alice") == [home, work])
            let before = try await stores.todos.latestChangeID(of: "alice")
            #expect(try await goals.set(GoalPatch(id: "g2", color: .teal), of: "alice") == home)
            #expect(try await stores.todos.latestChangeID(of: "alice") == before, "nothing has changed")
            let archived = try await goals.set(GoalPatch(id: "g2", name: "House", isArchived: true), of: "alice")
            #expect(archived.name == "House" && archived.color == .teal && archived.isArchived)
            #expect(try await goals.goals(of: "alice").map(\.id) == ["g1", "g2"])
            #expect(try await goals.goals(of: "bob") == [])
            // The settings have them, and so has the message.
            let settings = try await stores.relations.profile(of: "alice").settings
            #expect(settings.goals.map(\.id) == ["g1", "g2"])
            let changes = try #require(try await stores.todos.changes(of: "alice", since: before))
            #expect(changes.map(\.account) == [.settings(settings, audienceBefore: nil)])
        }
    }

    @Test("takes no others", arguments: StoresKind.allCases)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for patch in [
                GoalPatch(id: "g1"), GoalPatch(id: "a b", name: "x"), GoalPatch(id: "", name: "x"),
                GoalPatch(id: "g1", name: ""), GoalPatch(id: "g1", name: "a\nb"),
                GoalPatch(id: "g1", name: String(repeating: "x", count: 41)),
                GoalPatch(id: "g1", name: "x", position: 1e300),
            ] {
                await expect("invalid", "\(patch)") { try await stores.goals.set(patch, of: "alice") }
            }
            #expect(try await stores.goals.goals(of: "alice") == [])
            for number in 1...Goal.most {
                try await stores.goals.set(GoalPatch(id: "g\(number)", name: "x"), of: "alice")
            }
            await expect("full") { try await stores.goals.set(GoalPatch(id: "more", name: "x"), of: "alice") }
            try await stores.goals.set(GoalPatch(id: "g7", name: "other"), of: "alice")
            #expect(try await stores.goals.goals(of: "alice").count == Goal.most)
        }
    }

    @Test(
        "gives new todos the visibility, unless they have their own, and no other ones",
        arguments: StoresKind.allCases
    )
    func todos(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            await expect("invalid", "before there is one") { try await add(stores, "a", goal: "g1") }
            try await stores.goals.set(GoalPatch(id: "g1", name: "Work", visibility: .private), of: "alice")
            try await stores.goals.set(GoalPatch(id: "g2", name: "Home", visibility: .public), of: "alice")
            let plain = try await add(stores, "plain")
            #expect(plain.goal == nil && plain.visibility == .followers)
            #expect(!TodoDTO(plain).json.contains("goal"))
            let hidden = try await add(stores, "hidden", goal: "g1")
            #expect(hidden.goal == "g1" && hidden.visibility == .private)
            #expect(try await add(stores, "shown", goal: "g1", visibility: .public).visibility == .public)
            #expect(try await stores.todos.todo("hidden", of: "alice") == hidden)
            #expect(try await stores.todos.snapshot(of: "alice", in: nil).todos.compactMap(\.goal) == ["g1", "g1"])
            // Nothing becomes visible because it is for something else.
            let moved = try await update(stores, "hidden", TodoPatch(goal: "g2"))
            #expect(moved.goal == "g2" && moved.visibility == .private && moved.revision > hidden.revision)
            #expect(try await update(stores, "hidden", TodoPatch(content: "x", goal: "g2")).goal == "g2")
            let none = try await update(stores, "hidden", TodoPatch(goal: ""))
            #expect(none.goal == nil && none.visibility == .private)
            let id = try await stores.todos.latestChangeID(of: "alice")
            #expect(try await update(stores, "hidden", TodoPatch(goal: "")) == none)
            for goal in ["g3", "a b"] {
                await expect("invalid", "\(goal)") { _ = try await update(stores, "plain", TodoPatch(goal: goal)) }
            }
            #expect(try await stores.todos.latestChangeID(of: "alice") == id)
            // What it was for comes back with what it was.
            let found = try await stores.histories.history(of: "hidden", of: "alice", before: nil)
            #expect(found.differences(at: 0) == [.goal])
            let back = try await TodoService(stores.todos).bringBack(found.entries[1].todo, from: found.todo)
            #expect(back.goal == "g2")
        }
    }

    @Test("gives all todos of a goal its visibility, some at a time, once", arguments: StoresKind.allCases)
    func spread(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            await expect("invalid") { _ = try await stores.goals.spread(.private, to: "g1", of: "alice", from: nil) }
            for id in ["g1", "g2"] { try await stores.goals.set(GoalPatch(id: id, name: id), of: "alice") }
            #expect(try await stores.goals.spread(.followers, to: "g1", of: "alice").changed == 0)
            for number in 0..<450 {
                try await add(
                    stores,
                    "t\(number)",
                    goal: number % 3 == 0 ? "g2" : "g1",
                    visibility: number < 30 ? .private : nil
                )
            }
            #expect(
                try await stores.goals.spread(.followers, to: "g1", of: "alice").changed == 20,
                "the others are visible to followers already"
            )
            try await stores.goals.set(GoalPatch(id: "g1", visibility: .private), of: "alice")
            let before = try await stores.todos.latestChangeID(of: "alice")
            await expect("conflict") { try await stores.goals.spread(.followers, to: "g1", of: "alice") }
            #expect(try await stores.todos.latestChangeID(of: "alice") == before)
            var (parts, last) = (0, 0)
            let done = try await stores.goals.spread(.private, to: "g1", of: "alice") { part in
                #expect(part.changed - last <= 100 && part.seen <= 450 + 100)
                (parts, last) = (parts + 1, part.changed)
            }
            #expect(done.changed == 300 && done.broken == 0 && last == 300 && parts >= 3)
            let all = try await stores.todos.snapshot(of: "alice", in: nil).todos
            #expect(all.filter { $0.goal == "g1" }.allSatisfy { $0.visibility == .private })
            #expect(all.count { $0.goal == "g2" && $0.visibility == .followers } == 140)
            let latest = try await stores.todos.latestChangeID(of: "alice")
            #expect(try await stores.goals.spread(.private, to: "g1", of: "alice").changed == 0)
            #expect(try await stores.todos.latestChangeID(of: "alice") == latest)
            for place in ["x", "-1", "", "99999999999999999"] {
                await expect("invalid") {
                    _ = try await stores.goals.spread(.private, to: "g1", of: "alice", from: place)
                }
            }
        }
    }

    @Test(
        "removes one and takes it from its todos, some a call, and none of them is seen by others",
        arguments: StoresKind.allCases
    )
    func remove(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            #expect(try await stores.goals.remove("g1", of: "alice").changed == 0)
            for id in ["g1", "g2"] {
                try await stores.goals.set(GoalPatch(id: id, name: id, visibility: .private), of: "alice")
            }
            for number in 0..<450 { try await add(stores, "t\(number)", goal: number % 3 == 0 ? "g2" : "g1") }
            let first = try await stores.goals.remove("g1", of: "alice", from: nil)
            #expect(first.changed <= 100 && first.next != nil)
            // It is gone at once, for new todos too; what was broken off goes on, and is not done again.
            #expect(try await stores.goals.goals(of: "alice").map(\.id) == ["g2"])
            await expect("invalid") { try await add(stores, "late", goal: "g1") }
            let changed = try await stores.goals.remove("g1", of: "alice").changed
            #expect(first.changed + changed == 300)
            #expect(try await stores.goals.remove("g1", of: "alice").changed == 0)
            let all = try await stores.todos.snapshot(of: "alice", in: nil).todos
            #expect(all.count == 450 && all.count { $0.goal == "g2" } == 150 && all.count { $0.goal == nil } == 300)
            #expect(all.allSatisfy { $0.visibility == .private })
            await expect("invalid") { _ = try await stores.goals.remove("a b", of: "alice", from: nil) }
        }
    }

    @Test("removes one from routines, whose todos stay for those whom they were for", arguments: StoresKind.allCases)
    func removeFromRoutines(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for id in ["g1", "g2"] {
                try await stores.goals.set(GoalPatch(id: id, name: id, visibility: .private), of: "alice")
            }
            let day = CalendarDate(Date(), in: .gmt)
            func patch(_ id: String, goal: String, _ visibility: RoutinePatch.VisibilityChange? = nil) -> RoutinePatch {
                RoutinePatch(
                    id: id,
                    content: "\",\"goal\":\"g1\"",
                    rule: RoutineRule(.daily),
                    from: day,
                    goal: goal,
                    visibility: visibility
                )
            }
            let patches = [
                patch("r1", goal: "g1"), patch("r2", goal: "g1", .set(.public)), patch("r3", goal: "g2"),
                patch("r4", goal: "g1"),
            ]
            try await stores.routines.set(patches, of: "alice")
            try await stores.routines.skip(day, of: "r4", of: "alice")
            let before = try await stores.todos.latestChangeID(of: "alice")
            _ = try await stores.goals.remove("g1", of: "alice")
            let left = try await stores.routines.routines(of: "alice")
            #expect(left.map(\.goal) == [nil, nil, "g2", nil])
            #expect(left.map(\.visibility) == [.private, .public, nil, .private])
            #expect(left.map(\.made) == [[], [], [], [day]] && Set(left.map(\.content)).count == 1)
            // The settings that were told say the same, and what is made of a day is seen by nobody else.
            let settings = try await stores.relations.profile(of: "alice").settings
            let changes = try #require(try await stores.todos.changes(of: "alice", since: before))
            #expect(changes.last?.account == .settings(settings, audienceBefore: nil))
            let made = try await stores.todos.update(
                Routine.id(of: "r1", on: day),
                of: "alice",
                with: TodoPatch(status: .complete),
                expecting: nil
            )
            #expect(made.todo.visibility == .private && made.todo.goal == nil)
        }
    }

    @Test(
        "puts one before or behind another, also where no number is left between them",
        arguments: StoresKind.allCases
    )
    func move(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for (id, position) in [("a", 1.0), ("b", 1.0000000000000002), ("c", 3.0), ("old", 2.0)] {
                let patch = GoalPatch(id: id, name: id, position: position, isArchived: id == "old")
                try await stores.goals.set(patch, of: "alice")
            }
            for (id, place, order) in [
                ("c", GoalPlace.before("a"), ["c", "a", "b", "old"]), ("c", .after("a"), ["a", "c", "b", "old"]),
                ("c", .after("b"), ["a", "b", "c", "old"]), ("old", .before("b"), ["a", "b", "c", "old"]),
            ] {
                #expect(try await stores.goals.move(id, of: "alice", to: place).map(\.id) == order, "\(id) \(place)")
            }
            await expect("invalid") { try await stores.goals.move("a", of: "alice", to: .after("a")) }
            await expect("invalid") { try await stores.goals.move("a", of: "alice", to: .after("none")) }
            await expect("invalid") { try await stores.goals.move("none", of: "alice", to: .before("a")) }
        }
    }

    @Test("keeps them out of accounts that are to be deleted", arguments: StoresKind.allCases)
    func leaving(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: "$argon2id$one")
            try await stores.goals.set(GoalPatch(id: "g1", name: "Work"), of: "alice")
            _ = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            await expect("leaving") { try await stores.goals.set(GoalPatch(id: "g1", name: "Other"), of: "alice") }
        }
    }
}
