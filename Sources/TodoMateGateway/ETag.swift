import EventLoop
import HTTPServing
import TodoMate

/// Entity tags (RFC 9110, section 8.8.3): a todo's is the change that wrote it, followed by a hash of its reactions where there
/// are any; a list's is the change id that it is as of, followed by what may be seen where that is not all.
///
/// A revision alone would not do: a Redis that lost its latest changes uses it again, for another text. A todo that an
/// older version wrote has nothing else until it is written again.
enum ETag {
    static func of(_ todo: Todo) -> String {
        let write = todo.micros > 0 ? todo.written.description : String(todo.revision)
        // By parts, which is faster than interpolation.
        guard !todo.reactions.isEmpty else { return "\"" + write + "\"" }
        let counts = todo.reactions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let digest = Sodium.digest(Array(counts.map { "\($0.key) \($0.value)" }.joined(separator: "\n").utf8))
        let hash = digest.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\"\(write)-r\(hash)\""
    }

    /// The tag of the todo that a change has just added: the change itself.
    @LoopActor
    static func of(_ change: TodoChange) -> String {
        guard change.kind == .added, let id = change.id else { return of(change.todo) }
        return "\"" + id.description + "\""
    }

    static func of(_ list: TodoListText, _ access: Access = .own) -> String {
        access == .own ? "\"\(list.id)\"" : "\"\(list.id)-\(access.rawValue)\""
    }

    /// The write that `If-Match` demands the todo to be still of; nil when there is no such field or it takes any.
    ///
    /// A tag without microseconds, as in older versions, is that of a todo that was not written since.
    ///
    /// - Throws: a ``Problem`` when the field holds anything but one tag of a todo.
    static func expectedRevision(_ request: HTTPRequest) throws(Problem) -> ExpectedRevision? {
        guard let field = request.headers["if-match"], field != "*" else { return nil }
        let tags = list(field)
        // A weak tag matches nothing where bytes are to be replaced (RFC 9110, section 13.1.1).
        let strong = tags.filter { !$0.hasPrefix("W/") }
        guard !strong.isEmpty || tags.isEmpty else {
            throw Problem(.conflict, "If-Match must not be weak: leave out W/")
        }
        guard strong.count == 1, let expected = strong.first.flatMap(revision) else {
            throw Problem(
                .malformed,
                "If-Match must be one ETag as this server gives them, such as \"57-1763677123456789\", or *"
            )
        }
        return expected
    }

    /// The write that a todo's tag names. An edit is about the author's text: reactions that came meanwhile do not stand in
    /// its way.
    private static func revision(_ tag: String) -> ExpectedRevision? {
        guard tag.utf8.count >= 3, tag.first == "\"", tag.last == "\"" else { return nil }
        var parts = tag.dropFirst().dropLast().split(separator: "-", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last.map(isDigest) == true { parts.removeLast() }
        let text = parts.joined(separator: "-")
        // Leading zeros are none of this server's.
        guard let expected = ExpectedRevision(text), expected.description == text else { return nil }
        return ExpectedRevision(expected.number, micros: expected.micros ?? 0)
    }

    /// Whether it is the hash of reactions; older versions wrote no `r` before it.
    private static func isDigest(_ part: Substring) -> Bool {
        let hash = part.utf8.count == 9 && part.first == "r" ? part.dropFirst() : part
        return hash.utf8.count == 8
            && hash.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether `If-None-Match` names a tag, so that the client has what it would get.
    static func isKnown(_ tag: String, to request: HTTPRequest) -> Bool {
        guard let field = request.headers["if-none-match"] else { return false }
        return field == "*" || list(field).contains { $0 == tag || $0 == "W/\(tag)" }
    }

    /// The tags of a list; none of this server's own has a comma.
    private static func list(_ field: String) -> [String] {
        field.utf8.split(separator: UInt8(ascii: ",")).map { String($0.withoutBlanks) }
    }
}

extension Substring.UTF8View {
    /// Without the spaces and tabs that may stand around the members of a list (RFC 9110, section 5.6.1).
    fileprivate var withoutBlanks: Substring {
        var text = self
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return Substring(text)
    }
}
