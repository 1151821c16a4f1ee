import EventLoop
import TodoMate

/// A service that writes one user's own todos only.
@LoopActor
final class OwnTodosOnly: TodoServiceType {
    private let user: String
    private let service: any TodoServiceType

    init(_ user: String, over service: any TodoServiceType) {
        self.user = user
        self.service = service
    }

    private func own(_ uid: String) throws(TodoError) -> any TodoServiceType {
        guard uid == user else { throw .invalid("these are \(uid)'s todos: \(user) can only read them") }
        return service
    }

    func create(_ draft: TodoDraft, for uid: String) async throws(TodoError) -> Todo {
        try await own(uid).create(draft, for: uid)
    }

    func update(
        _ id: String,
        of uid: String,
        with patch: TodoPatch,
        expecting revision: ExpectedRevision?
    ) async throws(TodoError) -> Todo {
        try await own(uid).update(id, of: uid, with: patch, expecting: revision)
    }

    func remove(_ id: String, of uid: String, expecting revision: ExpectedRevision?) async throws(TodoError) -> Todo {
        try await own(uid).remove(id, of: uid, expecting: revision)
    }

    func todo(_ id: String, of uid: String) async throws(TodoError) -> Todo { try await own(uid).todo(id, of: uid) }

    func todos(of uid: String, in days: ClosedRange<CalendarDate>?) async throws(TodoError) -> [Todo] {
        try await own(uid).todos(of: uid, in: days)
    }

    func move(_ id: String, of uid: String, to place: TodoPlace) async throws(TodoError) -> Todo {
        try await own(uid).move(id, of: uid, to: place)
    }
}
