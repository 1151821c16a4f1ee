import EventLoop
import Foundation
import RedisClient
import TestServers
import Testing

@testable import TodoMate
@testable import TodoMateRedis

private let day = CalendarDate("2026-11-20")!
private let month = CalendarDate("2026-11-01")!...CalendarDate("2026-11-30")!

/// Writes one change after another, and knows all states that there were.
@LoopActor
private final class Writer {
    var isEnough = false
    private(set) var states: [ChangeID: [String: String]] = [:]
    private var todos: [String: String]
    /// Their ids, to choose from.
    private var ids: [String]
    private var random: SeededRandom

    init(_ first: TodoSnapshot, _ random: SeededRandom) {
        todos = Self.words(first)
        ids = todos.keys.sorted()
        states[first.id] = todos
        self.random = random
    }

    static func words(_ snapshot: TodoSnapshot) -> [String: String] {
        Dictionary(uniqueKeysWithValues: snapshot.todos.map { ($0.id, "\($0.date) \($0.content)") })
    }

    func write(to repository: RedisTodoRepository, _ server: RedisServer) async throws {
        var number = 0
        while !isEnough {
            number += 1
            let index = Int.random(in: 0..<ids.count, using: &random)
            let id = ids[index]
            let change: ChangeID?
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let draft = TodoDraft(id: "n\(number)", date: day, content: "n")
                change = try await repository.add(draft, for: "alice").change?.id
                todos["n\(number)"] = "\(day) n"
                ids.append("n\(number)")
            case 1:
                let to = CalendarDate("2026-1\(Int.random(in: 1...2, using: &random))-0\(number % 9 + 1)")!
                let patch = TodoPatch(date: to, content: "m\(number)")
                change = try await repository.update(id, of: "alice", with: patch, expecting: nil).change?.id
                todos[id] = "\(to) m\(number)"
            case 2:
                change = try await repository.remove(id, of: "alice", expecting: nil).id
                todos[id] = nil
                ids.swapAt(index, ids.count - 1)
                ids.removeLast()
            default:
                // Something else that the log tells of.
                _ = try await repository.relations.set(AccountPatch(feedSeen: number), of: "alice")
                change = try await repository.latestChangeID(of: "alice")
            }
            states[try #require(change)] = todos
        }
    }
}

@Suite("A list of many todos", .serialized)
@LoopActor
struct LongListTests {
    private static let count = 900

    /// Runs `body` with a user of more todos than one answer holds: some heavy, over three days of the month and one of another.
    private func withMany(
        _ body: @escaping @LoopActor (RedisTodoRepository, RedisServer) async throws -> Void
    ) async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { repository.close() }
            try await repository.prepare()
            for first in stride(from: 0, to: Self.count, by: 300) {
                let lines = (first..<first + 300).map { number in
                    let date = number % 9 == 0 ? "2026-12-01" : "2026-11-2\(number % 3)"
                    let detail = number % 50 == 0 ? String(repeating: "d", count: 9000) : ""
                    let texts = #""content":"c\#(number)","detail":"\#(detail)""#
                    return #"{"id":"t\#(number)","uid":"alice","date":"\#(date)",\#(texts)}"#
                }
                _ = try await server.cli(["FCALL", "todomate_import", "1", "todomate:{alice}", "add"] + lines)
            }
            try await body(repository, server)
        }
    }

    /// What Redis has, all at once.
    private func whole(
        _ server: RedisServer,
        _ days: ClosedRange<CalendarDate>? = nil
    ) async throws -> TodoSnapshot {
        let bounds = days.map { [String($0.lowerBound.ordinal), String($0.upperBound.ordinal)] } ?? []
        let answer = try await server.cli(["FCALL_RO", "todomate_list", "1", "todomate:{alice}"] + bounds)
        return try TodoList(Array(answer.utf8), in: days).snapshot(for: .own)
    }

    @Test("is the one that Redis has", arguments: [nil, month, day...day, CalendarDate.earliest...CalendarDate.latest])
    func same(_ days: ClosedRange<CalendarDate>?) async throws {
        try await withMany { repository, server in
            let due = try await whole(server, days)
            #expect(try await repository.snapshot(of: "alice", in: days) == due)
            let text = try await repository.list(of: "alice", in: days)
            #expect(text == TodoListText(due))
        }
    }

    @Test("is kept up by changes, and read again ten seconds later alone")
    func keptUp() async throws {
        try await withMany { repository, server in
            _ = try await repository.list(of: "alice", in: month)
            let before = try await parts(server)
            #expect(before > 1)
            for round in 0..<5 {
                _ = try await repository.add(TodoDraft(id: "new\(round)", date: day, content: "new"), for: "alice")
                let patch = TodoPatch(date: CalendarDate("2026-12-01")!)
                _ = try await repository.update("t\(round * 9 + 1)", of: "alice", with: patch, expecting: nil)
                _ = try await repository.remove("t\(round * 9 + 2)", of: "alice", expecting: nil)
                let due = try await whole(server, month)
                #expect(try await repository.list(of: "alice", in: month) == TodoListText(due))
            }
            // `todomate_list` reads three parts each time that it is asked here, and each add asks for the user's limits.
            let after = try await parts(server)
            #expect(after == before + 5 + 5)
        }
    }

    /// How often Redis was asked for todos, but by one function all at once.
    private func parts(_ server: RedisServer) async throws -> Int {
        let line = try await server.cli("INFO", "commandstats").split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("cmdstat_hmget:") }
        return line.flatMap { Int($0.drop { $0 != "=" }.dropFirst().prefix { $0 != "," }) } ?? 0
    }

    @Test("is of one moment, whatever is written while its parts are read", arguments: 0..<8)
    func fuzzy(_ seed: Int) async throws {
        try await withMany { repository, server in
            let other = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { other.close() }
            let writer = Writer(try await whole(server), SeededRandom(seed: UInt64(seed)))
            let writing = Task { try await writer.write(to: other, server) }
            var seen: [(ChangeID, TodoSnapshot)] = []
            for _ in 0..<12 {
                // Another range each time, so that none is kept.
                let days = CalendarDate.earliest...CalendarDate(year: 2990, month: 1, day: seen.count + 1)!
                let snapshot = try await repository.snapshot(of: "alice", in: days)
                seen.append((snapshot.id, snapshot))
            }
            writer.isEnough = true
            try await writing.value
            for (id, snapshot) in seen {
                let due = try #require(writer.states[id], "\(id) is a state that there was")
                #expect(Writer.words(snapshot) == due, "\(seed) at \(id)")
            }
        }
    }

    @Test("is refused, and not put together wrongly, while its log is deleted time and again")
    func noLog() async throws {
        try await withMany { repository, server in
            let reading = Task { @LoopActor in try await repository.snapshot(of: "alice", in: month) }
            for _ in 0..<20 { _ = try await server.cli("DEL", "todomate:{alice}:log") }
            switch await reading.result {
            case .success(let snapshot): #expect(snapshot.todos.count == (try await whole(server, month)).todos.count)
            case .failure(let error): #expect((error as? TodoError)?.description.contains("try again") == true)
            }
        }
    }

    @Test("is read once for all who ask at the same time, and one person has two at a time")
    func shared() async throws {
        try await withMany { repository, server in
            let before = try await parts(server)
            let readers = (0..<40).map { _ in
                Task { @LoopActor in try await repository.list(of: "alice", in: nil).id }
            }
            for reader in readers { _ = try await reader.value }
            let once = try await parts(server) - before
            #expect(once <= 2 * 8, "\(once) parts for forty readers")
            // Whoever holds two waits with the third until one of them is gone.
            var held: [TodoListText] = []
            for _ in 0..<2 { held.append(try await repository.list(of: "alice", in: nil)) }
            var isThird = false
            let third = Task { @LoopActor in
                _ = try await repository.list(of: "alice", in: nil)
                isThird = true
            }
            _ = try await repository.list(of: "bob", in: nil)
            _ = try await repository.latestChangeID(of: "alice")
            #expect(!isThird && held.count == 2)
            held.removeLast()
            try await third.value
        }
    }

    @Test("has a log that is read to its end, however long its changes are spelled there")
    func spelled() async throws {
        try await withRedis { server in
            let repository = RedisTodoRepository(server.url, timeout: .seconds(20))
            defer { repository.close() }
            try await repository.prepare()
            // Nine thousand bytes there, and a sixth of them once it is read.
            let detail = String(repeating: #"\u0061"#, count: 1500)
            let ids = (1...40).map { "\($0)-\(1_763_677_123_456_789 + $0)" }
            for (number, id) in ids.enumerated() {
                let times = #""createdAt":"2026-11-20T09:00:00Z","updatedAt":"2026-11-20T09:00:00Z""#
                let todo =
                    #"{"id":"t\#(number)","uid":"alice","date":"2026-11-20","content":"x","detail":"\#(detail)","#
                    + #""status":"todo","position":1,"revision":1,"visibility":"public",\#(times)}"#
                let message = #"{"id":"\#(id)","type":"added","todo":\#(todo)}"#
                _ = try await server.cli(["XADD", "todomate:{alice}:log", id, "change", message])
            }
            let first = try #require(ChangeID(ids[0]))
            let changes = try #require(try await repository.changes(of: "alice", since: first, within: nil))
            #expect(changes.map { $0.id?.description } == Array(ids.dropFirst()))
        }
    }
}
