import EventLoop
import Foundation
import Testing
import TodoMate

@Suite("Todos of an archive, read in again", .serialized)
@LoopActor
struct ArchiveContractTests {
    private static let day = CalendarDate("2026-11-20")!

    private static func line(_ id: String, _ rest: String = "", content: String = "x", uid: String = "alice") -> [UInt8]
    {
        Array(#"{"id":"\#(id)","uid":"\#(uid)","date":"2026-11-20","content":"\#(content)"\#(rest)}"#.utf8)
    }

    @Test("are added, left alone, refused or replaced by what is there", arguments: StoresKind.servers)
    func states(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let same = Self.line("same", #","status":"complete","createdAt":"2026-01-02T03:04:05Z""#)
            let other = TodoDraft(id: "other", date: Self.day, content: "another", visibility: .private)
            _ = try await stores.todos.add(other, for: "alice")
            let lines = [
                Self.line("new", #","detail":"d","position":7,"visibility":"public","time":"09:30""#), same,
                Self.line("other"), same,
            ]
            let first = try await stores.archives.write(lines, of: "alice", replacing: false)
            let reason = "another todo has the id other already"
            #expect(first == [.added, .added, .refused(reason), .unchanged])
            let before = try await stores.todos.snapshot(of: "alice", in: nil)
            #expect(before.todos.map(\.content).sorted() == ["another", "x", "x"])
            let new = try #require(before.todos.first { $0.id == "new" })
            #expect((new.detail, new.position, new.visibility) == ("d", 7, .public) && new.time == TimeOfDay("09:30"))
            let kept = try #require(before.todos.first { $0.id == "same" })
            #expect(kept.createdAt == Date(timeIntervalSince1970: 1_767_323_045) && kept.status == .complete)
            // Said again it changes nothing.
            let again = try await stores.archives.write(lines, of: "alice", replacing: false)
            #expect(again == [.unchanged, .unchanged, .refused(reason), .unchanged])
            #expect(try await stores.todos.latestChangeID(of: "alice") == before.id)
            let last = try await stores.archives.write(lines, of: "alice", replacing: true)
            #expect(last == [.unchanged, .unchanged, .replaced, .unchanged])
            let replaced = try await stores.todos.todo("other", of: "alice")
            #expect((replaced.content, replaced.visibility) == ("x", .private), "what it does not say stays")
        }
    }

    @Test("change nothing where they are no todos of this user's", arguments: StoresKind.servers)
    func refusals(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let lines = [
                Self.line("a", uid: "bob"), Self.line("a", #","colour":"red""#), Self.line("a b"), Array("{".utf8),
                Self.line("a", content: ""), Self.line("note-of-2026-11-20"), Self.line("a", #","time":"25:00""#),
            ]
            let outcomes = try await stores.archives.write(lines, of: "alice", replacing: true)
            #expect(outcomes.count == lines.count)
            for (outcome, line) in zip(outcomes, lines) {
                guard case .refused = outcome else {
                    Issue.record("\(String(decoding: line, as: UTF8.self)): \(outcome)")
                    continue
                }
            }
            #expect(try await stores.todos.latestChangeID(of: "alice") == .zero)
            await #expect(throws: TodoError.self) {
                _ = try await stores.archives.write([Self.line("a")], of: "a b", replacing: false)
            }
        }
    }

    @Test("keep to what an operator lets the account have", arguments: StoresKind.servers)
    func limits(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            try await stores.sessions.enroll("alice", passwordHash: "$argon2id$one")
            _ = try await stores.operators.limit("alice", [.todos: .most(2)], by: nil)
            let lines = ["a", "b", "c"].map { Self.line($0) }
            let outcomes = try await stores.archives.write(lines, of: "alice", replacing: false)
            #expect(outcomes.prefix(2) == [.added, .added])
            let isFull = if case .refused(let reason) = outcomes[2] { reason.contains("2 todos") } else { false }
            #expect(isFull, "\(outcomes)")
        }
    }
}
