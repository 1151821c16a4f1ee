import HTTPServing
import TodoMate

/// Entity tags (RFC 9110, section 8.8.3): a todo's is its revision, followed by a hash of its reactions where there are any;
/// a list's is the change id that it is as of, followed by what may be seen where that is not all.
enum ETag {
    static func of(_ todo: Todo) -> String {
        guard !todo.reactions.isEmpty else { return "\"\(todo.revision)\"" }
        let counts = todo.reactions.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let digest = Sodium.digest(Array(counts.map { "\($0.key) \($0.value)" }.joined(separator: "\n").utf8))
        return "\"\(todo.revision)-\(digest.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())\""
    }

    static func of(_ list: TodoListText, _ access: Access = .own) -> String {
        access == .own ? "\"\(list.id)\"" : "\"\(list.id)-\(access.rawValue)\""
    }

    /// The revision that `If-Match` demands; nil when there is no such field or it takes any.
    ///
    /// - Throws: a ``Problem`` when the field holds anything but one revision.
    static func expectedRevision(_ request: HTTPRequest) throws(Problem) -> Int? {
        guard let field = request.headers["if-match"], field != "*" else { return nil }
        let tags = list(field)
        // A weak tag matches nothing where bytes are to be replaced (RFC 9110, section 13.1.1).
        let strong = tags.filter { !$0.hasPrefix("W/") }
        guard !strong.isEmpty || tags.isEmpty else {
            throw Problem(.conflict, "If-Match must not be weak: leave out W/")
        }
        // Int would also take a sign and leading zeros.
        // An edit is about the author's words: reactions that came meanwhile do not stand in its way.
        let parts = strong.first?.dropFirst().dropLast().split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard strong.count == 1, let tag = strong.first, parts.count <= 2,
            let revision = parts.first.flatMap({ Int($0) }),
            revision >= 0, tag == "\"\(revision)\"" || parts.count == 2 && Self.isTag(tag, of: revision, parts[1])
        else {
            throw Problem(.malformed, "If-Match must be one ETag as this server gives them, such as \"57\", or *")
        }
        return revision
    }

    private static func isTag(_ tag: String, of revision: Int, _ digest: Substring) -> Bool {
        tag == "\"\(revision)-\(digest)\"" && digest.utf8.count == 8
            && digest.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
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
