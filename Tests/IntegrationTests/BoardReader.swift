import EventLoop
import Foundation
import TestServers
import Testing

/// Reads an event stream over HTTP as somebody, event by event.
@LoopActor
final class BoardReader {
    struct Event: Equatable {
        var name = ""
        var id: String?
        var data = ""

        /// The data as JSON.
        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]) ?? [:]
        }

        /// The id and content of the todo that it tells of.
        var todo: (id: String, uid: String, content: String?)? {
            guard let todo = json["todo"] as? [String: Any], let id = todo["id"] as? String,
                let uid = todo["uid"] as? String
            else { return nil }
            return (id, uid, todo["content"] as? String)
        }
    }

    private let connection: RawConnection

    init(_ port: Int, _ target: String, as viewer: String, since cursor: String? = nil) throws {
        connection = try RawConnection(port: port)
        var lines = ["GET \(target) HTTP/1.1", "Host: h", try GatewayProcess.bearer(viewer)]
        if let cursor { lines.append("Last-Event-ID: \(cursor)") }
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    var isEnded: Bool { connection.isEnded }
    var text: String { connection.text }

    /// What follows `prefix` in the lines of whole events that begin with it: quick to ask, however much has come.
    func values(after prefix: String) -> [String] { connection.lines(after: prefix) }

    func close() { connection.close() }

    /// The whole events so far, without heartbeats.
    var events: [Event] {
        let body = text.firstRange(of: "\r\n\r\n").map { text[$0.upperBound...] } ?? ""
        return body.components(separatedBy: "\n\n").dropLast().map { part in
            var event = Event()
            for line in part.split(separator: "\n") {
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            }
            return event
        }.filter { $0.name != "heartbeat" && $0.name != "" }
    }

    /// The place to come back to.
    var cursor: String? { events.last { $0.id != nil }?.id }

    /// The events' names and what they are about, as `added bob: Buy milk` and `closed bob`.
    var lines: [String] {
        events.map { event in
            switch event.name {
            case "snapshot":
                let todos = (event.json["todos"] as? [[String: Any]] ?? []).compactMap { $0["content"] as? String }
                return "snapshot \(event.json["uid"] as? String ?? "-") \(event.json["access"] as? String ?? "-"): "
                    + todos.joined(separator: ", ")
            case "closed": return "closed \(event.json["uid"] as? String ?? "")"
            case "relation":
                let relation = event.json["relation"] as? [String: Any] ?? [:]
                return "relation \(relation["with"] ?? "") \(relation["following"] ?? "") \(relation["follower"] ?? "")"
            case "added", "modified", "removed":
                return "\(event.name) \(event.todo?.uid ?? ""): \(event.todo?.content ?? "-")"
            default: return "\(event.name) \(event.data)"
            }
        }
    }

    /// Waits until the lines end with these.
    func expect(_ last: String..., comment: String = "", within limit: Duration = .seconds(60)) async throws {
        try await eventually("\(comment) \(last) at the end of what came", within: limit) {
            self.lines.suffix(last.count) == last[...]
        }
        if lines.suffix(last.count) != last[...] { print(lines) }
    }
}

extension HTTPGateway {
    /// Asks as somebody and returns the answer.
    func ask(_ line: String, as viewer: String, body: String? = nil) async throws -> Answer {
        var fields = [try GatewayProcess.bearer(viewer)]
        // Whoever is followed in these tests has an account.
        if let match = line.firstMatch(of: #/users/[^/]+/following/([^/ ]+)$/#) {
            _ = TestSession.begin(String(match.1))
        }
        // A write without a body says so.
        if body == nil, !line.hasPrefix("GET") { fields.append("Content-Length: 0") }
        return try await ask(line, fields, body: body)
    }
}
