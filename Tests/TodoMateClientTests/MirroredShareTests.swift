import Foundation
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("What a client knows of an owner's todos")
struct MirroredShareTests {
    private func share(_ access: Access = .own, at version: Int = 5) -> MirroredShare {
        MirroredShare(access, TodoSnapshot(id: ChangeID(version: version, microseconds: version * 10), todos: []))
    }

    private func todo(_ id: String) -> Todo {
        Todo(
            id: id,
            uid: "alice",
            date: CalendarDate.earliest,
            content: id,
            position: 1,
            revision: 1,
            createdAt: .distantPast,
            updatedAt: .distantPast
        )
    }

    /// Whether a change with these numbers is applied, seen or doubtful after the change 5-50, for the owner and for others.
    private static let table: [(version: Int, microseconds: Int, own: String, others: String)] = [
        (6, 60, "applied", "applied"), (6, 50, "applied", "applied"), (6, 49, "doubtful", "doubtful"),
        (7, 70, "doubtful", "applied"), (7, 49, "doubtful", "doubtful"),
        (5, 50, "seen", "seen"), (5, 51, "doubtful", "doubtful"), (5, 49, "doubtful", "doubtful"),
        (4, 40, "seen", "seen"), (4, 51, "doubtful", "doubtful"), (1, 1, "seen", "seen"),
    ]

    @Test("takes each change once, in order, and doubts what does not fit")
    func order() {
        for (version, microseconds, own, others) in Self.table {
            for (access, due) in [(Access.own, own), (.followers, others), (.public, others), (.none, "doubtful")] {
                var share = share(access)
                let id = ChangeID(version: version, microseconds: microseconds)
                let word =
                    switch share.take(id, "a", todo("a")) {
                    case .applied: "applied"
                    case .seen: "seen"
                    case .doubtful: "doubtful"
                    }
                #expect(word == due, "\(id) with \(access)")
                #expect(
                    (share.todos["a"] != nil, share.id == id) == (
                        due == "applied", due == "applied" || id == self.share().id
                    )
                )
            }
        }
    }

    @Test("begins at nothing")
    func beginning() {
        var share = MirroredShare(.own, TodoSnapshot(id: .zero, todos: []))
        #expect(share.take(ChangeID(version: 1, microseconds: 1), "a", todo("a")) == .applied)
        #expect(share.snapshot(in: nil).todos.map(\.id) == ["a"])
        #expect(share.take(ChangeID(version: 2, microseconds: 2), "a", nil) == .applied)
        #expect(share.snapshot(in: nil) == TodoSnapshot(id: ChangeID(version: 2, microseconds: 2), todos: []))
    }

    @Test("shows what was only published, which counts for nothing")
    func published() {
        var share = share()
        #expect(share.take(nil, "a", todo("a")) == .applied)
        #expect(share.id == self.share().id && share.todos["a"] != nil)
    }
}
