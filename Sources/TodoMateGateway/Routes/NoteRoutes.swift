import EventLoop
import HTTPServing
import TodoMate

/// What people write about days: reads, writes and removes the note of a day.
@LoopActor
final class NoteRoutes {
    private let stores: Stores
    private let todos: TodoRoutes
    private let authenticator: Authenticator

    init(_ stores: Stores, _ todos: TodoRoutes, _ authenticator: Authenticator) {
        (self.stores, self.todos, self.authenticator) = (stores, todos, authenticator)
    }

    func add(to router: HTTPRouter) {
        let item = "/v1/users/{uid}/notes/{date}"
        router.on(.get, item, read)
        router.on(.put, item, put)
        router.on(.delete, item, remove)
    }

    private struct Fields: RequestBody {
        enum CodingKeys: String, CodingKey, CaseIterable { case detail, visibility }

        static let place = "of a note"

        var detail: String?
        var visibility: Visibility?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            detail = try fields.optional(.detail)
            visibility = try fields.optional(.visibility)
        }
    }

    private func read(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try QueryNames.check(request, ["viewer"], "use viewer")
        let day = try DayQuery.day(path["date"], "date")
        return try await todos.read(DayNote.id(of: day), of: path["uid"], request)
    }

    /// Writes the note; without any text, takes it away.
    private func put(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let uid = path["uid"]
        try await authenticator.authorize(request, for: uid, toWrite: .todo)
        try QueryNames.check(request, [], "this path takes no query")
        let (day, fields) = (try DayQuery.day(path["date"], "date"), try Fields.read(request))
        guard fields.detail != nil || fields.visibility != nil else {
            throw Problem(.invalid, "give detail, visibility or both")
        }
        let mustBeNew = request.headers["if-none-match"] == "*"
        let expected = try ETag.expectedRevision(request) ?? (mustBeNew ? ExpectedRevision(0) : nil)
        // Of any revision, but there.
        if request.headers["if-match"] == "*" { _ = try await stores.todos.record(DayNote.id(of: day), of: uid) }
        let write = try await stores.notes.set(
            fields.detail,
            visibility: fields.visibility,
            on: day,
            of: uid,
            expecting: expected
        )
        if WriteAnswer.isWanted(by: request) { return WriteAnswer.of(write) }
        switch write.change?.kind {
        case .removed: return .response(HTTPResponse(status: 204))
        case .added:
            let headers: HTTPHeaders = ["ETag": ETag.of(write.todo), "Location": "/v1/users/\(uid)/notes/\(day)"]
            return .response(.json(write.json, status: 201, headers: headers))
        default: return TodoRoutes.todo(write.todo, write.json)
        }
    }

    private func remove(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .todo)
        try QueryNames.check(request, [], "this path takes no query")
        let day = try DayQuery.day(path["date"], "date")
        return try await todos.remove(DayNote.id(of: day), of: path["uid"], request)
    }
}
