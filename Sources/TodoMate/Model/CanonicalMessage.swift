import Foundation

/// The layout of a message in the exact spelling that the Redis functions write.
///
///     {"id":"57-1763677123456789","type":"modified","todo":{"id":"…","uid":"…","date":"2026-11-20","content":"…",
///      "detail":"…","status":"todo","position":3,"revision":57,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"…"}}
///
/// One pass finds and checks every part without decoding JSON, so that a worker can hand the bytes on untouched. It says
/// nothing (nil) about a message in any other spelling: that one is for the JSON decoder.
struct CanonicalMessage {
    let id: ChangeID
    let kind: ChangeKind
    let uid: ArraySlice<UInt8>
    private let parts: Parts

    private struct Parts {
        var id, date, content, detail, status, position, revision, createdAt, updatedAt: ArraySlice<UInt8>
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count <= TodoBounds.messageBytes else { return nil }
        var scanner = MessageScanner(bytes)
        guard
            let id = scanner.string(after: #"{"id":""#).flatMap({ ChangeID(String(decoding: $0, as: UTF8.self)) }),
            id.version > 0,
            let kind = scanner.string(after: #","type":""#).flatMap(Self.kind),
            let todoID = scanner.string(after: #","todo":{"id":""#), TodoBounds.isID(todoID),
            let uid = scanner.string(after: #","uid":""#), TodoBounds.isUID(uid),
            let date = scanner.string(after: #","date":""#), CalendarDate(bytes: date) != nil,
            let content = scanner.string(after: #","content":""#), Self.isContent(content),
            let detail = scanner.string(after: #","detail":""#), Self.isDetail(detail),
            let status = scanner.string(after: #","status":""#), Self.status(status) != nil,
            let position = scanner.number(after: #","position":"#), Self.position(position) != nil,
            let revision = scanner.number(after: #","revision":"#), Self.revision(revision) != nil,
            let createdAt = scanner.string(after: #","createdAt":""#), Timestamp.seconds(createdAt) != nil,
            let updatedAt = scanner.string(after: #","updatedAt":""#), Timestamp.seconds(updatedAt) != nil,
            scanner.ends(with: "}}")
        else { return nil }
        self.id = id
        self.kind = kind
        self.uid = uid
        parts = Parts(
            id: todoID,
            date: date,
            content: content,
            detail: detail,
            status: status,
            position: position,
            revision: revision,
            createdAt: createdAt,
            updatedAt: updatedAt
        )
    }

    /// The todo; nil never happens for a message that the initializer accepted.
    var todo: Todo? {
        guard let date = CalendarDate(bytes: parts.date), let content = JSONText.decode(parts.content),
            let detail = JSONText.decode(parts.detail), let status = Self.status(parts.status),
            let position = Self.position(parts.position), let revision = Self.revision(parts.revision),
            let createdAt = Timestamp.seconds(parts.createdAt), let updatedAt = Timestamp.seconds(parts.updatedAt)
        else { return nil }
        return Todo(
            id: String(decoding: parts.id, as: UTF8.self),
            uid: String(decoding: uid, as: UTF8.self),
            date: date,
            content: content,
            detail: detail,
            status: status,
            position: position,
            revision: revision,
            createdAt: Date(timeIntervalSince1970: Double(createdAt)),
            updatedAt: Date(timeIntervalSince1970: Double(updatedAt))
        )
    }

    /// Writes a message in this spelling.
    static func encode(_ id: ChangeID?, _ kind: ChangeKind, _ todo: Todo) -> [UInt8] {
        let prefix = id.map { "\"id\":\"\($0)\"," } ?? ""
        return Array("{\(prefix)\"type\":\"\(kind.rawValue)\",\"todo\":\(encode(todo))}".utf8)
    }

    /// Writes a todo in this spelling.
    static func encode(_ todo: Todo) -> String {
        let position = Int(exactly: todo.position).map(String.init) ?? String(todo.position)
        return "{\"id\":\"\(todo.id)\",\"uid\":\"\(todo.uid)\",\"date\":\"\(todo.date)\","
            + "\"content\":\"\(JSONText.encode(todo.content))\",\"detail\":\"\(JSONText.encode(todo.detail))\","
            + "\"status\":\"\(todo.status.rawValue)\",\"position\":\(position),\"revision\":\(todo.revision),"
            + "\"createdAt\":\"\(Timestamp.text(todo.createdAt))\",\"updatedAt\":\"\(Timestamp.text(todo.updatedAt))\"}"
    }

    private static func kind(_ bytes: ArraySlice<UInt8>) -> ChangeKind? {
        ChangeKind(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    private static func status(_ bytes: ArraySlice<UInt8>) -> TodoStatus? {
        TodoStatus(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    private static func position(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard let number = Double(String(decoding: bytes, as: UTF8.self)) else { return nil }
        return abs(number) <= TodoBounds.largestPosition ? number : nil
    }

    private static func revision(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let number = Int(String(decoding: bytes, as: UTF8.self)), number >= 0 else { return nil }
        return number
    }

    private static func isContent(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Most contents are short and plain ASCII, with a visible first character: nothing to decode.
        if bytes.count <= TodoBounds.contentLength, let first = bytes.first, first != UInt8(ascii: " "),
            bytes.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
        {
            return true
        }
        return JSONText.decode(bytes).map { (try? TodoBounds.content($0)) != nil } ?? false
    }

    private static func isDetail(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.isEmpty || JSONText.decode(bytes).map { (try? TodoBounds.detail($0)) != nil } ?? false
    }
}
