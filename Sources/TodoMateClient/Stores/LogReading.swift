import EventLoop
import Foundation
import TodoMate

/// Reads a part of a user's log by the user's event stream: what comes first to a reader who resumes.
@LoopActor
struct LogReading {
    private let uid: String
    private let first: ChangeID
    private let last: ChangeID
    private let bytes: Int?
    /// Nothing comes for so long only when the log has come to an end before the last change, as a history does that is replaced.
    private static let patience = Duration.seconds(20)

    /// - Parameters:
    ///   - uid: whose log.
    ///   - first: the change before the first of them.
    ///   - last: the latest change when the reading began.
    ///   - bytes: the most bytes of all messages; nil for any number.
    init(_ uid: String, after first: ChangeID, through last: ChangeID, within bytes: Int?) {
        (self.uid, self.first, self.last, self.bytes) = (uid, first, last, bytes)
    }

    /// The changes; nil where the log does not have the first one, or no longer, and where there are too many.
    func changes(from server: Server) async throws(TodoError) -> [TodoChange]? {
        do throws(ServerFailure) {
            return try await read(from: server)
        } catch {
            throw error.todoError
        }
    }

    private func read(from server: Server) async throws(ServerFailure) -> [TodoChange]? {
        let request = ServerRequest(
            .get,
            ["users", uid, "changes"],
            query: [("since", first.description)],
            fields: ["Accept": "text/event-stream"]
        )
        let token = await server.currentToken()
        var (changes, size) = ([TodoChange](), 0)
        var (parser, refusal) = (EventStreamParser(), ServerAnswer?.none)
        for await part in try server.parts(of: request, token, patience: Self.patience) {
            switch part {
            case .head(let status, let fields):
                if status != 200 { refusal = ServerAnswer(status: status, fields: fields, body: Data()) }
            case .body(let data) where refusal != nil: refusal?.append(data)
            case .body(let data):
                for event in parser.receive(data) {
                    switch event.name {
                    case "snapshot": return nil
                    case "added", "modified", "removed", "relation", "settings": break
                    default: continue
                    }
                    guard let change = try? TodoChange(message: event.data, uid: uid), let id = change.id else {
                        throw .broken("an event of \(uid) is no change")
                    }
                    guard id.version <= last.version else { return changes }
                    changes.append(change)
                    size += change.message.count
                    if let bytes, size > bytes { return nil }
                    if id.version == last.version { return id == last ? changes : nil }
                }
                guard !parser.isTooLong else { throw .broken(EventStreamParser.tooLong) }
            case .end(let reason):
                if let refusal { throw ServerFailure(refusal) }
                throw .unreachable(reason ?? "the stream ended early")
            }
        }
        throw .unreachable("the stream ended early")
    }
}
