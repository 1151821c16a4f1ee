package import EventLoop

/// A user's todos at one moment as JSON: `{"id":"57-…","todos":[{…},…]}`, in list order.
public struct TodoListText: Sendable, Equatable {
    /// The latest change that these todos contain.
    public let id: ChangeID
    /// The list, each todo in the spelling of ``TodoDTO``.
    public let json: [UInt8]
    /// The todos that it was encoded from, for readers of the same list.
    package let list: TodoList?
    /// The turn of a long read: others of the same user wait until it is released.
    package let turn: FairTurn?

    /// A list that was encoded before.
    package init(id: ChangeID, json: [UInt8], of list: TodoList? = nil, turn: FairTurn? = nil) {
        (self.id, self.json) = (id, json)
        (self.list, self.turn) = (list, turn)
    }

    /// A snapshot, encoded.
    public init(_ snapshot: TodoSnapshot) {
        let todos = snapshot.todos.map(CanonicalMessage.encode).joined(separator: ",")
        self.init(id: snapshot.id, json: Array("{\"id\":\"\(snapshot.id)\",\"todos\":[\(todos)]}".utf8))
    }

    /// Whether id and JSON are equal.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.json == right.json }

    /// The ids of the todos.
    @LoopActor
    package var todoIDs: Set<String> {
        list?.todoIDs(for: .own) ?? Set(CanonicalList(json)?.todos.map(\.name) ?? [])
    }
}
