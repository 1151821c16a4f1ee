import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("Every store of notes of days", .serialized)
@LoopActor
struct NoteContractTests {
    private static let friday = CalendarDate("2026-11-20")!
    private static let saturday = CalendarDate("2026-11-21")!
    private let id = "note-of-2026-11-20"

    @discardableResult
    private func set(
        _ stores: Stores,
        _ detail: String?,
        _ visibility: Visibility? = nil,
        on day: CalendarDate = friday,
        expecting revision: ExpectedRevision? = nil
    ) async throws -> TodoWrite {
        try await stores.notes.set(detail, visibility: visibility, on: day, of: "alice", expecting: revision)
    }

    @Test("writes one a day, changes it and takes it away", arguments: StoresKind.allCases)
    func life(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let text = "Rain. \"Tea\"\\\n\tand 긴 산책 📖\u{2028}."
            let added = try #require(try await set(stores, text).change)
            let note = added.todo
            #expect(added.kind == .added && note.id == id && note.date == Self.friday && note.isNote)
            #expect(note.content == "📔" && note.detail == text && note.status == .incomplete)
            #expect(note.visibility == .private && note.time == nil && note.goal == nil)
            // Said again, it changes nothing; neither does what it is already.
            #expect(try await set(stores, text).change == nil)
            #expect(try await set(stores, nil, .private).change == nil)
            let modified = try #require(try await set(stores, "Sun", .followers).change)
            #expect(modified.kind == .modified && modified.visibilityBefore == .private)
            #expect(modified.todo.detail == "Sun" && modified.todo.createdAt == note.createdAt)
            // What is not said stays.
            #expect(try await set(stores, "Wind").todo.visibility == .followers)
            #expect(try await set(stores, nil, .public).todo.detail == "Wind")
            try await set(stores, "Another day", on: Self.saturday)
            let removed = try #require(try await set(stores, " \n\t\u{3000}\u{2028}").change)
            #expect(removed.kind == .removed && removed.todo.detail == "Wind")
            await expect("notFound") { _ = try await stores.todos.record(id, of: "alice") }
            let all = try await stores.todos.snapshot(of: "alice", in: nil).todos
            #expect(all.map(\.id) == ["note-of-2026-11-21"])
            // A new one of the same day knows nothing of the old one.
            #expect(try await set(stores, "Again").todo.visibility == .private)
            let since = try #require(try await stores.todos.changes(of: "alice", since: added.id!))
            #expect(since.map(\.kind) == [.modified, .modified, .modified, .added, .removed, .added])
        }
    }

    @Test("is private whatever new todos are, and as is said", arguments: StoresKind.allCases)
    func visibility(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for usual in Visibility.allCases {
                try await stores.relations.set(AccountPatch(visibility: usual), of: "alice")
                for said in [nil] + Visibility.allCases.map(Optional.some) {
                    #expect(try await set(stores, "x", said).todo.visibility == said ?? .private)
                    try await set(stores, "")
                }
            }
        }
    }

    /// What is there when somebody writes with an expectation, and what becomes of it.
    @Test("writes only over what is expected", arguments: StoresKind.allCases)
    func expectations(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            // Nothing is there.
            for (detail, revision) in [
                ("x", ExpectedRevision(1)), ("x", ExpectedRevision(1, micros: 5)), ("", 0), ("", 7),
            ] {
                await expect("notFound", "\(revision)") { try await set(stores, detail, expecting: revision) }
            }
            await expect("notFound") { try await set(stores, nil, .public) }
            await expect("notFound") { try await set(stores, "") }
            #expect(try await stores.todos.latestChangeID(of: "alice") == .zero)
            let first = try await set(stores, "one", expecting: 0).todo
            let second = try await set(stores, "two", expecting: first.written).todo
            for detail in ["three", "", nil] {
                for revision in [0, first.written, ExpectedRevision(second.revision, micros: 1)] as [ExpectedRevision] {
                    await #expect {
                        try await set(stores, detail, .public, expecting: revision)
                    } throws: {
                        guard case TodoError.conflict(_, let current) = $0 else { return false }
                        return current?.detail == "two"
                    }
                }
            }
            #expect(try await stores.todos.record(id, of: "alice").todo == second)
            try await set(stores, "", expecting: second.written)
            await expect("notFound") { try await set(stores, "three", expecting: second.written) }
        }
    }

    @Test("takes nothing else than a note may be, by whatever way", arguments: StoresKind.allCases)
    func bounds(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let longest = String(repeating: "📖", count: 10_000)
            for detail in [longest + "x", "a\u{0}b", "a\u{7F}", "a\u{85}", "a\rb", "a\u{1B}[31m"] {
                await expect("invalid", "\(detail.prefix(9))") { try await set(stores, detail) }
            }
            await expect("invalid") {
                try await stores.notes.set("x", visibility: nil, on: Self.friday, of: "a b", expecting: nil)
            }
            let good = DayNote.draft("x", on: Self.friday)
            var wrong = Array(repeating: good, count: 8)
            wrong[0].date = Self.saturday
            wrong[1].content = "Diary"
            wrong[2].status = .todo
            wrong[3].time = TimeOfDay("09:30")
            wrong[4].detail = ""
            wrong[5].detail = " \n"
            wrong[6].id = "note-of-"
            wrong[7].id = "note-of-2026-11-31"
            for draft in wrong {
                await expect("invalid", "\(draft)") { _ = try await stores.todos.add(draft, for: "alice") }
            }
            #expect(try await stores.todos.latestChangeID(of: "alice") == .zero, "nothing was written")
            let note = try await set(stores, longest).todo
            for patch in [
                TodoPatch(date: Self.saturday), TodoPatch(time: .set(TimeOfDay("09:30")!)), TodoPatch(content: "x"),
                TodoPatch(detail: ""), TodoPatch(detail: "\n"), TodoPatch(status: .complete), TodoPatch(status: .todo),
                TodoPatch(position: -7), TodoPatch(detail: "y", status: .complete),
            ] {
                await expect("invalid", "\(patch)") {
                    _ = try await stores.todos.update(id, of: "alice", with: patch, expecting: nil)
                }
            }
            await expect("invalid") {
                _ = try await stores.feeds.react("👍", to: id, of: "alice", by: "alice")
            }
            #expect(try await stores.todos.record(id, of: "alice").todo == note)
            // As who writes back what was read does, and whoever knows it as a todo alone.
            let same = TodoPatch(
                date: note.date,
                content: "📔",
                detail: "y",
                status: .incomplete,
                position: note.position
            )
            #expect(try await stores.todos.update(id, of: "alice", with: same, expecting: nil).todo.detail == "y")
            for (first, last) in [(CalendarDate.earliest, CalendarDate.latest)] {
                for day in [first, last] { #expect(try await set(stores, "x", on: day).todo.date == day) }
            }
        }
    }

    @Test("counts as nothing to do, nothing done and no news", arguments: StoresKind.allCases)
    func counts(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.relations.set(AccountPatch(audience: .public), of: "alice")
            _ = try await stores.relations.follow("alice", by: "bob")
            try await set(stores, "milk", .public)
            try await set(stores, "Milk, and more", .public)
            let todo = TodoDraft(id: "t1", date: Self.friday, content: "Buy milk", visibility: .public)
            let place = try await stores.todos.add(todo, for: "alice").todo.position
            let badges = try await stores.feeds.badges(of: "alice", on: Self.saturday)
            #expect(badges.today == 1 && badges.open == 1)
            let earlier = try await stores.feeds.earlier(of: "alice", before: Self.saturday)
            #expect(earlier.count == 1 && earlier.todos.map { $0.toModel().id } == ["t1"])
            for viewer in ["alice", "bob"] {
                let feed = try await stores.feeds.feed(of: "alice", for: viewer, since: 0, limit: 50, before: nil)
                #expect(feed.map { $0.todo.toModel().id } == ["t1"])
                #expect(try await stores.feeds.feedCount(of: "alice", for: viewer, since: 0) == 1)
            }
            // It takes no place among the todos of its day.
            let moved = TodoDraft(id: "t2", date: Self.friday, content: "x")
            _ = try await stores.todos.add(moved, for: "alice")
            let position = try await TodoService(stores.todos).move("t2", of: "alice", to: .before("t1")).position
            #expect(position == place - 1)
        }
    }

    @Test("is found by its words and its day, not by a status or a goal", arguments: StoresKind.allCases)
    func search(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await set(stores, "Milk, and 우유", .public)
            try await set(stores, "Nothing", .followers, on: Self.saturday)
            let todo = TodoDraft(id: "t1", date: Self.friday, content: "milk", status: .incomplete, visibility: .public)
            _ = try await stores.todos.add(todo, for: "alice")
            let (friday, saturday) = (id, "note-of-2026-11-21")
            for (search, expected) in [
                (TodoSearch(words: TodoWords("MILK")), ["t1", friday]),
                (TodoSearch(words: TodoWords("우유")), [friday]),
                (TodoSearch(words: TodoWords("📔")), []), (TodoSearch(words: TodoWords("note")), []),
                (TodoSearch(status: .incomplete), ["t1"]), (TodoSearch(goal: ""), ["t1"]),
                (TodoSearch(from: Self.friday), [saturday, "t1", friday]),
                (TodoSearch(isForNotes: true), [saturday, friday]),
                (TodoSearch(from: Self.saturday, isForNotes: true), [saturday]),
                (TodoSearch(to: Self.friday, isForNotes: true), [friday]),
                (TodoSearch(words: TodoWords("milk"), isForNotes: true), [friday]),
                (TodoSearch(status: .incomplete, isForNotes: true), []),
            ] {
                let found = try await stores.searches.all(search, of: "alice", for: "alice").map(\.id)
                #expect(found == expected, "\(search)")
            }
            let others = try await stores.searches.all(TodoSearch(isForNotes: true), of: "alice", for: "bob")
            #expect(others.map(\.id) == [friday])
        }
    }

    @Test("shows to each as much as a todo of that visibility does", arguments: StoresKind.allCases)
    func viewers(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.relations.set(AccountPatch(audience: .public), of: "alice")
            for name in ["follower", "blocked"] { _ = try await stores.relations.follow("alice", by: name) }
            _ = try await stores.relations.block("blocked", by: "alice")
            for (viewer, access) in [
                ("alice", Access.own), ("follower", .followers), ("stranger", .public), ("blocked", .none),
            ] {
                for visibility in Visibility.allCases {
                    try await set(stores, "secret", visibility)
                    let isSeen = access.covers(visibility)
                    let context = Comment("\(viewer), \(visibility)")
                    if viewer != "alice" {
                        let (_, list) = try await stores.shared.view(of: viewer, on: "alice")
                        #expect((list?.todos.map(\.detail) ?? []) == (isSeen ? ["secret"] : []), context)
                        let one = try? await stores.shared.todo(id, of: "alice", for: viewer)
                        #expect((one?.todo.detail == "secret") == isSeen, context)
                    }
                    let found = try await stores.searches.all(TodoSearch(isForNotes: true), of: "alice", for: viewer)
                    #expect(found.map(\.detail) == (isSeen ? ["secret"] : []), context)
                }
            }
        }
    }

    @Test(
        "refuses what an account has no room for, and what is to be deleted writes none",
        arguments: StoresKind.allCases
    )
    func limits(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: "$argon2id$one")
            try await set(stores, "one")
            try await stores.operators.limit("alice", [.todos: .most(1)], by: nil)
            await expect("full") { try await set(stores, "two", on: Self.saturday) }
            try await set(stores, "another", .public)
            try await stores.operators.limit("alice", [.bytes: .most(2000)], by: nil)
            await expect("full") { try await set(stores, String(repeating: "x", count: 2000)) }
            // What hides and what removes needs no room.
            try await set(stores, nil, .private)
            try await set(stores, "")
            _ = try await stores.deletions.begin(of: "alice", after: 3600, since: nil, keeping: nil)
            await expect("leaving") { try await set(stores, "late") }
        }
    }

    @Test("can be looked back at, and be brought back", arguments: StoresKind.allCases)
    func history(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let first = try await set(stores, "one", .followers).todo
            let second = try await set(stores, "two").todo
            let service = TodoService(stores.todos)
            #expect(try await service.bringBack(first, from: second).detail == "one")
            let removed = try await set(stores, "").todo
            let history = try await stores.histories.removed(of: "alice", before: nil)
            #expect(history.entries.map(\.todo.id) == [id])
            let back = try await service.bringBack(removed, from: nil)
            #expect(back.detail == "one" && back.visibility == .followers && back.isNote)
        }
    }
}
