import Foundation

/// A change of a user's relation to another one, or of the user's settings, which is logged and published like changes of todos.
///
///     {"id":"59-1763677123456789","type":"relation","relation":{"uid":"alice","with":"bob",…}}
///     {"id":"60-1763677123456789","type":"settings","settings":{"uid":"alice","audience":"private",…},"was":{"audience":"public"}}
public enum AccountChange: Sendable, Equatable {
    /// The user's relation to another one.
    case relation(Relation)
    /// The user's settings, and the audience before if it has changed.
    case settings(AccountSettings, audienceBefore: Visibility?)

    /// Whose account it is.
    package var uid: String {
        switch self {
        case .relation(let relation): relation.uid
        case .settings(let settings, _): settings.uid
        }
    }

    /// The kind in messages.
    package var kind: ChangeKind {
        switch self {
        case .relation: .relation
        case .settings: .settings
        }
    }

    /// Whether it may have changed a viewer's access to the user's todos.
    package func touchesAccess(of viewer: String) -> Bool {
        switch self {
        case .relation(let relation): relation.with == viewer
        case .settings(let settings, let audienceBefore): audienceBefore != nil && settings.uid != viewer
        }
    }

    private struct Wire: Decodable {
        var relation: Relation?
        var settings: AccountSettings?
        var was: Was?
    }

    private struct Was: Decodable { var audience: Visibility? }

    /// The change and its id in a message that begins as the Redis functions write it; nil for one about a todo.
    ///
    /// - Throws: ``MessageRefusal`` when it is not valid.
    static func read(_ message: [UInt8], uid: String) throws(MessageRefusal) -> (ChangeID, AccountChange)? {
        guard let (id, kind) = beginning(of: message), !kind.isOfTodo else { return nil }
        guard message.count <= TodoBounds.accountMessageBytes else {
            throw .tooLong(message.count, most: TodoBounds.accountMessageBytes)
        }
        guard let id, id.version > 0 else { throw .badID }
        let wire: Wire
        do {
            wire = try JSONDecoder().decode(Wire.self, from: Data(message))
        } catch let error as DecodingError {
            throw MessageRefusal(error)
        } catch {
            throw .notJSON
        }
        let change: AccountChange
        switch (kind, wire.relation, wire.settings) {
        case (.relation, let relation?, _):
            guard TodoBounds.isUID(relation.with.utf8) else { throw .badField("relation.with") }
            change = .relation(relation)
        case (.settings, _, let settings?): change = .settings(settings, audienceBefore: wire.was?.audience)
        default: throw .missing(kind.rawValue)
        }
        guard change.uid == uid else { throw .otherUser }
        return (id, change)
    }

    /// The id and the kind at the beginning; the id is nil if it is not valid. Nil for any other beginning.
    private static func beginning(of message: [UInt8]) -> (id: ChangeID?, kind: ChangeKind)? {
        message.withUnsafeBufferPointer { bytes in
            var scanner = MessageScanner(bytes)
            guard let id = scanner.string(after: #"{"id":""#), let type = scanner.string(after: #","type":""#),
                let kind = ChangeKind(rawValue: String(decoding: type, as: UTF8.self))
            else { return nil }
            return (ChangeID(bytes: id), kind)
        }
    }

    /// Writes the message in the spelling above.
    func message(_ id: ChangeID) -> [UInt8] {
        let object =
            switch self {
            case .relation(let relation):
                JSONObject(["id": id.description, "type": kind.rawValue, "relation": RawJSON(relation.json)])
            case .settings(let settings, let audience):
                JSONObject([
                    "id": id.description, "type": kind.rawValue, "settings": RawJSON(settings.json),
                    "was": audience.map { JSONObject(["audience": $0.rawValue]) },
                ])
            }
        return Array(object.text.utf8)
    }
}
