import Foundation

/// A message in any spelling, read with the JSON decoder.
struct PublishedMessage {
    let id: ChangeID?
    let kind: ChangeKind
    let todo: Todo
    /// The status and visibility that a modified todo had before, where the message has them.
    let before: (status: TodoStatus?, visibility: Visibility?)

    private struct Wire: Decodable {
        var id: String?
        var type: ChangeKind
        var todo: TodoDTO
        var was: Was?
    }

    private struct Was: Decodable {
        var status: TodoStatus?
        var visibility: Visibility?
    }

    init(_ message: [UInt8], uid: String) throws(MessageRefusal) {
        guard message.count <= TodoBounds.messageBytes else {
            throw .tooLong(message.count, most: TodoBounds.messageBytes)
        }
        guard String(validating: message, as: UTF8.self) != nil else { throw .notUTF8 }
        let wire: Wire
        do {
            wire = try JSONDecoder().decode(Wire.self, from: Data(message))
        } catch let error as DecodingError {
            throw MessageRefusal(error)
        } catch let error as TodoError {
            throw .badTodo(error.description)
        } catch {
            throw .notJSON
        }
        todo = wire.todo.toModel()
        guard todo.uid == uid else { throw .otherUser }
        guard wire.type.isOfTodo else { throw .badField("type") }
        kind = wire.type
        before = kind == .modified ? (wire.was?.status, wire.was?.visibility) : (nil, nil)
        if let text = wire.id {
            guard let id = ChangeID(text), id.version > 0 else { throw .badID }
            self.id = id
        } else {
            id = nil
        }
    }
}

/// Why a published message was dropped.
public enum MessageRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Longer than any todo's message can be.
    case tooLong(Int, most: Int)
    /// Not UTF-8.
    case notUTF8
    /// Not JSON.
    case notJSON
    /// JSON, but no object.
    case notObject
    /// A field is missing.
    case missing(String)
    /// A field has the wrong type or an unknown value.
    case badField(String)
    /// The todo breaks a bound.
    case badTodo(String)
    /// The `id` is not a change id.
    case badID
    /// The todo's `uid` is not the channel's.
    case otherUser
    /// The id names a change that the user's log does not have.
    case unknownChange

    /// A short name for counting.
    package var name: String {
        switch self {
        case .tooLong: "too_long"
        case .notUTF8: "not_utf8"
        case .notJSON: "not_json"
        case .notObject: "not_object"
        case .missing: "missing_field"
        case .badField: "bad_field"
        case .badTodo: "bad_todo"
        case .badID: "bad_id"
        case .otherUser: "other_user"
        case .unknownChange: "unknown_change"
        }
    }

    /// One line for the log; it holds no text of a todo.
    public var description: String {
        switch self {
        case .tooLong(let count, let most): "\(count) bytes, more than the \(most) that such a message may have"
        case .notUTF8: "not UTF-8"
        case .notJSON: "not JSON"
        case .notObject: "JSON, but not an object with type and todo"
        case .missing(let field): "the field '\(field)' is missing"
        case .badField(let field): "the field '\(field)' has a wrong type or value"
        case .badTodo(let reason): reason
        case .badID: "the id is not a change id such as 57-1763677123456789; a plain publish has none"
        case .otherUser: "the todo's uid is not the channel's"
        case .unknownChange: "the id names a change that is not in the user's log"
        }
    }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _): self = .missing(key.stringValue)
        case .typeMismatch(_, let context) where context.codingPath.isEmpty,
            .valueNotFound(_, let context) where context.codingPath.isEmpty:
            self = .notObject
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .badField(context.codingPath.map(\.stringValue).joined(separator: "."))
        case .dataCorrupted(let context):
            self =
                context.codingPath.isEmpty
                ? .notJSON : .badField(context.codingPath.map(\.stringValue).joined(separator: "."))
        @unknown default: self = .notJSON
        }
    }
}
