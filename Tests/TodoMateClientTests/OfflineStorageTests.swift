import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("What a device keeps", .serialized)
@LoopActor
struct OfflineStorageTests {
    private func storage(_ folder: String, of owner: String = "alice") throws -> OfflineStorage {
        try OfflineStorage(folder + "/file", of: owner, waitsForDisk: false)
    }

    private func share(_ todos: Todo...) -> MirroredShare {
        MirroredShare(.own, TodoSnapshot(id: change(5), todos: todos))
    }

    private var everything: Todo {
        var todo = todo("b", "\"한\" \\ 🥛", at: 2, status: .inProgress)
        (todo.detail, todo.time, todo.goal) = ("two\nlines\u{2028}", TimeOfDay("09:30"), "g1")
        todo.visibility = .private
        todo.reactions = ["👍": 2]
        return todo
    }

    @Test("is nothing at first, and what it was when it is opened again")
    func round() async throws {
        try await withFolder { folder in
            var (store, outbox) = (try storage(folder), Outbox())
            #expect(store.board == StoredBoard())
            #expect(try store.outbox() == Outbox())
            try store.begin("alice", share(todo("a"), everything), "c1")
            try store.begin("bob", MirroredShare(.followers, TodoSnapshot(id: change(9), todos: [])), "c2")
            try store.apply("alice", "a", nil, change(6), "c3")
            try store.apply("alice", nil, nil, change(7), nil)
            var steps = try outbox.add(
                TodoDraft(
                    date: CalendarDate.earliest,
                    time: TimeOfDay("23:59"),
                    content: "x",
                    detail: "\n\t",
                    position: 1.5,
                    visibility: .public,
                    goal: "g"
                ),
                "n",
                key: "k1",
                at: Date(timeIntervalSince1970: 12.5)
            )
            steps += try outbox.edit(TodoPatch(time: .remove, goal: ""), everything, key: "k2", at: .distantPast)
            steps += try outbox.remove(todo("c"), key: "k3", at: .distantPast)
            let (request, more) = outbox.next(base: ["b": everything, "c": todo("c")], besides: ["n"], reached: .zero)
            try store.write(steps + more)
            #expect(request?.todo == "b")
            try store.write(outbox.answered(2, .refused(.invalid("no")), reached: .zero))
            let told = Overwritten(todo: "b", field: "content", theirs: "t", mine: "m")
            try store.write([.tell(told)])
            store.close()

            store = try storage(folder)
            var due = StoredBoard()
            due.cursor = "c3"
            var alice = MirroredShare(.own, TodoSnapshot(id: change(6), todos: [everything]))
            _ = alice.pass(change(7))
            due.shares = [
                "alice": alice, "bob": MirroredShare(.followers, TodoSnapshot(id: change(9), todos: [])),
            ]
            #expect(store.board == due)
            var kept = outbox.entries
            // How often something was sent is not kept.
            for index in kept.indices { kept[index].attempts = 0 }
            #expect(try store.outbox().entries == kept)
            #expect(try store.told() == [told])
            try store.forgetTold()
            try store.forget("bob")
            #expect(try store.told() == [] && store.board.shares.keys.sorted() == ["alice"])
        }
    }

    @Test("never has a cursor without what it stands for, wherever the program is killed")
    func kills() async throws {
        try await withFolder { folder in
            var store = try storage(folder)
            try store.begin("alice", share(todo("a")), "c1")
            for step in 0..<3 {
                let before = store.board
                store.beforeCommit = { () throws(TodoError) in throw .unavailable("killed") }
                #expect(throws: TodoError.self) {
                    switch step {
                    case 0: try store.apply("alice", "a", todo("a", "b", at: 6), change(6), "c2")
                    case 1: try store.begin("alice", share(), "c2")
                    default: try store.forget("alice")
                    }
                }
                store.close()
                store = try storage(folder)
                #expect(store.board == before)
            }
        }
    }

    @Test("is asked of the server again where the base cannot be read, and nothing that was typed is passed over")
    func damage() async throws {
        try await withFolder { folder in
            let store = try storage(folder)
            try store.begin("alice", share(todo("a")), "c1")
            var outbox = Outbox()
            try store.write(try outbox.edit(TodoPatch(content: "b"), todo("a"), key: "k", at: .distantPast))
            store.close()
            let database = try SQLiteDatabase(folder + "/file", waitsForDisk: false)
            try database.run("UPDATE todos SET json = '{'")
            try database.run("UPDATE outbox SET json = '{'")
            database.close()
            let again = try storage(folder)
            #expect(again.board == StoredBoard())
            #expect { try again.outbox() } throws: { if case TodoError.broken = $0 { true } else { false } }
        }
    }

    @Test("is taken for nobody else's, and not by an older program")
    func owners() async throws {
        try await withFolder { folder in
            try storage(folder).close()
            #expect(throws: TodoError.self) { try storage(folder, of: "bob") }
            let database = try SQLiteDatabase(folder + "/file", waitsForDisk: false)
            try database.run("UPDATE meta SET value = '99' WHERE name = 'version'")
            database.close()
            #expect(throws: TodoError.self) { try storage(folder) }
        }
    }
}
