import EventLoop
import Foundation
import TodoMate

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that is asked over HTTP by one person's token.
@LoopActor
final class Server {
    /// How long an answer may bring nothing.
    private static let patience: TimeInterval = 30
    /// The same where another answer can stand in.
    private static let shortPatience: TimeInterval = 5

    let url: URL
    private let credentials: any CredentialSource
    private let transport = HTTPTransport()
    /// Nil before the source was asked.
    private var token: String??
    /// Has requests wait for a server that does not answer, or wants fewer; nil for those that are refused then.
    var patience: RequestPatience?
    /// Keeps answers that stand in where the server does not answer; nil where nothing is kept.
    var answers: (any AnswerStorage)?
    /// Whether an answer of before was given in place of a new one.
    private(set) var hasShownKept = false

    init(_ url: URL, _ credentials: any CredentialSource) { (self.url, self.credentials) = (url, credentials) }

    nonisolated func close() { transport.close() }

    /// Sends a request; one that is refused for its token is sent once more where there is another one.
    ///
    /// - Throws: a ``ServerFailure`` for any status but 2xx.
    @discardableResult
    func answer(_ request: ServerRequest) async throws(ServerFailure) -> ServerAnswer {
        // What may be said again is sent under its id; what an outbox sends has one of its own.
        guard request.method != .get, request.fields["Idempotency-Key"] == nil, let write = RepeatableWrite.current
        else { return try await attempt(request) }
        var request = request
        let id = write.id.description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        request.fields["Idempotency-Key"] = "\"\(id)\""
        let answer = try await attempt(request)
        write.answered(isRepetition: answer.fields["idempotency-replayed"] == "true")
        return answer
    }

    private func attempt(
        _ request: ServerRequest,
        patience time: TimeInterval = patience
    ) async throws(ServerFailure) -> ServerAnswer {
        guard let patience else { return try await attemptOnce(request, time) }
        return try await patience.answer { () throws(ServerFailure) in try await attemptOnce(request, time) }
    }

    private func attemptOnce(
        _ request: ServerRequest,
        _ patience: TimeInterval
    ) async throws(ServerFailure) -> ServerAnswer {
        let token = await currentToken()
        do throws(ServerFailure) {
            return try await answer(request, token, patience)
        } catch {
            guard error.status == 401, let other = await otherToken(than: token) else { throw error }
            return try await answer(request, other, patience)
        }
    }

    /// Sends a request, and reads what is answered; of a question whose answer is kept, where none comes, or one that is none, the one that
    /// was kept, for which nobody needs to wait long.
    func read<Value: Decodable>(
        _ request: ServerRequest,
        as type: Value.Type = Value.self
    ) async throws(ServerFailure) -> Value {
        guard request.isKept else { return try await answer(request).read(type) }
        let kept = answers?.answer(to: request.name)
        do throws(ServerFailure) {
            return try await fresh(request, patience: kept == nil ? Self.patience : Self.shortPatience)
        } catch {
            guard error.isPassing || error.kind == "broken", let kept else { throw error }
            hasShownKept = true
            return try ServerAnswer(status: 200, fields: [:], body: kept).read(type)
        }
    }

    /// What is answered, which is kept once it is known to be what was asked for; none that was kept stands in for it.
    func fresh<Value: Decodable>(
        _ request: ServerRequest,
        as type: Value.Type = Value.self,
        patience: TimeInterval = patience
    ) async throws(ServerFailure) -> Value {
        let answer = try await attempt(request, patience: patience)
        let value = try answer.read(type)
        if answer.body != answers?.answer(to: request.name) { answers?.keep(answer.body, for: request.name) }
        return value
    }

    /// Whether an answer of before was shown since this was asked last, so that it is to be read again.
    func takeHasShownKept() -> Bool {
        defer { hasShownKept = false }
        return hasShownKept
    }

    /// The parts of an answer as they come, for one that does not end.
    ///
    /// - Parameter patience: how long nothing may come.
    func parts(
        of request: ServerRequest,
        _ token: String?,
        patience: Duration
    ) throws(ServerFailure) -> AsyncStream<HTTPTransport.Part> {
        transport.parts(of: try request.urlRequest(to: url, token, patience: patience / .seconds(1)))
    }

    /// The token that requests are sent by.
    func currentToken() async -> String? {
        if let token { return token }
        let first = await credentials.token(inPlaceOf: nil)
        token = .some(first)
        return first
    }

    /// Another token than one that was refused; nil where there is none.
    func otherToken(than refused: String?) async -> String? {
        // Somebody else may have asked meanwhile.
        if let known = token, let known, known != refused { return known }
        guard let other = await credentials.token(inPlaceOf: refused), other != refused else { return nil }
        token = other
        return other
    }

    /// Has the source asked again at the next request.
    func forgetToken() { token = nil }

    private func answer(
        _ request: ServerRequest,
        _ token: String?,
        _ patience: TimeInterval
    ) async throws(ServerFailure) -> ServerAnswer {
        var answer: ServerAnswer?
        var end: String? = "the request was given up"
        reading: for await part in try parts(of: request, token, patience: .seconds(patience)) {
            switch part {
            case .head(let status, let fields): answer = ServerAnswer(status: status, fields: fields, body: Data())
            case .body(let data):
                answer?.append(data)
                guard answer?.body.count ?? 0 <= ServerAnswer.mostBytes else {
                    throw .broken("it is longer than \(ServerAnswer.mostBytes) bytes")
                }
            case .end(let reason):
                end = reason
                break reading
            }
        }
        guard let answer, end == nil else {
            let reason = "\(url.absoluteString): \(end ?? "nothing came")"
            throw request.method == .get ? .silent(reason) : .unreachable(reason)
        }
        guard answer.isSuccess else { throw ServerFailure(answer) }
        guard !answer.isForeign else { throw .foreign(answer) }
        return answer
    }
}

/// Keeps the last answers to some questions from one run to the next.
@LoopActor
protocol AnswerStorage: AnyObject {
    /// The last answer to a question; nil for none.
    func answer(to question: String) -> Data?
    /// Keeps an answer in place of the last one, as well as that can be done.
    func keep(_ answer: Data, for question: String)
}

extension Server {
    /// Sends a request, and says what went wrong as the domain does.
    @discardableResult
    func ask(_ request: ServerRequest) async throws(TodoError) -> ServerAnswer {
        do throws(ServerFailure) {
            return try await answer(request)
        } catch {
            throw error.todoError
        }
    }

    /// Sends a request, and reads what is answered.
    func value<Value: Decodable>(
        of request: ServerRequest,
        as type: Value.Type = Value.self
    ) async throws(TodoError) -> Value {
        do throws(ServerFailure) {
            return try await read(request, as: type)
        } catch {
            throw error.todoError
        }
    }
}
