import EventLoop
import HTTPServing
import TodoMate

/// Puts reactions to todos, and shows them.
@LoopActor
final class ReactionRoutes {
    private let feeds: any FeedStoreType
    private let reader: ReactionReader
    private let authenticator: Authenticator
    private let long: LongAnswers

    init(_ stores: Stores, _ authenticator: Authenticator, _ long: LongAnswers) {
        (feeds, reader) = (stores.feeds, ReactionReader(stores.personal))
        (self.authenticator, self.long) = (authenticator, long)
    }

    func add(to router: HTTPRouter) {
        let collection = "/v1/users/{uid}/todos/{id}/reactions"
        router.on(.get, collection, list)
        router.on(.put, collection + "/{person}", put)
        router.on(.delete, collection + "/{person}", remove)
    }

    private struct Body: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case emoji }

        var emoji: String
    }

    private func put(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["person"], toWrite: .reaction(to: path["uid"]))
        let body = try Body.read(request)
        return try await react(body.emoji, request, path)
    }

    private func remove(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        try await authenticator.authorize(request, for: path["person"], toWrite: .reaction(to: path["uid"]))
        return try await react(nil, request, path)
    }

    private func react(_ emoji: String?, _ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        // The function itself refuses a reaction to a hidden todo, and answers with what the viewer may see.
        let write = try await feeds.react(emoji, to: path["id"], of: path["uid"], by: path["person"])
        if WriteAnswer.isWanted(by: request) { return WriteAnswer.of(write) }
        let todo = write.todo
        return .response(.json(TodoDTO(todo).json, headers: ["ETag": ETag.of(todo), "Cache-Control": "no-store"]))
    }

    /// All reactions for the owner; for others, their own.
    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let (viewer, principal) = try await authenticator.viewer(request, of: path["uid"])
        try QueryNames.check(request, ["viewer"], "use viewer")
        let turn = try await long.turn(of: viewer, principal, authenticator)
        let person = viewer == path["uid"] ? nil : viewer
        let reactions = try await reader.reactions(to: path["id"], of: path["uid"], by: person)
        return RelationRoutes.fresh(JSONObject(["reactions": reactions.map { RawJSON($0.json) }]).text, in: turn)
    }
}
