import EventLoop
import TestServers
import Testing
import TodoMate
import TodoMateRedis

@Suite("The device by which something was written", .serialized)
@LoopActor
struct HistoryDeviceTests {
    private static let phone = WritingDevice("Safari on iPhone")!
    private let today = CalendarDate("2026-11-20")!

    /// Writes by a device, or by one that is not known.
    private func write(
        by device: WritingDevice?,
        _ body: @LoopActor () async throws -> Void
    ) async throws {
        try await WritingDevice.$current.withValue(device) { try await body() }
    }

    /// The devices of a todo's changes, the newest first.
    private func devices(_ stores: Stores, _ id: String) async throws -> [String?] {
        try await stores.histories.history(of: id, of: "alice", before: nil).entries.map(\.device?.description)
    }

    @Test("is known of each change that one made, and of no other", arguments: StoresKind.servers)
    func each(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let draft = TodoDraft(id: "a", date: today, content: "milk")
            try await write(by: Self.phone) { _ = try await stores.todos.add(draft, for: "alice") }
            for (device, status) in [
                (nil, TodoStatus.complete), (WritingDevice("curl"), .todo), (Self.phone, .complete),
            ] {
                try await write(by: device) {
                    let patch = TodoPatch(status: status)
                    _ = try await stores.todos.update("a", of: "alice", with: patch, expecting: nil)
                }
            }
            try await write(by: WritingDevice("Firefox on Linux")) {
                _ = try await stores.todos.remove("a", of: "alice", expecting: nil)
            }
            #expect(
                try await devices(stores, "a") == [
                    "Firefox on Linux", "Safari on iPhone", "curl", nil, "Safari on iPhone",
                ]
            )
            let removed = try await stores.histories.removed(of: "alice", before: nil)
            #expect(removed.entries.map(\.device?.description) == ["Firefox on Linux"])
            #expect(removed.json.contains(#","device":"Firefox on Linux","todo":{"#))
            #expect(
                try await stores.histories.history(of: "a", of: "alice", before: removed.entries[0].id).entries.count
                    == 4
            )
        }
    }

    @Test(
        "is known of what is written in one's name besides: notes, imports, what may be said again",
        arguments: StoresKind.servers
    )
    func others(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let note = DayNote.id(of: today)
            try await write(by: Self.phone) {
                try await stores.notes.set("Rain", visibility: nil, on: today, of: "alice", expecting: nil)
                let again = RepeatableWrite(OperationID())
                for _ in 0..<2 {
                    let draft = TodoDraft(id: "b", date: today, content: "bread")
                    _ = try await again.run { () throws(TodoError) in try await stores.todos.add(draft, for: "alice") }
                }
                try await stores.feeds.react("🎉", to: "b", of: "alice", by: "alice")
            }
            #expect(try await devices(stores, note) == ["Safari on iPhone"])
            #expect(try await devices(stores, "b") == ["Safari on iPhone", "Safari on iPhone"])
        }
    }

    @Test("is nobody's business where somebody else reacts", arguments: StoresKind.servers)
    func reactions(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.relations.set(AccountPatch(audience: .public), of: "alice")
            let draft = TodoDraft(id: "a", date: today, content: "milk", visibility: .public)
            _ = try await stores.todos.add(draft, for: "alice")
            try await write(by: Self.phone) { try await stores.feeds.react("🎉", to: "a", of: "alice", by: "bob") }
            // Nor is it left behind for who writes next.
            _ = try await stores.todos.update("a", of: "alice", with: TodoPatch(content: "wine"), expecting: nil)
            #expect(try await devices(stores, "a") == [nil, nil, nil])
            // Nor where a reaction goes with its person.
            try await stores.sessions.enroll("bob", passwordHash: "$argon2id$one")
            try await write(by: Self.phone) {
                _ = try await stores.deletions.begin(of: "bob", after: 0, since: nil, keeping: nil)
                for _ in 0..<3 { try await stores.deletions.advance("bob") }
            }
            #expect(try await devices(stores, "a") == [nil, nil, nil, nil])
        }
    }

    @Test(
        "has a name of 1 to 64 printable characters of ASCII",
        arguments: ["", "\t", "a\nb", "é", "\u{7F}", String(repeating: "a", count: 65)]
    )
    func refused(_ name: String) {
        #expect(WritingDevice(name) == nil)
        #expect(WritingDevice(String(repeating: "a", count: 64))?.description.count == 64)
    }
}
