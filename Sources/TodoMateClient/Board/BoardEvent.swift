import EventLoop
import Foundation
import TodoMate

/// What an event of a board says.
@LoopActor
enum BoardEvent {
    /// All todos of a user that the viewer may see, as of a change.
    case snapshot(uid: String, Access, TodoSnapshot)
    /// A change of a todo, or of the viewer's account.
    case change(TodoChange)
    /// The viewer may not see a todo any more, or may not know what it was when it went.
    case hidden(uid: String, todo: String, ChangeID)
    /// The viewer may see nothing (more) of a user.
    case closed(uid: String)
    /// The numbers at the tabs.
    case badges(Badges)
    /// What an operator announces to all; nil once nothing is.
    case announcement(Announcement?)
    /// Nothing that is of interest here.
    case other

    private struct Snapshot: Decodable {
        var uid: String
        var access: Access
    }

    private struct Closed: Decodable { var uid: String }

    private struct Changed: Decodable {
        struct Named: Decodable {
            var id: String?
            var uid: String
        }
        var id: String?
        var todo: Named?
    }

    /// Reads an event.
    ///
    /// - Parameter viewer: whose board it is.
    /// - Throws: a ``TodoError`` for what is not valid.
    static func read(_ event: StreamEvent, viewer: String) throws(TodoError) -> BoardEvent {
        switch event.name {
        case "snapshot": try snapshot(event.data)
        case "added", "modified", "removed": try todo(event)
        case "relation", "settings": .change(try change(event.data, of: viewer))
        case "closed": .closed(uid: try decode(Closed.self, event.data).uid)
        case "badges": .badges(try decode(Badges.self, event.data))
        case "announcement": .announcement(try Announcement.read(shown: event.data))
        default: .other
        }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ data: [UInt8]) throws(TodoError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(data))
        } catch {
            throw .broken("an event of the server is not valid: \(error)")
        }
    }

    /// Whose it is and what may be seen stand before the list, which is read as lists are everywhere.
    private static func snapshot(_ data: [UInt8]) throws(TodoError) -> BoardEvent {
        guard let list = data.firstRange(of: Array(#","id":""#.utf8)) else {
            throw .broken("a snapshot of the server is not valid")
        }
        let head = try decode(Snapshot.self, data[..<list.lowerBound] + Array("}".utf8))
        let todos = try TodoList([UInt8(ascii: "{")] + data[(list.lowerBound + 1)...], in: nil)
        return .snapshot(uid: head.uid, head.access, todos.snapshot(for: .own))
    }

    private static func todo(_ event: StreamEvent) throws(TodoError) -> BoardEvent {
        let head = try decode(Changed.self, event.data)
        guard let todo = head.todo else { throw .broken("a change of the server has no todo") }
        if event.name == "removed", let id = todo.id, let change = head.id.flatMap({ ChangeID($0) }),
            (try? TodoChange(message: event.data, uid: todo.uid)) == nil
        {
            return .hidden(uid: todo.uid, todo: id, change)
        }
        return .change(try change(event.data, of: todo.uid))
    }

    private static func change(_ data: [UInt8], of uid: String) throws(TodoError) -> TodoChange {
        do throws(MessageRefusal) {
            return try TodoChange(message: data, uid: uid)
        } catch {
            throw .broken("a change of the server is not valid: \(error)")
        }
    }
}
