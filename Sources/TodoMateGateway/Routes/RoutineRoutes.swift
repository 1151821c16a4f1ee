import EventLoop
import HTTPServing
import TodoMate

/// What a person does again and again: lists routines and the days that they leave, makes, changes, skips, splits and ends them.
///
/// The todo of a day is made by a `PATCH` of it, like any change of a todo. Lists of todos and streams have only what is stored, so
/// that they are as of a change; the days that routines leave are worked out by whoever shows them, or here when asked for.
@LoopActor
final class RoutineRoutes {
    private let routines: any RoutineStoreType
    private let relations: any RelationStoreType
    private let todos: any TodoRepositoryType
    private let authenticator: Authenticator

    init(_ stores: Stores, _ authenticator: Authenticator) {
        (routines, relations, todos) = (stores.routines, stores.relations, stores.todos)
        self.authenticator = authenticator
    }

    func add(to router: HTTPRouter) {
        let collection = "/v1/users/{uid}/routines"
        let item = "\(collection)/{routine}"
        router.on(.get, collection, list)
        router.on(.post, collection, setAll)
        router.on(.get, "/v1/users/{uid}/routine-todos", days)
        router.on(.put, item, set)
        router.on(.delete, item, end)
        router.on(.post, "\(item)/split", split)
        router.on(.put, "\(item)/skipped/{date}", skip)
        router.on(.delete, "\(item)/skipped/{date}", takeBack)
    }

    /// For the owner alone.
    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"])
        try QueryNames.check(request, [], "this path takes no query")
        return Self.answer(try await routines.routines(of: path["uid"]))
    }

    /// The todos of the days that are left, as they are before they are made.
    private func days(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"])
        try QueryNames.check(request, ["from", "to", "today"], "use from, to and today")
        let (from, to) = (try Self.day(request, "from"), try Self.day(request, "to"))
        let today = try Self.day(request, "today")
        guard from <= to, to.daysSince1970 - from.daysSince1970 < Self.mostDays else {
            throw Problem(.invalid, "from must not be after to, and not \(Self.mostDays) days or more before it")
        }
        let settings = try await relations.profile(of: path["uid"]).settings
        let stored = try await todos.snapshot(of: path["uid"], in: from...to).todos.map(\.id)
        let all = settings.routineTodos(in: from...to, today: today, besides: Set(stored)).sorted(
            by: Todo.isInListOrder
        )
        return RelationRoutes.fresh(JSONObject(["todos": all.map { RawJSON(TodoDTO($0).json) }]).text)
    }

    /// A year and a bit.
    private static let mostDays = 400

    private static func day(_ request: HTTPRequest, _ name: String) throws(Problem) -> CalendarDate {
        guard let day = request.query(name).flatMap({ CalendarDate($0) }) else {
            throw Problem(.invalid, "\(name) must be a real day between 1900-01-01 and 2999-12-31, written 2026-11-20")
        }
        return day
    }

    /// Makes a routine, or changes what the body has of it.
    private func set(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let patch = try RoutineFields.read(request).patch(path["routine"])
        let all = try await routines.set([patch], of: path["uid"])
        guard let routine = all.first(where: { $0.id == patch.id }) else {
            throw Problem(.invalid, "ended is for several at once: DELETE the routine")
        }
        return RelationRoutes.fresh(routine.json)
    }

    /// Makes, changes and takes away several at once.
    private func setAll(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let patches = try RoutineList.read(request).routines.map { (fields) throws(Problem) in try fields.patch(nil) }
        return Self.answer(try await routines.set(patches, of: path["uid"]))
    }

    /// Takes a routine away, or ends it before a day.
    private func end(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, ["from", "seen"], "use from and seen")
        let seen = try request.query("seen").map { (text) throws(TodoError) in try RoutineRule(text) }
        guard request.query("from") != nil else {
            let patch = RoutinePatch(id: path["routine"], isEnded: true, seen: seen)
            return try await answering(path) { () throws(TodoError) in
                try await routines.set([patch], of: path["uid"])
            }
        }
        let day = try Self.day(request, "from")
        return try await answering(path) { () throws(TodoError) in
            try await routines.split(path["routine"], of: path["uid"], on: day, into: nil, seen: seen)
        }
    }

    /// Ends a routine before a day, and has another one begin then.
    private func split(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, ["from"], "use from")
        let day = try Self.day(request, "from")
        let other = try RoutineFields.read(request).patch(nil)
        return try await answering(path) { () throws(TodoError) in
            try await routines.split(path["routine"], of: path["uid"], on: day, into: other, seen: other.seen)
        }
    }

    /// Answers a conflict with the routine as it is now.
    private func answering(
        _ path: PathParameters,
        _ write: @LoopActor () async throws(TodoError) -> [Routine]
    ) async throws -> HTTPReply {
        do throws(TodoError) {
            return Self.answer(try await write())
        } catch {
            guard case .conflict(let text, _) = error else { throw Problem(error) }
            var problem = Problem(.conflict, text)
            problem.routine = try await routines.routines(of: path["uid"]).first { $0.id == path["routine"] }
            throw problem
        }
    }

    private func skip(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await skip(request, path, isBack: false)
    }

    private func takeBack(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await skip(request, path, isBack: true)
    }

    private func skip(_ request: HTTPRequest, _ path: PathParameters, isBack: Bool) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["uid"], toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        guard let day = CalendarDate(path["date"]) else {
            throw Problem(.invalid, "the path must end in a real day, written 2026-11-20")
        }
        return Self.answer(
            try await routines.skip(day, of: path["routine"], of: path["uid"], isBack: isBack)
        )
    }

    private static func answer(_ routines: [Routine]) -> HTTPReply {
        RelationRoutes.fresh(JSONObject(["routines": routines.map { RawJSON($0.json) }]).text)
    }
}
