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
        let digits = field.dropFirst().dropLast()
        guard field.count > 2, field.first == "\"", field.last == "\"", let revision = Int(digits), revision >= 0 else {
            throw Problem(.malformed, "If-Match must be one ETag as this server gives them, such as \"57\", or *")
        }
        return revision
    }

    /// Whether `If-None-Match` names a tag, so that the client has what it would get.
    static func isKnown(_ tag: String, to request: HTTPRequest) -> Bool {
        guard let field = request.headers["if-none-match"] else { return false }
        return field == "*"
            || field.split(separator: ",").contains { candidate in
                let text = candidate.drop { $0 == " " }
                return text == tag || text.dropFirst(2) == tag && text.hasPrefix("W/")
            }
    }
}
