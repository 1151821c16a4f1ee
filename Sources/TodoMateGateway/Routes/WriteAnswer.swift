import EventLoop
import HTTPServing
import TodoMate

/// The answer to a write for clients that follow changes, which ask for it with `Accept: application/vnd.todomate.change+json`.
///
/// It is the message of the change, as it is logged and as event streams have it, so that a client knows the change that it made
/// when it comes: `{"id":"58-1763677126000000","type":"modified","todo":{…}}`. Where nothing was changed, it has neither `id` nor `type`.
@LoopActor
enum WriteAnswer {
    private nonisolated static let mediaType = "application/vnd.todomate.change+json"

    /// Whether a request asks for it.
    static func isWanted(by request: HTTPRequest) -> Bool { request.headers["accept"] == mediaType }

    /// The answer.
    static func of(_ write: TodoWrite) -> HTTPReply {
        let (body, tag) =
            switch write {
            case .changed(let change): (change.message, ETag.of(change))
            case .unchanged(let stored):
                (Array("{\"todo\":".utf8) + stored.json + [UInt8(ascii: "}")], ETag.of(stored.todo))
            }
        var response = HTTPResponse.json(body, headers: ["ETag": tag, "Cache-Control": "private, no-store"])
        response.headers["Content-Type"] = mediaType
        return .response(response)
    }
}
