import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("Somebody's todos on a device", .serialized)
@LoopActor
struct OfflineTodosTests {
    /// What the server has, as far as a device knows.
    @LoopActor
    private final class Base: OfflineBase {
        var todos: [String: Todo] = [:]
        var reached: ChangeID?
    }

    /// Keeps requests until the test answers them.
    @LoopActor
    private final class Door: OutboxDoor {
        private(set) var requests: [(request: Outbox.Request, answer: LoopContinuation<DoorAnswer>)] = []
        private(set) var count = 0
        func send(_ request: Outbox.Request, of uid: String) async -> DoorAnswer {
            count += 1
            return await LoopActor.suspend { requests.append((request, $0)) }
        }
        func answer(_ outcome: Outbox.Outcome, pause: DoorAnswer.Pause? = nil, notBefore: Duration = .zero) {
            let answer = DoorAnswer(outcome: outcome, pause: pause, notBefore: notBefore)
            requests.removeFirst().answer.resume(returning: answer)
        }
    }

    /// Writes down what observers are told.
    @LoopActor
    private final class Observer: TodoChangeObserver {
        private(set) var lines: [String] = []
        nonisolated init() {}
        func receive(_ change: TodoChange) { lines.append("\(change.kind) \(change.todo.content)") }
    }

    private func with(
        _ body: @LoopActor (OfflineTodos, Base, Door, Observer, OfflineStorage) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let storage = try OfflineStorage(folder + "/file", of: "alice", waitsForDisk: false)
            let (base, door, observer) = (Base(), Door(), Observer())
            base.todos = ["a": todo("a", "seen")]
            base.reached = change(1)
            let todos = OfflineTodos(of: "alice", on: base, storage, Outbox(), door)
            todos.add(observer)
            try await body(todos, base, door, observer, storage)
            todos.close()
            while !door.requests.isEmpty { door.answer(.passing("the end")) }
        }
    }

    private func edit(_ todos: OfflineTodos, _ content: String) throws {
        let seen = try #require(todos.shown["a"])
        try todos.perform { (outbox) throws(TodoError) in
            try outbox.edit(TodoPatch(content: content), seen, key: content, at: .distantPast)
        }
        todos.send()
    }

    @Test("shows nothing that could not be written down, and says so")
    func failedWrite() async throws {
        try await with { todos, _, door, observer, storage in
            storage.beforeCommit = { () throws(TodoError) in throw .unavailable("the disk is full") }
            #expect(throws: TodoError.unavailable("the disk is full")) { try edit(todos, "mine") }
            #expect(todos.shown["a"]?.content == "seen" && observer.lines == [] && todos.outbox.entries == [])
            #expect(door.requests.isEmpty)
            storage.beforeCommit = { () throws(TodoError) in }
            try edit(todos, "mine")
            #expect(observer.lines == ["modified mine"])
            try await eventually("it is sent") { door.requests.count == 1 }
        }
    }

    @Test("does not send what is not on disk as sent")
    func unsent() async throws {
        try await with { todos, _, door, _, storage in
            var troubles: [TodoError?] = []
            todos.onTrouble = { troubles.append($0) }
            let seen = try #require(todos.shown["a"])
            try todos.perform { (outbox) throws(TodoError) in
                try outbox.edit(TodoPatch(content: "mine"), seen, key: "k", at: .distantPast)
            }
            storage.beforeCommit = { () throws(TodoError) in throw .unavailable("the disk is full") }
            todos.send()
            #expect(troubles == [.unavailable("the disk is full")] && todos.trouble != nil && door.count == 0)
            storage.beforeCommit = { () throws(TodoError) in }
            todos.hurry()
            #expect(troubles.count == 2 && todos.trouble == nil, "that is over")
            try await eventually("it is sent") { door.count == 1 }
        }
    }

    @Test("says of an add that is sent again what the base was before")
    func repeatedAdd() async throws {
        try await with { todos, base, door, _, _ in
            base.reached = change(7)
            try todos.perform { (outbox) throws(TodoError) in
                try outbox.add(TodoDraft(date: .earliest, content: "x"), "n", key: "k", at: .distantPast)
            }
            todos.send()
            try await eventually("it is sent") { door.requests.count == 1 }
            #expect(door.requests.first?.request.repeatedSince == nil)
            base.reached = change(8)
            door.answer(.passing("lost"))
            try await eventually("it is sent again") { door.count == 2 && door.requests.count == 1 }
            #expect(door.requests.first?.request.repeatedSince == change(7))
        }
    }

    @Test("takes the server's word for its own, and does not flicker")
    func echo() async throws {
        try await with { todos, base, door, observer, _ in
            try edit(todos, "mine")
            try await eventually("it is sent") { door.requests.count == 1 }
            // Its own change comes by the stream before the answer.
            base.todos["a"] = todo("a", "mine", at: 2)
            base.reached = change(2)
            todos.baseChanged("a")
            #expect(todos.shown["a"]?.content == "mine")
            door.answer(.written(change(2), todo("a", "mine", at: 2)))
            try await eventually("it is settled") { todos.outbox.entries == [] }
            #expect(Set(observer.lines) == ["modified mine"], "nothing else was ever shown: \(observer.lines)")
        }
        try await with { todos, base, door, observer, _ in
            try edit(todos, "mine")
            try await eventually("it is sent") { door.requests.count == 1 }
            // The answer comes before the change, and another one in between.
            door.answer(.written(change(3), todo("a", "mine", at: 3)))
            try await eventually("it is answered") { todos.outbox.entries.first?.state == .answered(change(3)) }
            base.reached = change(2)
            todos.baseChanged("b")
            #expect(todos.shown["a"]?.content == "mine")
            base.todos["a"] = todo("a", "mine", at: 3)
            base.reached = change(3)
            todos.baseChanged("a")
            #expect(todos.outbox.entries == [] && Set(observer.lines) == ["modified mine"])
        }
    }

    @Test("says again what was answered only where the base was replaced since", arguments: [true, false])
    func resuming(isReplaced: Bool) async throws {
        try await with { todos, base, door, _, storage in
            // As where no stream comes, and the base stays what it was.
            try storage.begin(
                "alice",
                MirroredShare(.own, TodoSnapshot(id: change(1), todos: [todo("a", "seen")])),
                nil
            )
            todos.baseReplaced()
            try edit(todos, "mine")
            try await eventually("it is sent") { door.requests.count == 1 }
            door.answer(.written(change(3), todo("a", "mine", at: 3)))
            try await eventually("it is answered") { todos.outbox.entries.first?.state == .answered(change(3)) }
            todos.close()
            if isReplaced {
                // The program ends before the outbox has heard of it.
                try storage.begin(
                    "alice",
                    MirroredShare(.own, TodoSnapshot(id: change(2), todos: [todo("a", "other", at: 2)])),
                    nil
                )
                (base.todos["a"], base.reached) = (todo("a", "other", at: 2), change(2))
            }
            let next = OfflineTodos(of: "alice", on: base, storage, try storage.outbox(), door)
            defer { next.close() }
            next.resume()
            #expect(next.outbox.entries.map(\.state) == [isReplaced ? .sent : .answered(change(3))])
            #expect(next.shown["a"]?.content == "mine")
        }
    }

    @Test("tries for ever, by itself and when it is told to hurry")
    func passing() async throws {
        try await with { todos, _, door, _, _ in
            try edit(todos, "mine")
            for attempt in 1...20 {
                try await eventually("attempt \(attempt)") { door.requests.count == 1 }
                door.answer(.passing("away"), pause: .untilTold("sign in"))
                try await eventually("it was taken") { door.requests.isEmpty }
                await LoopActor.giveWay()
                #expect(door.count == attempt, "it waits")
                todos.hurry()
            }
            try await eventually("the last one") { door.requests.count == 1 }
            // Once more without a word: by the timer.
            door.answer(.passing("away"), pause: .everything)
            try await eventually("it comes back by itself") { door.requests.count == 1 }
        }
    }

    @Test("does not hurry a server that wants fewer requests, until it may be asked again")
    func limited() async throws {
        try await with { todos, _, door, _, _ in
            try edit(todos, "mine")
            try await eventually("it is sent") { door.requests.count == 1 }
            door.answer(.passing("too many"), pause: .everything, notBefore: .seconds(3600))
            try await eventually("it was taken") { door.requests.isEmpty }
            await LoopActor.giveWay()
            todos.hurry()
            try edit(todos, "mine again")
            await LoopActor.giveWay()
            #expect(door.count == 1, "it waits as long as it was told to")
        }
        try await with { todos, _, door, _, _ in
            try edit(todos, "mine")
            try await eventually("it is sent") { door.requests.count == 1 }
            door.answer(.passing("too many"), pause: .everything, notBefore: .milliseconds(1))
            try await eventually("it comes back by itself") { door.requests.count == 1 }
        }
    }

    @Test("says that the server is there once it has done something, and only then")
    func done() async throws {
        try await with { todos, _, door, _, _ in
            var count = 0
            todos.onDone = { count += 1 }
            try edit(todos, "mine")
            for (outcome, pause, isThere) in [
                (.passing("away"), .everything, false), (.passing("500"), .todo, false),
                (.passing("signed out"), .untilTold(""), false),
                (.written(change(2), todo("a", "mine", at: 2)), nil, true),
            ] as [(Outbox.Outcome, DoorAnswer.Pause?, Bool)] {
                try await eventually("it is sent") { door.requests.count == 1 }
                door.answer(outcome, pause: pause)
                try await eventually("it was taken") { door.requests.isEmpty }
                await LoopActor.giveWay()
                #expect(count == (isThere ? 1 : 0), "\(outcome)")
                todos.hurry()
            }
        }
    }

    @Test("lets trouble with one todo be that one's")
    func trouble() async throws {
        try await with { todos, base, door, _, _ in
            base.todos["b"] = todo("b", "other")
            todos.baseChanged("b")
            try edit(todos, "mine")
            try await eventually("it is sent") { door.requests.count == 1 }
            door.answer(.passing("500"), pause: .todo)
            try await eventually("it was taken") { door.requests.isEmpty }
            let other = try #require(todos.shown["b"])
            try todos.perform { (outbox) throws(TodoError) in
                try outbox.edit(TodoPatch(content: "x"), other, key: "k", at: .distantPast)
            }
            todos.send()
            try await eventually("the other one is sent") { door.requests.contains { $0.request.todo == "b" } }
        }
    }

    @Test("gives snapshots and changes that fit together")
    func versions() async throws {
        try await with { todos, base, _, observer, _ in
            let before = todos.snapshot(in: nil)
            base.todos["b"] = todo("b", "new", at: 2)
            base.todos["a"] = nil
            base.reached = change(2)
            todos.baseReplaced()
            #expect(todos.id.version == before.id.version + 2 && !todos.id.mayBeOfAnotherHistory(than: before.id))
            #expect(observer.lines.sorted() == ["added new", "removed seen"])
            #expect(todos.snapshot(in: nil).todos.map(\.id) == ["b"])
        }
    }
}
