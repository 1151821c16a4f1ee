import EventLoop
import Foundation
import TodoMate

/// Where an outbox sends what was done.
@LoopActor
protocol OutboxDoor: AnyObject {
    /// Sends a request, once.
    func send(_ request: Outbox.Request, of uid: String) async -> DoorAnswer
}

/// What came of a request, and whether anything else should wait.
struct DoorAnswer: Sendable, Equatable {
    enum Pause: Sendable, Equatable {
        /// The server has trouble with this todo.
        case todo
        /// The server cannot be reached, or does nothing for now.
        case everything
        /// Somebody has to do something first: to sign in again, or to ask an operator.
        case untilTold(String)
    }

    var outcome: Outbox.Outcome
    var pause: Pause?
    /// How long the server wants no request: none comes before that is over.
    var notBefore = Duration.zero
}

/// Sends over HTTP, each request with a key under which the server does it once.
@LoopActor
final class HTTPOutboxDoor: OutboxDoor {
    private let server: Server

    init(_ server: Server) { self.server = server }

    func send(_ request: Outbox.Request, of uid: String) async -> DoorAnswer {
        do throws(ServerFailure) {
            if let outcome = try await outcome(of: request, uid) { return DoorAnswer(outcome: outcome) }
            let answer = try await server.answer(Self.message(request, uid))
            if case .skip = request.intent { return DoorAnswer(outcome: try await settings(of: uid)) }
            do throws(TodoError) {
                return DoorAnswer(outcome: Self.outcome(try WrittenChange.read(answer, of: uid)))
            } catch {
                return DoorAnswer(outcome: .passing(error.description), pause: .todo)
            }
        } catch {
            var answer = await answer(to: error, request, uid)
            answer.notBefore = error.retryAfter ?? .zero
            return answer
        }
    }

    /// What became of an add that was done before, by the log: the server may have forgotten its key, and what was removed since is not
    /// to come back. Nil where the log does not say that it was done.
    private func outcome(of request: Outbox.Request, _ uid: String) async throws(ServerFailure) -> Outbox.Outcome? {
        guard case .add(let draft) = request.intent, let since = request.repeatedSince else { return nil }
        var (newest, last): (ChangeID?, ChangeID?)
        repeat {
            do throws(ServerFailure) {
                let part = try await HTTPHistoryStore.history(of: request.todo, of: uid, before: last, from: server)
                let entries = part.entries.prefix { $0.id.isLater(than: since) }
                newest = newest ?? entries.first?.id
                if let newest, entries.contains(where: { $0.kind == .added && draft.isWritten(in: $0.todo) }) {
                    return part.todo.map { .unchanged($0) } ?? .written(newest, nil)
                }
                last = part.hasMore && entries.count == part.entries.count ? entries.last?.id : nil
            } catch {
                // TodoMate's: it knows nothing of such a todo, its log has gone on, or was edited by hand.
                guard (error.status == 404 && error.kind != nil) || error.kind == "broken" else { throw error }
                return nil
            }
        } while last != nil
        return nil
    }

    private static func message(_ request: Outbox.Request, _ uid: String) -> ServerRequest {
        let fields = [
            "Accept": "application/vnd.todomate.change+json",
            "Idempotency-Key": "\"\(request.key)\"",
            "If-Match": request.revision.map { "\"\($0.micros == 0 ? String($0.number) : $0.description)\"" },
        ]
        let path = ["users", uid, "todos"]
        return switch request.intent {
        case .add(let draft): ServerRequest(.post, path, fields: fields, body: draft.json)
        case .edit(let patch): ServerRequest(.patch, path + [request.todo], fields: fields, body: patch.json)
        case .remove: ServerRequest(.delete, path + [request.todo], fields: fields)
        case .skip(let isBack):
            ServerRequest(isBack ? .delete : .put, skipped(request.todo, of: uid), fields: fields)
        }
    }

    private static func skipped(_ todo: String, of uid: String) -> [String] {
        guard let (routine, day) = Routine.parts(ofID: todo) else { return ["users", uid, "routines"] }
        return ["users", uid, "routines", routine, "skipped", day.description]
    }

    /// The settings as they are now, which are kept before what was done leaves the outbox.
    private func settings(of uid: String) async throws(ServerFailure) -> Outbox.Outcome {
        .settled(try await server.fresh(HTTPRelationStore.profile(of: uid)))
    }

    private static func outcome(_ write: TodoWrite) -> Outbox.Outcome {
        guard let change = write.change, let id = change.id else { return .unchanged(write.todo) }
        return .written(id, change.kind == .removed ? nil : change.todo)
    }

    private func answer(to failure: ServerFailure, _ request: Outbox.Request, _ uid: String) async -> DoorAnswer {
        switch (failure.status, failure.kind) {
        case (401, _), (403, "suspended"), (403, "account-leaving"):
            DoorAnswer(outcome: .passing(failure.detail), pause: .untilTold(failure.detail))
        // Somebody on the way dislikes this one, perhaps for its words, and may do so for ever: the others are not to wait for it.
        case (let status?, nil) where (400..<500).contains(status) && failure.isPassing && !Self.isForAll(status):
            DoorAnswer(outcome: .passing(failure.detail), pause: .todo)
        case _ where failure.isPassing: DoorAnswer(outcome: .passing(failure.detail), pause: .everything)
        case (404, _): DoorAnswer(outcome: .missing(failure.detail))
        // The todo of a routine's day is there: nothing is to be taken back.
        case (409, _) where request.intent.isSkip: DoorAnswer(outcome: .unneeded)
        case (409, _): await existing(request, uid, failure)
        case (412, _):
            DoorAnswer(outcome: failure.current.map { .conflict($0) } ?? .refused(failure.todoError))
        case (let status?, _) where status >= 500 || status < 400:
            DoorAnswer(outcome: .passing(failure.detail), pause: .todo)
        default: DoorAnswer(outcome: .refused(failure.todoError))
        }
    }

    /// Whether a 4xx says nothing of what was sent: to sign in at a proxy, to be faster, to come less often.
    private static func isForAll(_ status: Int) -> Bool { [407, 408, 429].contains(status) }

    /// The todo that has the id.
    private func existing(_ request: Outbox.Request, _ uid: String, _ failure: ServerFailure) async -> DoorAnswer {
        do throws(ServerFailure) {
            let answer = try await server.answer(ServerRequest(.get, ["users", uid, "todos", request.todo]))
            let todo = try answer.read(TodoDTO.self).toModel()
            return DoorAnswer(outcome: .exists(todo))
        } catch {
            // It has gone again: the same once more.
            return DoorAnswer(outcome: .passing(failure.detail), pause: .todo)
        }
    }
}
