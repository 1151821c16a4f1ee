import EventLoop
import TestServers
import Testing

@testable import TodoMate

private let day = CalendarDate("2026-11-20")!

@Suite("The realtime service")
@LoopActor
struct TodoRealtimeServiceTests {
    private let repository = InMemoryTodoRepository()
    private let monitor = RecordingMonitor()
    private let service: TodoRealtimeService

    init() { service = TodoRealtimeService(repository, monitor: monitor) }

    private func add(_ content: String, for uid: String = "alice") async throws {
        _ = try await repository.add(TodoDraft(date: day, content: content), for: uid)
    }

    @Test("tells a user's observers of that user's changes, and nobody else's")
    func tells() async throws {
        let (alice, bob) = (RecordingObserver(), RecordingObserver())
        service.addObserver(alice, for: "alice")
        service.addObserver(bob, for: "bob")
        await service.waitUntilFollowing("alice")
        await service.waitUntilFollowing("bob")
        try await add("milk")
        let stored = try await repository.snapshot(of: "alice", in: nil).todos[0]
        _ = try await repository.update(stored.id, of: "alice", with: TodoPatch(content: "bread"), expecting: nil)
        _ = try await repository.remove(stored.id, of: "alice", expecting: nil)
        #expect(alice.lines == ["added milk", "modified bread", "removed bread"])
        #expect(bob.lines == [])
    }

    @Test("opens a user's channel for the first observer and closes it after the last, removed or dead")
    func channels() async throws {
        let first = RecordingObserver()
        service.addObserver(first, for: "alice")
        do {
            let second = RecordingObserver()
            service.addObserver(second, for: "alice")
            service.addObserver(second, for: "bob")
            #expect(service.observedUsers.sorted() == ["alice", "bob"])
            service.removeObserver(first, for: "alice")
            #expect(service.observedUsers.sorted() == ["alice", "bob"])
        }
        // The second one is dead: the sweep finds it without a change coming.
        try await eventually("dead observers are found") { service.observedUsers.isEmpty }
    }

    @Test("tells an observer that was added twice once, and one that was removed nothing")
    func addRemove() async throws {
        let observer = RecordingObserver()
        service.addObserver(observer, for: "alice")
        service.addObserver(observer, for: "alice")
        await service.waitUntilFollowing("alice")
        try await add("once")
        service.removeObserver(observer, for: "alice")
        try await add("never")
        #expect(observer.lines == ["added once"])
    }

    @Test("lets an observer leave and others join inside a callback")
    func changesInsideCallback() async throws {
        let (leaver, joiner, stayer) = (RecordingObserver(), RecordingObserver(), RecordingObserver())
        leaver.onLine = { _ in
            LoopActor.assumeIsolated {
                service.removeObserver(leaver, for: "alice")
                service.addObserver(joiner, for: "alice")
            }
        }
        service.addObserver(leaver, for: "alice")
        service.addObserver(stayer, for: "alice")
        await service.waitUntilFollowing("alice")
        try await add("one")
        try await add("two")
        #expect(leaver.lines == ["added one"])
        #expect(joiner.lines == ["added two"])
        #expect(stayer.lines == ["added one", "added two"])
    }

    @Test("reads missed changes from the log after the channel was lost")
    func catchesUp() async throws {
        let observer = RecordingObserver()
        service.addObserver(observer, for: "alice")
        await service.waitUntilFollowing("alice")
        try await add("one")
        service.followed["alice"]?.channelLost()
        try await add("two")
        try await add("three")
        #expect(observer.lines == ["added one"])
        service.followed["alice"]?.channelOpened()
        await service.waitUntilFollowing("alice")
        #expect(observer.versions == [1, 2, 3])
        #expect(monitor.repairs == [2])
    }

    @Test("starts observers over when the log was trimmed meanwhile")
    func resets() async throws {
        let repository = InMemoryTodoRepository(logLength: 2)
        let service = TodoRealtimeService(repository, monitor: monitor)
        let observer = RecordingObserver()
        service.addObserver(observer, for: "alice")
        await service.waitUntilFollowing("alice")
        service.followed["alice"]?.channelLost()
        for content in ["a", "b", "c"] {
            _ = try await repository.add(TodoDraft(date: day, content: content), for: "alice")
        }
        service.followed["alice"]?.channelOpened()
        await service.waitUntilFollowing("alice")
        #expect(observer.lines == ["reset alice"])
        #expect(monitor.resets == ["alice"])
        _ = try await repository.add(TodoDraft(date: day, content: "d"), for: "alice")
        #expect(observer.lines == ["reset alice", "added d"])
    }

    @Test("shows a plain publish as it is and drops what is not valid, with a reason")
    func plainPublish() async throws {
        let observer = RecordingObserver()
        service.addObserver(observer, for: "alice")
        await service.waitUntilFollowing("alice")
        let message = #"{"type":"added","todo":{"id":"t1","uid":"alice","date":"2026-11-20","content":"hi"}}"#
        repository.publish(Array(message.utf8), for: "alice")
        repository.publish(Array("nonsense".utf8), for: "alice")
        repository.publish(Array(message.replacing("alice", with: "bob").utf8), for: "alice")
        try await add("stored")
        #expect(observer.lines == ["added hi", "added stored"])
        #expect(observer.versions == [1])
        #expect(monitor.refusals == [.notJSON, .otherUser])
    }
}
