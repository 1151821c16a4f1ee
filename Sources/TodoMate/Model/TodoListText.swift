package import EventLoop

/// A user's todos at one moment as JSON: `{"id":"57-…","todos":[{…},…]}`, in list order.
public struct TodoListText: Sendable, Equatable {
    /// The latest change that these todos contain.
    public let id: ChangeID
    /// The list, each todo in the spelling of ``TodoDTO``.
    public let json: [UInt8]
    /// What it was written out of, where others may want the same.
    package let list: TodoList?
    /// Whoever was let read much: others of the same person wait until it is gone.
    package let turn: FairTurn?

    /// A list that was written before.
    package init(id: ChangeID, json: [UInt8], of list: TodoList? = nil, turn: FairTurn? = nil) {
        (self.id, self.json) = (id, json)
        (self.list, self.turn) = (list, turn)
    }

    /// A snapshot, written out.
    public init(_ snapshot: TodoSnapshot) {
        let todos = snapshot.todos.map(CanonicalMessage.encode).joined(separator: ",")
        self.init(id: snapshot.id, json: Array("{\"id\":\"\(snapshot.id)\",\"todos\":[\(todos)]}".utf8))
    }

    /// Whether the two say the same.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.json == right.json }

    /// The ids of the todos.
    @LoopActor
    package var todoIDs: Set<String> {
        list?.todoIDs(for: .own) ?? Set(CanonicalList(json)?.todos.map(\.name) ?? [])
    }
}
