import HTTPServing
import TodoMate

/// Entity tags (RFC 9110, section 8.8.3): a todo's is its revision, a list's the change id that it is as of.
enum ETag {
    static func of(_ todo: Todo) -> String { "\"\(todo.revision)\"" }

    static func of(_ snapshot: TodoSnapshot) -> String { "\"\(snapshot.id)\"" }

    /// The revision that `If-Match` demands; nil when there is no such field or it takes any.
    ///
    /// - Throws: a ``Problem`` when the field holds anything but one revision.
    static func expectedRevision(_ request: HTTPRequest) throws(Problem) -> Int? {
        guard let field = request.headers["if-match"], field != "*" else { return nil }
        // Int would also take a sign and leading zeros.
        guard let revision = Int(field.dropFirst().dropLast()), revision >= 0, field == "\"\(revision)\"" else {
            throw Problem(.malformed, "If-Match must be one ETag as this server gives them, such as \"57\", or *")
        }
        return revision
    }

    /// Whether `If-None-Match` names a tag, so that the client has what it would get.
    static func isKnown(_ tag: String, to request: HTTPRequest) -> Bool {
        guard let field = request.headers["if-none-match"] else { return false }
        return field == "*"
            || field.utf8.split(separator: UInt8(ascii: ",")).contains { candidate in
                let text = candidate.withoutBlanks
                // A weak comparison, as RFC 9110 wants it for this field.
                return (text.starts(with: "W/".utf8) ? text.dropFirst(2) : text).elementsEqual(tag.utf8)
            }
    }
}

extension Substring.UTF8View {
    /// Without the spaces and tabs that may stand around the members of a list (RFC 9110, section 5.6.1).
    fileprivate var withoutBlanks: Self {
        var text = self
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
