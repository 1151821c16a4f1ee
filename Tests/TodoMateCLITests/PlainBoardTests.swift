import EventLoop
import Foundation
import TestServers
import Testing

@testable import TodoMate
@testable import TodoMateCLI

@Suite("A board of lines")
@LoopActor
struct PlainBoardTests {
    @LoopActor
    private final class Output {
        var lines: [String] = []
        var now = Date()

        func count(_ text: String) -> Int { lines.count { $0.contains(text) } }
    }

    private let day = CalendarDate("2026-11-20")!

    private func withBoard(_ body: (InMemoryTodoRepository, PlainBoard, Output) async throws -> Void) async throws {
        let output = Output()
        let repository = InMemoryTodoRepository(now: { output.now })
        let service = DIContainer(repository: repository).todoRealtimeService
        let board = PlainBoard(uid: "alice", service: service, asJSON: false, today: { day }) {
            output.lines.append($0)
        }
        defer { board.close() }
        try await body(repository, board, output)
    }

    @Test("lists today, then each change")
    func lines() async throws {
        try await withBoard { repository, board, output in
            _ = try await repository.add(TodoDraft(id: "a", date: day, content: "first"), for: "alice")
            board.open()
            try await eventually("the list shows") { output.count("alice  today") == 1 }
            _ = try await repository.add(TodoDraft(id: "b", date: day, content: "second"), for: "alice")
            #expect(output.lines.last?.contains("added") == true && output.count("second") == 1)
        }
    }

    @Test("lists today again when a change is from before the list, as after a clock was set back")
    func clockSetBack() async throws {
        try await withBoard { repository, board, output in
            output.now += 3600
            _ = try await repository.add(TodoDraft(id: "a", date: day, content: "first"), for: "alice")
            board.open()
            try await eventually("the list shows") { output.count("first") == 1 }
            output.now -= 3600
            _ = try await repository.add(TodoDraft(id: "b", date: day, content: "second"), for: "alice")
            try await eventually("it shows again, with the second") {
                output.count("first") == 2 && output.count("second") == 1
            }
        }
    }

    @Test("prints one list when another is asked for while the first is being read")
    func twoLists() async throws {
        try await withBoard { repository, board, output in
            _ = try await repository.add(TodoDraft(id: "a", date: day, content: "first"), for: "alice")
            board.open()
            board.todosReset(for: "alice")
            try await eventually("the list shows") { output.count("first") == 1 }
            _ = try await repository.add(TodoDraft(id: "b", date: day, content: "second"), for: "alice")
            try await eventually("the change shows") { output.count("second") == 1 }
            #expect(output.count("first") == 1)
        }
    }
}
