import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateRedis

/// A write of alice's, and what somebody does after it that would make it another one if it were done again.
private struct Write: Sendable {
    let name: String
    var before: @LoopActor (Stores) async throws -> Void = { _ in }
    let take: @LoopActor (Stores) async throws(TodoError) -> String
    var after: @LoopActor (Stores) async throws -> Void = { _ in }

    private static let today = CalendarDate("2026-11-20")!

    private static func add(_ stores: Stores, _ id: String, goal: String? = nil) async throws {
        _ = try await stores.todos.add(TodoDraft(id: id, date: today, content: id, goal: goal), for: "alice")
    }

    private static func routine(_ stores: Stores) async throws {
        let from = CalendarDate(Date(), in: .gmt)
        let patch = RoutinePatch(id: "r1", content: "Run", rule: try RoutineRule("FREQ=DAILY"), from: from)
        try await stores.routines.set([patch], of: "alice")
    }

    private static func text(_ routines: [Routine]) -> String { routines.map(\.json).joined() }

    @LoopActor static let all: [Write] = [
        Write(name: "add without an id") { stores throws(TodoError) in
            try await stores.todos.add(TodoDraft(date: today, content: "x"), for: "alice").all
        },
        Write(name: "add") { stores throws(TodoError) in
            try await stores.todos.add(TodoDraft(id: "t1", date: today, content: "x"), for: "alice").all
        } after: {
            _ = try await $0.todos.remove("t1", of: "alice", expecting: nil)
        },
        Write(name: "update", before: { try await add($0, "t1") }) { stores throws(TodoError) in
            let patch = TodoPatch(status: .complete)
            return try await stores.todos.update("t1", of: "alice", with: patch, expecting: nil).all
        } after: {
            _ = try await $0.todos.update("t1", of: "alice", with: TodoPatch(status: .todo), expecting: nil)
        },
        Write(name: "update that changes nothing", before: { try await add($0, "t1") }) { stores throws(TodoError) in
            try await stores.todos.update("t1", of: "alice", with: TodoPatch(status: .todo), expecting: nil).all
        } after: {
            _ = try await $0.todos.update("t1", of: "alice", with: TodoPatch(status: .complete), expecting: nil)
        },
        Write(name: "make a routine's day", before: { try await routine($0) }) { stores throws(TodoError) in
            let id = Routine.id(of: "r1", on: CalendarDate(Date(), in: .gmt))
            return try await stores.todos.update(id, of: "alice", with: TodoPatch(status: .complete), expecting: nil)
                .all
        } after: {
            let id = Routine.id(of: "r1", on: CalendarDate(Date(), in: .gmt))
            _ = try await $0.todos.remove(id, of: "alice", expecting: nil)
        },
        Write(name: "remove", before: { try await add($0, "t1") }) { stores throws(TodoError) in
            try await stores.todos.remove("t1", of: "alice", expecting: nil).todo.id
        } after: {
            try await add($0, "t1")
        },
        Write(name: "react to one's own", before: { try await add($0, "t1") }) { stores throws(TodoError) in
            try await stores.feeds.react("👍", to: "t1", of: "alice", by: "alice").all
        } after: {
            _ = try await $0.feeds.react(nil, to: "t1", of: "alice", by: "alice")
        },
        Write(name: "set") { stores throws(TodoError) in
            try await stores.relations.set(AccountPatch(audience: .private), of: "alice").json
        } after: {
            _ = try await $0.relations.set(AccountPatch(audience: .public), of: "alice")
        },
        Write(name: "follow") { stores throws(TodoError) in
            try await stores.relations.follow("bob", by: "alice", at: nil).json
        } after: {
            _ = try await $0.relations.accept("alice", by: "bob")
            _ = try await $0.relations.dismiss("alice", by: "bob")
        },
        Write(name: "unfollow", before: { _ = try await $0.relations.follow("bob", by: "alice") }) {
            stores throws(TodoError) in
            try await stores.relations.unfollow("bob", by: "alice").json
        } after: {
            _ = try await $0.relations.follow("bob", by: "alice")
        },
        Write(name: "arrange", before: { _ = try await $0.relations.follow("bob", by: "alice") }) {
            stores throws(TodoError) in
            try await stores.relations.arrange("bob", at: 7, by: "alice").json
        } after: {
            _ = try await $0.relations.arrange("bob", at: 8, by: "alice")
        },
        Write(name: "accept", before: { _ = try await $0.relations.follow("alice", by: "bob") }) {
            stores throws(TodoError) in
            try await stores.relations.accept("bob", by: "alice").json
        } after: {
            _ = try await $0.relations.dismiss("bob", by: "alice")
            _ = try await $0.relations.follow("alice", by: "bob")
        },
        Write(name: "dismiss", before: { _ = try await $0.relations.follow("alice", by: "bob") }) {
            stores throws(TodoError) in
            try await stores.relations.dismiss("bob", by: "alice").json
        } after: {
            _ = try await $0.relations.follow("alice", by: "bob")
        },
        Write(name: "block") { stores throws(TodoError) in
            try await stores.relations.block("bob", by: "alice").json
        } after: {
            _ = try await $0.relations.unblock("bob", by: "alice")
        },
        Write(name: "unblock", before: { _ = try await $0.relations.block("bob", by: "alice") }) {
            stores throws(TodoError) in
            try await stores.relations.unblock("bob", by: "alice").json
        } after: {
            _ = try await $0.relations.block("bob", by: "alice")
        },
        Write(name: "set a goal") { stores throws(TodoError) in
            try await stores.goals.set(GoalPatch(id: "g1", name: "Work"), of: "alice").json
        } after: {
            _ = try await $0.goals.set(GoalPatch(id: "g1", name: "Home"), of: "alice")
        },
        Write(
            name: "spread a goal",
            before: {
                _ = try await $0.goals.set(GoalPatch(id: "g1", name: "Work"), of: "alice")
                try await add($0, "t1", goal: "g1")
                _ = try await $0.todos.update("t1", of: "alice", with: TodoPatch(visibility: .private), expecting: nil)
            }
        ) { stores throws(TodoError) in
            try await stores.goals.spread(.followers, to: "g1", of: "alice", from: nil).json
        } after: {
            _ = try await $0.todos.update("t1", of: "alice", with: TodoPatch(visibility: .private), expecting: nil)
        },
        Write(
            name: "remove a goal",
            before: {
                _ = try await $0.goals.set(GoalPatch(id: "g1", name: "Work"), of: "alice")
                try await add($0, "t1", goal: "g1")
            }
        ) { stores throws(TodoError) in
            try await stores.goals.remove("g1", of: "alice", from: nil).json
        } after: {
            _ = try await $0.goals.set(GoalPatch(id: "g1", name: "Work"), of: "alice")
        },
        Write(name: "set routines", before: { try await routine($0) }) { stores throws(TodoError) in
            text(try await stores.routines.set([RoutinePatch(id: "r1", isEnded: true)], of: "alice"))
        } after: {
            try await routine($0)
        },
        Write(name: "skip a day", before: { try await routine($0) }) { stores throws(TodoError) in
            let today = CalendarDate(Date(), in: .gmt)
            return text(try await stores.routines.skip(today, of: "r1", of: "alice", isBack: false))
        } after: {
            let today = CalendarDate(Date(), in: .gmt)
            _ = try await $0.routines.skip(today, of: "r1", of: "alice", isBack: true)
        },
        Write(name: "split a routine", before: { try await routine($0) }) { stores throws(TodoError) in
            let day = CalendarDate(Date(), in: .gmt).adding(days: 7)
            let other = RoutinePatch(id: "r2", content: "Walk")
            return text(try await stores.routines.split("r1", of: "alice", on: day, into: other))
        } after: {
            _ = try await $0.routines.set([RoutinePatch(id: "r2", isEnded: true)], of: "alice")
        },
    ]
}

extension Write: CustomTestStringConvertible {
    var testDescription: String { name }
}

extension TodoWrite {
    /// All that an answer shows of it.
    @LoopActor fileprivate var all: String {
        "\(change?.id?.description ?? "unchanged") \(String(decoding: json, as: UTF8.self))"
    }
}

@Suite("A write that may be said again, in every store", .serialized)
@LoopActor
struct OperationContractTests {
    private let today = CalendarDate("2026-11-20")!

    @Test(
        "is done once, and answered as the first time whatever has become of it since",
        arguments: StoresKind.allCases
    )
    func repeats(_ kind: StoresKind) async throws {
        for each in Write.all {
            try await kind.with { stores in
                try await each.before(stores)
                let id = OperationID()
                let first = RepeatableWrite(id)
                let answer = try await first.run { () throws(TodoError) in try await each.take(stores) }
                #expect(!first.isRepetition, "\(each.name)")
                for turn in 0..<2 {
                    if turn == 1 { try await each.after(stores) }
                    let before = try await stores.todos.latestChangeID(of: "alice")
                    let again = RepeatableWrite(id)
                    let second = try await again.run { () throws(TodoError) in try await each.take(stores) }
                    #expect(second == answer && again.isRepetition, "\(each.name): \(second)")
                    #expect(try await stores.todos.latestChangeID(of: "alice") == before, "\(each.name)")
                }
                // Another id is another write, which is let be done or refused for what it is.
                let other = RepeatableWrite(OperationID())
                _ = try? await other.run { () throws(TodoError) in try await each.take(stores) }
                #expect(!other.isRepetition, "\(each.name)")
            }
        }
    }

    private func add(_ id: String, _ stores: Stores, for uid: String = "alice", as operation: OperationID) async throws
        -> (TodoWrite, isRepetition: Bool)
    {
        let write = RepeatableWrite(operation)
        let draft = TodoDraft(id: id, date: today, content: id)
        let answer = try await write.run { () throws(TodoError) in try await stores.todos.add(draft, for: uid) }
        return (answer, write.isRepetition)
    }

    @Test(
        "is refused under the id of another one of the same user, and only of the same",
        arguments: StoresKind.allCases
    )
    func reused(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let id = try OperationID("one two")
            _ = try await add("t1", stores, as: id)
            let before = try await stores.todos.latestChangeID(of: "alice")
            let reused = TodoError.reused(
                "the operation id one two was used for another request within a day: use a new one for each"
            )
            await #expect(throws: reused) { _ = try await add("t2", stores, as: id) }
            await #expect(throws: reused) {
                try await RepeatableWrite(id).run { () throws(TodoError) in
                    _ = try await stores.todos.remove("t1", of: "alice", expecting: nil)
                }
            }
            #expect(try await stores.todos.latestChangeID(of: "alice") == before)
            #expect(try await !add("t2", stores, for: "bob", as: id).isRepetition)
            #expect(try await add("t1", stores, as: id).isRepetition)
        }
    }

    @Test("is looked at anew where it was refused", arguments: StoresKind.allCases)
    func refused(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let id = OperationID()
            let write = { (patch: TodoPatch) async throws(TodoError) -> TodoWrite in
                try await RepeatableWrite(id).run { () throws(TodoError) in
                    try await stores.todos.update("t1", of: "alice", with: patch, expecting: nil)
                }
            }
            await #expect(throws: TodoError.self) { try await write(TodoPatch(content: "a")) }
            _ = try await stores.todos.add(TodoDraft(id: "t1", date: today, content: "x"), for: "alice")
            await #expect(throws: TodoError.self) { try await write(TodoPatch(content: " ")) }
            #expect(try await write(TodoPatch(content: "b")).todo.content == "b")
        }
    }

    @Test("is one of two at once that does it", arguments: StoresKind.allCases)
    func atOnce(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let id = OperationID()
            let tasks = (0..<8).map { _ in Task { try await add("t1", stores, as: id) } }
            var answers: [(TodoWrite, isRepetition: Bool)] = []
            for task in tasks { answers.append(try await task.value) }
            #expect(answers.count { !$0.isRepetition } == 1)
            #expect(Set(answers.map { $0.0.all }).count == 1)
        }
    }

    /// Whether alice's todos were made private under this id before.
    private func hid(_ stores: Stores, _ id: OperationID) async throws -> Bool {
        let write = RepeatableWrite(id)
        _ = try await write.run { () throws(TodoError) in
            try await stores.relations.set(AccountPatch(visibility: .private), of: "alice")
        }
        return write.isRepetition
    }

    @Test("is forgotten after a thousand others", arguments: StoresKind.allCases)
    func number(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let ids = (0..<1001).map { _ in OperationID() }
            for id in ids.prefix(1000) {
                let isKnown = try await hid(stores, id)
                #expect(!isKnown)
            }
            var known: [Bool] = []
            for index in [0, 1000, 1, 1000, 0] { known.append(try await hid(stores, ids[index])) }
            #expect(known == [true, false, true, true, false])
        }
    }

    @Test("of a person on another's todo shows what that person may see now", arguments: StoresKind.allCases)
    func visits(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.relations.set(AccountPatch(audience: .public), of: "alice")
            let draft = TodoDraft(id: "t1", date: today, content: "secret", visibility: .public)
            _ = try await stores.todos.add(draft, for: "alice")
            let id = OperationID()
            @LoopActor func react(_ person: String = "bob") async throws -> (TodoWrite, isRepetition: Bool) {
                let write = RepeatableWrite(id)
                let answer = try await write.run { () throws(TodoError) in
                    try await stores.feeds.react("👍", to: "t1", of: "alice", by: person)
                }
                return (answer, write.isRepetition)
            }
            #expect(try await !react().isRepetition)
            // It is neither alice's own operation nor anybody else's.
            #expect(try await !react("carol").isRepetition)
            #expect(try await !react("alice").isRepetition)
            _ = try await stores.feeds.react(nil, to: "t1", of: "alice", by: "bob")
            _ = try await stores.todos.update("t1", of: "alice", with: TodoPatch(content: "plain"), expecting: nil)
            let before = try await stores.todos.latestChangeID(of: "alice")
            let again = try await react()
            #expect(try await stores.todos.latestChangeID(of: "alice") == before)
            #expect(again.isRepetition && again.0.todo.content == "plain" && again.0.todo.reactions == ["👍": 2])
            _ = try await stores.todos.update("t1", of: "alice", with: TodoPatch(visibility: .private), expecting: nil)
            await #expect(throws: TodoError.self) { _ = try await react() }
            _ = try await stores.todos.update("t1", of: "alice", with: TodoPatch(visibility: .public), expecting: nil)
            _ = try await stores.relations.block("bob", by: "alice")
            await #expect(throws: TodoError.self) { _ = try await react() }
            _ = try await stores.relations.unblock("bob", by: "alice")
            _ = try await stores.todos.remove("t1", of: "alice", expecting: nil)
            await #expect(throws: TodoError.self) { _ = try await react() }
            // The author's own is answered as ever.
            #expect(try await react("alice").isRepetition)
        }
    }

    @Test("is not known to whoever has the name next", arguments: StoresKind.allCases)
    func successor(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: "$argon2id$one", keepingData: true)
            let id = OperationID()
            _ = try await add("t1", stores, as: id)
            try await stores.sessions.removeAccount("alice")
            try await stores.sessions.enroll("alice", passwordHash: "$argon2id$two", keepingData: true)
            #expect(try await !add("t9", stores, as: id).isRepetition)
        }
    }

    @Test("has an id of 1 to 128 printable characters", arguments: ["", "a\nb", "é", "\u{7F}", "\0"])
    func ids(_ text: String) {
        #expect(throws: TodoError.self) { try OperationID(text) }
        #expect(throws: TodoError.self) { try OperationID(String(repeating: "x", count: 129)) }
        #expect((try? OperationID(String(repeating: "~ ", count: 64))) != nil)
    }
}
