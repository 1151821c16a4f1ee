import EventLoop
import HTTPServing
import TodoMate

/// Finds todos: one's own, and what one may see of others'.
@LoopActor
final class SearchRoutes {
    private static let wordsLength = 200

    private let searches: any SearchStoreType
    private let authenticator: Authenticator
    private let long: LongAnswers

    init(_ stores: Stores, _ authenticator: Authenticator, _ long: LongAnswers) {
        searches = stores.searches
        (self.authenticator, self.long) = (authenticator, long)
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/search", find)
        router.on(.get, "/v1/users/{uid}/notes", notes)
    }

    private func find(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let names = ["words", "status", "goal", "from", "to", "limit", "after", "viewer"]
        let advice = "use words, status, goal, from, to, limit and after"
        return try await answer(request, path, names, advice, Self.search)
    }

    /// What somebody has written about days.
    private func notes(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let names = ["from", "to", "limit", "after", "viewer"]
        return try await answer(request, path, names, "use from, to, limit and after") { request throws(Problem) in
            try Self.checked(Self.within(request, TodoSearch(isForNotes: true)))
        }
    }

    private func answer(
        _ request: HTTPRequest,
        _ path: PathParameters,
        _ names: [String],
        _ advice: String,
        _ search: (HTTPRequest) throws(Problem) -> TodoSearch
    ) async throws -> HTTPReply {
        let (viewer, principal) = try await authenticator.viewer(request, of: path["uid"])
        try QueryNames.check(request, names, advice)
        let search = try search(request)
        let limit = try PageQuery.limit(request, usual: FoundTodos.most, most: FoundTodos.most)
        let place = request.query("after").map { SearchPlace($0) }
        if case .some(nil) = place { throw PageQuery.notNext("after") }
        let turn = try await long.turn(of: viewer, principal, authenticator)
        let found = try await searches.search(
            search,
            of: path["uid"],
            for: viewer,
            after: place ?? nil,
            limit: limit
        )
        guard var found else { throw Problem.closed(path["uid"]) }
        // How many there are that one may not see is nobody's business.
        if viewer != path["uid"] { found.looked = nil }
        return RelationRoutes.fresh(found.json, in: turn)
    }

    private static func search(_ request: HTTPRequest) throws(Problem) -> TodoSearch {
        var search = TodoSearch(goal: request.query("goal"))
        if let text = request.query("words") {
            guard text.unicodeScalars.count <= wordsLength, let words = TodoWords(text) else {
                throw Problem(.invalid, "words must be one or more words, at most \(wordsLength) characters")
            }
            search.words = words
        }
        if let text = request.query("status") {
            guard let status = TodoStatus(rawValue: text) else {
                throw Problem(.invalid, "status must be todo, inProgress, complete or incomplete")
            }
            search.status = status
        }
        search = try within(request, search)
        guard search != TodoSearch() else {
            throw Problem(.invalid, "say what to look for: words, status, goal, from or to")
        }
        return try checked(search)
    }

    private static func within(_ request: HTTPRequest, _ search: TodoSearch) throws(Problem) -> TodoSearch {
        var search = search
        if let text = request.query("from") { search.from = try DayQuery.day(text, "from") }
        if let text = request.query("to") { search.to = try DayQuery.day(text, "to") }
        return search
    }

    private static func checked(_ search: TodoSearch) throws(Problem) -> TodoSearch {
        do throws(TodoError) {
            try search.check()
        } catch {
            throw Problem(error)
        }
        return search
    }
}
