import EventLoop
import HTTPServing
import TodoMate

/// What became of todos, for their owner alone: nobody else may learn what one was while it was hidden from them.
@LoopActor
final class HistoryRoutes {
    private let histories: any HistoryStoreType
    private let authenticator: Authenticator
    private let long: LongAnswers

    init(_ stores: Stores, _ authenticator: Authenticator, _ long: LongAnswers) {
        histories = stores.histories
        (self.authenticator, self.long) = (authenticator, long)
    }

    func add(to router: HTTPRouter) {
        router.on(.get, "/v1/users/{uid}/todos/{id}/history", show)
        router.on(.get, "/v1/users/{uid}/removed", list)
    }

    private func show(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let question = try await begin(request, path)
        do {
            let found = try await histories.history(of: path["id"], of: path["uid"], before: question.before)
            return question.answer(found)
        } catch TodoError.gone(let text) {
            throw Problem(.notFound, text)
        }
    }

    private func list(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let question = try await begin(request, path)
        do {
            return question.answer(try await histories.removed(of: path["uid"], before: question.before))
        } catch TodoError.gone(let text) {
            throw Problem(.notFound, text)
        }
    }

    /// What the owner asks.
    private func begin(_ request: HTTPRequest, _ path: PathParameters) async throws -> Question {
        let principal = try await authenticator.authorize(request, for: path["uid"], toWrite: .feed)
        try QueryNames.check(request, ["before"], "use before")
        let before = request.query("before").map { ChangeID($0) }
        if case .some(nil) = before {
            throw Problem(.invalid, "before must be the id of a change, such as 57-1763677123456789")
        }
        let turn = try await long.turn(of: path["uid"], principal, authenticator)
        let scope = principal.token?.scope ?? .account
        let onlyReads = scope != .account && scope != .token(.write)
        return Question(before: before ?? nil, onlyReads: onlyReads, turn: turn)
    }

    private struct Question {
        /// The change to go on before.
        var before: ChangeID?
        /// Whether it is a token that may not write.
        var onlyReads: Bool
        var turn: AnswerTurn

        @LoopActor
        func answer(_ history: TodoHistory) -> HTTPReply {
            var history = history
            // A dashboard or a calendar has no need to learn which devices somebody uses and when.
            if onlyReads { history.forgetDevices() }
            return RelationRoutes.fresh(history.json, in: turn)
        }
    }
}
