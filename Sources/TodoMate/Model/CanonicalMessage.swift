import Foundation

/// The layout of a message in the exact spelling that the Redis functions write.
///
///     {"id":"57-1763677123456789","type":"modified","todo":{"id":"…","uid":"…","date":"2026-11-20","content":"…",
///      "detail":"…","status":"todo","position":3,"revision":57,"micros":1763677123456789,"createdAt":"2026-11-20T09:00:00Z",
///      "updatedAt":"…","visibility":"followers","time":"09:30","goal":"g1","reactions":{"👍":2}},"was":{"status":"todo","visibility":"private"}}
///
/// Older versions wrote no `micros` and nothing after `updatedAt`; `time`, `goal`, `reactions` and `was` come when there is something to say.
///
/// One pass finds and checks every part without decoding JSON, so that a worker can hand the bytes on untouched. It says
/// nothing (nil) about a message in any other spelling: that one is for the JSON decoder.
struct CanonicalMessage {
    let id: ChangeID
    let kind: ChangeKind
    /// The status and visibility that the todo had before, each where it is another one now.
    let before: (status: TodoStatus?, visibility: Visibility?)
    private let content: CanonicalTodo

    /// Whose todo it is.
    var uid: ArraySlice<UInt8> { content.uidBytes }

    /// Whether it is a todo of this user.
    func isOf(_ uid: String) -> Bool {
        // By their memory, which is faster than as two collections.
        var text = uid
        return text.withUTF8 { text in self.uid.withUnsafeBufferPointer { $0.elementsEqual(text) } }
    }

    /// Who may see it.
    var visibility: Visibility { content.visibility }

    /// The todo; nil never happens for a message that the initializer accepted.
    var todo: Todo? { content.todo }

    /// What the todo is called.
    var todoID: String { content.name }

    /// The bytes of the todo in the message.
    var todoBytes: ArraySlice<UInt8> { content.bytes }

    init?(_ bytes: [UInt8]) {
        guard bytes.count <= TodoBounds.messageBytes,
            let message = bytes.withUnsafeBufferPointer({ Self($0, of: bytes) })
        else { return nil }
        self = message
    }

    private init?(_ memory: UnsafeBufferPointer<UInt8>, of bytes: [UInt8]) {
        var scanner = MessageScanner(memory)
        guard
            let id = scanner.string(after: #"{"id":""#).flatMap({ ChangeID(bytes: $0) }),
            id.version > 0,
            let kind = scanner.string(after: #","type":""#).flatMap(Self.kind), kind.isOfTodo,
            scanner.skip(#","todo":"#), let content = CanonicalTodo(&scanner, of: bytes),
            let before = Self.before(&scanner), kind == .modified || before.status == nil && before.visibility == nil,
            scanner.ends(with: "}")
        else { return nil }
        self.id = id
        self.kind = kind
        self.before = before
        self.content = content
    }

    /// Writes a message in this spelling; a plain publish has no id.
    static func encode(
        _ id: ChangeID?,
        _ kind: ChangeKind,
        _ todo: Todo,
        was before: (status: TodoStatus?, visibility: Visibility?) = (nil, nil)
    ) -> [UInt8] {
        Array("\(head(id, kind))\(encode(todo))\(was(kind, before))}".utf8)
    }

    /// What comes before the todo.
    static func head(_ id: ChangeID?, _ kind: ChangeKind) -> String {
        "{\(id.map { "\"id\":\"\($0)\"," } ?? "")\"type\":\"\(kind.rawValue)\",\"todo\":"
    }

    /// What comes after it: nothing, but where a modified todo was something else before.
    static func was(_ kind: ChangeKind, _ before: (status: TodoStatus?, visibility: Visibility?)) -> String {
        let parts = [
            before.status.map { "\"status\":\"\($0.rawValue)\"" },
            before.visibility.map { "\"visibility\":\"\($0.rawValue)\"" },
        ].compactMap(\.self)
        return kind != .modified || parts.isEmpty ? "" : ",\"was\":{\(parts.joined(separator: ","))}"
    }

    /// Writes a todo in this spelling.
    static func encode(_ todo: Todo) -> String {
        var json = JSONBytes(capacity: todo.content.utf8.count + todo.detail.utf8.count + 300)
        json.add(#"{"id":""#, todo.id)
        json.add(#"","uid":""#, todo.uid)
        json.add(#"","date":""#, todo.date.description)
        json.add(#"","content":""#, escaping: todo.content)
        json.add(#"","detail":""#, escaping: todo.detail)
        json.add(#"","status":""#, todo.status.rawValue)
        json.add(#"","position":"#, JSONText.encode(todo.position))
        json.add(#","revision":"#, String(todo.revision))
        if todo.micros > 0 { json.add(#","micros":"#, String(todo.micros)) }
        json.add(#","createdAt":""#, Timestamp.text(todo.createdAt))
        json.add(#"","updatedAt":""#, Timestamp.text(todo.updatedAt))
        json.add(#"","visibility":""#, todo.visibility.rawValue)
        if let time = todo.time { json.add(#"","time":""#, time.description) }
        if let goal = todo.goal { json.add(#"","goal":""#, goal) }
        json.add("\"", encode(todo.reactions))
        json.add("}")
        return json.text
    }

    /// In the order of the emoji's bytes, as the Redis functions write them.
    private static func encode(_ reactions: [String: Int]) -> String {
        guard !reactions.isEmpty else { return "" }
        let counts = reactions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return ",\"reactions\":{\(counts.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }

    /// What the todo was before; nil when that is there and wrong.
    private static func before(_ scanner: inout MessageScanner) -> (status: TodoStatus?, visibility: Visibility?)? {
        guard scanner.skip(#","was":{"#) else { return (nil, nil) }
        var (status, visibility): (TodoStatus?, Visibility?)
        if let text = scanner.string(after: #""status":""#) {
            status = CanonicalTodo.status(text)
            guard status != nil else { return nil }
            if scanner.skip("}") { return (status, nil) }
            guard scanner.skip(",") else { return nil }
        }
        guard let text = scanner.string(after: #""visibility":""#) else { return nil }
        visibility = CanonicalTodo.visibility(text)
        return visibility != nil && scanner.skip("}") ? (status, visibility) : nil
    }

    private static let kinds = ChangeKind.allCases.map { (bytes: Array($0.rawValue.utf8), kind: $0) }

    private static func kind(_ bytes: MessageScanner.Text) -> ChangeKind? {
        kinds.first { bytes.elementsEqual($0.bytes) }?.kind
    }
}
