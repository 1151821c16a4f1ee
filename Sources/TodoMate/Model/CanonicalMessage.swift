import Foundation

/// The layout of a message in the exact spelling that the Redis functions write.
///
///     {"id":"57-1763677123456789","type":"modified","todo":{"id":"…","uid":"…","date":"2026-11-20","content":"…",
///      "detail":"…","status":"todo","position":3,"revision":57,"createdAt":"2026-11-20T09:00:00Z","updatedAt":"…",
///      "visibility":"followers","reactions":{"👍":2}},"was":{"status":"todo","visibility":"private"}}
///
/// Older versions wrote nothing after `updatedAt`; `reactions` and `was` come when there is something to say.
///
/// One pass finds and checks every part without decoding JSON, so that a worker can hand the bytes on untouched. It says
/// nothing (nil) about a message in any other spelling: that one is for the JSON decoder.
struct CanonicalMessage {
    let id: ChangeID
    let kind: ChangeKind
    let uid: ArraySlice<UInt8>
    let visibility: Visibility
    /// The visibility that the todo had before, where it is another one now.
    let visibilityBefore: Visibility?
    private let parts: Parts
    /// The raw counts by emoji; empty without reactions.
    private let reactions: [(emoji: ArraySlice<UInt8>, count: ArraySlice<UInt8>)]

    private struct Parts {
        var id, date, content, detail, status, position, revision, createdAt, updatedAt: ArraySlice<UInt8>
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count <= TodoBounds.messageBytes else { return nil }
        var scanner = MessageScanner(bytes)
        guard
            let id = scanner.string(after: #"{"id":""#).flatMap({ ChangeID(String(decoding: $0, as: UTF8.self)) }),
            id.version > 0,
            let kind = scanner.string(after: #","type":""#).flatMap(Self.kind), kind.isOfTodo,
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
            let visibility = Self.visibility(&scanner), let reactions = Self.reactions(&scanner), scanner.take("}"),
            let before = Self.before(&scanner), scanner.ends(with: "}")
        else { return nil }
        self.visibility = visibility
        visibilityBefore = before.visibility
        self.reactions = reactions
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
            updatedAt: Date(timeIntervalSince1970: Double(updatedAt)),
            visibility: visibility,
            reactions: Dictionary(
                reactions.map { (String(decoding: $0.emoji, as: UTF8.self), Self.count($0.count) ?? 0) },
                uniquingKeysWith: { first, _ in first }
            )
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
            + "\"createdAt\":\"\(Timestamp.text(todo.createdAt))\",\"updatedAt\":\"\(Timestamp.text(todo.updatedAt))\","
            + "\"visibility\":\"\(todo.visibility.rawValue)\"\(encode(todo.reactions))}"
    }

    /// In the order of the emoji's bytes, as the Redis functions write them.
    private static func encode(_ reactions: [String: Int]) -> String {
        guard !reactions.isEmpty else { return "" }
        let counts = reactions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return ",\"reactions\":{\(counts.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }

    /// What older versions did not write is as they took it to be; nil when it is there and wrong.
    private static func visibility(_ scanner: inout MessageScanner) -> Visibility? {
        guard let text = scanner.string(after: #","visibility":""#) else { return .followers }
        return Visibility(rawValue: String(decoding: text, as: UTF8.self))
    }

    private static func reactions(
        _ scanner: inout MessageScanner
    ) -> [(emoji: ArraySlice<UInt8>, count: ArraySlice<UInt8>)]? {
        guard scanner.take(#","reactions":{"#) else { return [] }
        var counts: [(emoji: ArraySlice<UInt8>, count: ArraySlice<UInt8>)] = []
        repeat {
            guard counts.count < ReactionEmoji.mostKinds, let emoji = scanner.string(after: "\""),
                TodoBounds.isReaction(emoji), let count = scanner.number(after: ":"), Self.count(count) != nil,
                counts.last.map({ $0.emoji.lexicographicallyPrecedes(emoji) }) ?? true
            else { return nil }
            counts.append((emoji, count))
        } while scanner.take(",")
        return scanner.take("}") ? counts : nil
    }

    /// What the todo was before; nil when that is there and wrong.
    private static func before(_ scanner: inout MessageScanner) -> (status: TodoStatus?, visibility: Visibility?)? {
        guard scanner.take(#","was":{"#) else { return (nil, nil) }
        var (status, visibility): (TodoStatus?, Visibility?)
        if let text = scanner.string(after: #""status":""#) {
            status = Self.status(text)
            guard status != nil else { return nil }
            if scanner.take("}") { return (status, nil) }
            guard scanner.take(",") else { return nil }
        }
        guard let text = scanner.string(after: #""visibility":""#) else { return nil }
        visibility = Visibility(rawValue: String(decoding: text, as: UTF8.self))
        return visibility != nil && scanner.take("}") ? (status, visibility) : nil
    }

    private static func count(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let number = Int(String(decoding: bytes, as: UTF8.self)), number > 0 else { return nil }
        return number
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
