import EventLoop
import HTTPServing
import TodoMate

/// Reads and writes todos over HTTP.
@LoopActor
final class TodoRoutes {
    private let repository: any TodoRepositoryType
    private let shared: any SharedTodoStoreType
    private let authenticator: Authenticator

    init(
        _ stores: Stores,
        _ authenticator: Authenticator
    ) {
        (repository, shared) = (stores.todos, stores.shared)
        self.authenticator = authenticator
    }

    func add(to router: HTTPRouter) {
        let collection = "/v1/users/{uid}/todos"
        let item = "/v1/users/{uid}/todos/{id}"
        router.on(.get, collection, self.list)
        router.on(.post, collection, self.create)
        router.on(.get, item, self.read)
        router.on(.put, item, self.put)
        router.on(.patch, item, self.patch)
        router.on(.delete, item, self.remove)
    }

    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (viewer, principal) = try await authenticator.viewer(request, of: path["uid"])
        let days = try DayQuery.days(request)
        let (access, list) = try await text(of: path["uid"], for: viewer, days)
        // Whoever waited for a turn may have been signed out meanwhile.
        if list.turn != nil { try await authenticator.check(principal) }
        // On a replica a log that is gone stays so: what is there has no name then.
        guard list.id != .lost else { return .response(.json(list.json, headers: ["Cache-Control": "no-store"])) }
        let tag = ETag.of(list, access)
        guard !ETag.isKnown(tag, to: request) else {
            return .response(HTTPResponse(status: 304, headers: ["ETag": tag]))
        }
        var response = HTTPResponse.json(list.json, headers: ["ETag": tag, "Cache-Control": "private, no-store"])
        response.turn = list.turn.map { turn in
            AnswerTurn(turn) { [self] in
                guard await authenticator.mayGoOn(principal) else { return false }
                return await mayStillSee(path["uid"], viewer, by: access)
            }
        }
        return .response(response.compressed(for: request))
    }

    /// Whether a viewer may still see what was shown by an access, as far as can be told.
    private func mayStillSee(_ owner: String, _ viewer: String, by access: Access) async -> Bool {
        guard viewer != owner, let now = try? await shared.access(of: viewer, to: owner) else { return true }
        return access.limited(to: now) == access
    }

    /// What the viewer may see of the todos.
    private func text(
        of owner: String,
        for viewer: String,
        _ days: ClosedRange<CalendarDate>?
    ) async throws -> (Access, TodoListText) {
        if viewer == owner { return (.own, try await repository.list(of: viewer, in: days)) }
        let (sides, read) = try await shared.list(of: owner, for: viewer, in: days)
        guard let read else { throw Problem.closed(owner) }
        await read.list.writeText(for: sides.access)
        return (sides.access, TodoListText(read, for: sides.access))
    }

    private func create(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .todo)
        let draft = try TodoBody.draft(request)
        let write = try await repository.add(draft, for: path["uid"])
        return WriteAnswer.isWanted(by: request) ? WriteAnswer.of(write) : Self.created(write, of: path["uid"])
    }

    private func read(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await read(path["id"], of: path["uid"], request)
    }

    /// Answers with a todo, as far as whoever asks may see it.
    func read(_ id: String, of uid: String, _ request: HTTPRequest) async throws -> HTTPReply {
        let viewer = try await authenticator.viewer(request, of: uid).uid
        let stored =
            try await viewer == uid ? repository.record(id, of: viewer) : others(id, of: uid, for: viewer)
        let tag = ETag.of(stored.todo)
        guard !ETag.isKnown(tag, to: request) else {
            return .response(HTTPResponse(status: 304, headers: ["ETag": tag]))
        }
        return Self.todo(stored.todo, stored.json)
    }

    /// A hidden todo is answered like one that does not exist.
    private func others(_ id: String, of uid: String, for viewer: String) async throws -> TodoRecord {
        do {
            return try await shared.todo(id, of: uid, for: viewer)
        } catch TodoError.notFound(let reason) {
            let access = try await shared.access(of: viewer, to: uid)
            throw access == .none ? Problem.closed(uid) : Problem(.notFound, reason)
        }
    }

    /// Puts the whole todo in place: a new one, or all parts of the one that is there.
    private func put(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .todo)
        var draft = try TodoBody.draft(request)
        guard draft.id == nil || draft.id == path["id"] else {
            throw Problem(.invalid, "id must be \(path["id"]) as in the path, or left out")
        }
        draft.id = path["id"]
        let expected = try ETag.expectedRevision(request)
        let mustBeNew = request.headers["if-none-match"] == "*"
        let mustExist = request.headers["if-match"] != nil
        let isNew = mustExist ? false : mustBeNew ? true : try await isNew(path)
        var mayRepeat = true
        if isNew {
            do {
                let write = try await repository.add(draft, for: path["uid"])
                if draft.isAll(of: write.todo) { return Self.put(write, for: request, of: path["uid"], mustBeNew) }
                // It has come meanwhile, with another status or place.
                guard !mustBeNew else { throw TodoError.exists("\(path["id"]) is there") }
                // The operation, if there is one, was to find it there.
                mayRepeat = false
            } catch TodoError.exists(let text) {
                guard !mustBeNew else { throw Problem(.conflict, text) }
            }
        }
        let patch = TodoPatch(
            date: draft.date,
            time: TimeChange(to: draft.time),
            content: draft.content,
            detail: draft.detail,
            status: draft.status,
            position: draft.position,
            visibility: draft.visibility,
            goal: draft.goal ?? ""
        )
        guard mayRepeat else {
            let write = try await RepeatableWrite.apart { () throws(TodoError) in
                try await repository.update(path["id"], of: path["uid"], with: patch, expecting: expected)
            }
            return Self.put(write, for: request, of: path["uid"], mustBeNew)
        }
        let write = try await repository.update(path["id"], of: path["uid"], with: patch, expecting: expected)
        return Self.put(write, for: request, of: path["uid"], mustBeNew)
    }

    /// Said again, a request that has added the todo may find it there, and one that has changed it may find it gone: the write says
    /// what it was.
    private static func put(
        _ write: TodoWrite,
        for request: HTTPRequest,
        of uid: String,
        _ mustBeNew: Bool
    ) -> HTTPReply {
        if WriteAnswer.isWanted(by: request) { return WriteAnswer.of(write) }
        return mustBeNew || write.change?.kind == .added ? created(write, of: uid) : todo(write.todo, write.json)
    }

    private func isNew(_ path: PathParameters) async throws -> Bool {
        do {
            _ = try await repository.record(path["id"], of: path["uid"])
            return false
        } catch TodoError.notFound {
            return true
        }
    }

    private func patch(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .todo)
        let expected = try ETag.expectedRevision(request)
        return try await update(request, path, try TodoBody.patch(request), expected)
    }

    private func remove(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .todo)
        return try await remove(path["id"], of: path["uid"], request)
    }

    /// Removes a todo that is still what `If-Match` says.
    func remove(_ id: String, of uid: String, _ request: HTTPRequest) async throws -> HTTPReply {
        let expected = try ETag.expectedRevision(request)
        let change = try await repository.remove(id, of: uid, expecting: expected)
        return WriteAnswer.isWanted(by: request)
            ? WriteAnswer.of(.changed(change)) : .response(HTTPResponse(status: 204))
    }

    private func update(
        _ request: HTTPRequest,
        _ path: PathParameters,
        _ patch: TodoPatch,
        _ expected: ExpectedRevision?
    ) async throws -> HTTPReply {
        let write = try await repository.update(path["id"], of: path["uid"], with: patch, expecting: expected)
        if WriteAnswer.isWanted(by: request) { return WriteAnswer.of(write) }
        return Self.todo(write.todo, write.json)
    }

    /// A new todo goes out as Redis answered with it, without a look inside.
    private static func created(_ write: TodoWrite, of uid: String) -> HTTPReply {
        let (tag, id) =
            switch write {
            case .changed(let change): (ETag.of(change), change.todoID)
            case .unchanged(let stored): (ETag.of(stored.todo), stored.todo.id)
            }
        let headers: HTTPHeaders = ["ETag": tag, "Location": "/v1/users/\(uid)/todos/\(id)"]
        return .response(.json(write.json, status: 201, headers: headers))
    }

    static func todo(_ todo: Todo, _ json: [UInt8]) -> HTTPReply {
        .response(.json(json, headers: ["ETag": ETag.of(todo), "Cache-Control": "private, no-store"]))
    }
}

extension TodoDraft {
    /// Whether a todo has all that this draft says.
    fileprivate func isAll(of todo: Todo) -> Bool {
        status == todo.status && (position == nil || position == todo.position)
            && (visibility == nil || visibility == todo.visibility) && goal == todo.goal
    }
}
