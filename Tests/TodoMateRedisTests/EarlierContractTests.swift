import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("What is left unfinished from earlier days", .serialized)
@LoopActor
struct EarlierContractTests {
    private let today = CalendarDate(year: 2026, month: 11, day: 20)

    private func day(_ offset: Int) throws -> CalendarDate { try #require(today).adding(days: offset) }

    private func contents(_ stores: Stores) async throws -> [String] {
        let earlier = try await stores.feeds.earlier(of: "alice", before: try day(0))
        let badges = try await stores.feeds.badges(of: "alice", on: try day(0))
        let todays = try await stores.todos.snapshot(of: "alice", in: try day(0)...day(0)).todos
        #expect(badges.today == earlier.count + todays.count { $0.status.isOpen })
        #expect(earlier.count == earlier.todos.count)
        return earlier.todos.map { $0.toModel().content }
    }

    @Test("is every open todo of a day before, and follows each change", arguments: StoresKind.allCases)
    func follows(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            #expect(try await contents(stores) == [])
            for offset in [-400, -1, 0, 1] {
                for status in TodoStatus.allCases {
                    let draft = TodoDraft(
                        id: "\(status)\(offset + 400)",
                        date: try day(offset),
                        content: "\(offset) \(status)",
                        status: status
                    )
                    _ = try await stores.todos.add(draft, for: "alice")
                }
            }
            let all = ["-1 todo", "-1 inProgress", "-400 todo", "-400 inProgress"]
            #expect(try await contents(stores) == all)
            func update(_ id: String, _ patch: TodoPatch) async throws {
                _ = try await stores.todos.update(id, of: "alice", with: patch, expecting: nil)
            }
            // Finished, given up and begun again; moved to today, to tomorrow and back; gone.
            try await update("todo399", TodoPatch(status: .complete))
            #expect(try await contents(stores) == Array(all.dropFirst()))
            try await update("todo399", TodoPatch(status: .incomplete))
            #expect(try await contents(stores) == Array(all.dropFirst()))
            try await update("todo399", TodoPatch(status: .todo))
            #expect(try await contents(stores) == all)
            try await update("todo0", TodoPatch(date: try day(0)))
            #expect(try await contents(stores) == [all[0], all[1], all[3]])
            try await update("todo0", TodoPatch(date: try day(-2)))
            #expect(try await contents(stores) == all)
            try await update("todo400", TodoPatch(date: try day(-1), position: -7))
            #expect(try await contents(stores) == ["0 todo"] + all)
            _ = try await stores.todos.remove("inProgress0", of: "alice", expecting: nil)
            #expect(try await contents(stores) == ["0 todo"] + all.dropLast())
            #expect(try await stores.feeds.earlier(of: "bob", before: try day(0)) == EarlierTodos(count: 0, todos: []))
        }
    }

    @Test("reads so many todos at most, however many are done among them", arguments: [StoresKind.redis])
    func bounded(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for number in 1...11 {
                for status in [TodoStatus.todo] + Array(repeating: .complete, count: 199) {
                    let draft = TodoDraft(date: try day(-number), content: "\(number)", status: status)
                    _ = try await stores.todos.add(draft, for: "alice")
                }
            }
            let earlier = try await stores.feeds.earlier(of: "alice", before: try day(0))
            #expect(earlier.count == 11)
            let latestFirst: [String] = (1...10).map { number in String(number) }
            #expect(earlier.todos.map { $0.toModel().content } == latestFirst)
        }
    }

    @Test("is counted whole and listed from its latest days", arguments: StoresKind.allCases)
    func many(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            for number in 1...EarlierTodos.most + 5 {
                let draft = TodoDraft(date: try day(-number), content: "\(number)")
                _ = try await stores.todos.add(draft, for: "alice")
            }
            let earlier = try await stores.feeds.earlier(of: "alice", before: try day(0))
            #expect(earlier.count == EarlierTodos.most + 5)
            #expect(earlier.todos.map { $0.toModel().content } == (1...EarlierTodos.most).map(String.init))
        }
    }
}
