import Foundation

/// A todo as messages and Redis hold it: JSON with the keys in the order of these properties.
///
///     {"id":"…","uid":"alice","date":"2026-11-20","content":"Buy milk","detail":"","status":"todo",
///      "position":3,"revision":57,"micros":1763677123456789,"createdAt":"2026-11-20T09:00:00Z",
///      "updatedAt":"2026-11-20T09:00:00Z","visibility":"followers","time":"09:30","goal":"g1","reactions":{"👍":2}}
///
/// `time`, `goal` and `reactions` are there when there are any. The todos of older versions have no `micros` and none of the last four.
/// Decoding wants `id`, `uid`, `date` and `content`, ignores keys that it does not know, and checks every bound of
/// ``TodoBounds``.
public struct TodoDTO: Sendable, Equatable {
    private let todo: Todo

    /// A todo, to be written out.
    public init(_ todo: Todo) { self.todo = todo }

    /// The todo itself.
    public func toModel() -> Todo { todo }

    /// The todo as JSON, in exactly the spelling above.
    package var json: String { CanonicalMessage.encode(todo) }
}

extension TodoDTO: Codable {
    enum CodingKeys: String, CodingKey {
        case id, uid, date, content, detail, status, position, revision, micros, createdAt, updatedAt, visibility
        case time, goal, reactions
    }

    /// Reads and checks a todo; what is left out of the optional keys gets the value that a plain publish has.
    ///
    /// - Throws: `DecodingError` or ``TodoError/invalid(_:)``.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let now = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))
        todo = Todo(
            id: try TodoBounds.id(values.decode(String.self, forKey: .id)),
            uid: try TodoBounds.uid(values.decode(String.self, forKey: .uid)),
            date: try values.decode(CalendarDate.self, forKey: .date),
            time: try values.decodeIfPresent(TimeChange.self, forKey: .time)?.time,
            content: try TodoBounds.content(values.decode(String.self, forKey: .content)),
            detail: try TodoBounds.detail(values.decodeIfPresent(String.self, forKey: .detail) ?? ""),
            status: try values.decodeIfPresent(TodoStatus.self, forKey: .status) ?? .todo,
            position: try TodoBounds.position(
                values.decodeIfPresent(Double.self, forKey: .position) ?? TodoBounds.largestPosition
            ),
            revision: try TodoBounds.revision(values.decodeIfPresent(Int.self, forKey: .revision) ?? 0),
            micros: try values.decodeIfPresent(Int.self, forKey: .micros).map(TodoBounds.micros) ?? 0,
            createdAt: try Self.date(values, .createdAt) ?? now,
            updatedAt: try Self.date(values, .updatedAt) ?? now,
            visibility: try values.decodeIfPresent(Visibility.self, forKey: .visibility) ?? .followers,
            goal: try values.decodeIfPresent(String.self, forKey: .goal).flatMap {
                $0.isEmpty ? nil : try TodoBounds.goal($0)
            },
            reactions: try TodoBounds.reactions(
                values.decodeIfPresent([String: Int].self, forKey: .reactions) ?? [:]
            )
        )
    }

    /// Writes all keys.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(todo.id, forKey: .id)
        try values.encode(todo.uid, forKey: .uid)
        try values.encode(todo.date, forKey: .date)
        try values.encode(todo.content, forKey: .content)
        try values.encode(todo.detail, forKey: .detail)
        try values.encode(todo.status, forKey: .status)
        try values.encode(todo.position, forKey: .position)
        try values.encode(todo.revision, forKey: .revision)
        if todo.micros > 0 { try values.encode(todo.micros, forKey: .micros) }
        try values.encode(todo.createdAt.formatted(.iso8601), forKey: .createdAt)
        try values.encode(todo.updatedAt.formatted(.iso8601), forKey: .updatedAt)
        try values.encode(todo.visibility, forKey: .visibility)
        try values.encodeIfPresent(todo.time, forKey: .time)
        try values.encodeIfPresent(todo.goal, forKey: .goal)
        if !todo.reactions.isEmpty { try values.encode(todo.reactions, forKey: .reactions) }
    }

    private static func date(_ values: KeyedDecodingContainer<CodingKeys>, _ key: CodingKeys) throws -> Date? {
        guard let text = try values.decodeIfPresent(String.self, forKey: key) else { return nil }
        // Messages have no other years: a later one could not be forwarded as it is.
        guard let date = try? Date(text, strategy: .iso8601), Timestamp.range.contains(date) else {
            throw TodoError.invalid("\(key.stringValue) must look like 2026-11-20T09:00:00Z")
        }
        // Nor have they parts of a second.
        return Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}
