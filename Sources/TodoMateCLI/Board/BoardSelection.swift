import TodoMate

/// The todo of a list that keys act on: by id while it is there, else by its place.
struct BoardSelection {
    var id: String?
    var index = 0
    /// Whether it is still to come, as one that was just added.
    var isAwaited = false
    /// Whether it is a routine's day that is to be as if nobody had done anything: it goes first, and comes again.
    var isToBeUnmade = false

    /// Takes note of the todo that is there now, or in its place.
    ///
    /// - Parameter isUnderWay: whether a write about that todo has not been answered.
    mutating func follow(_ todo: Todo, at index: Int, isUnderWay: Bool) {
        let isThere = todo.id == id
        if isToBeUnmade, !isThere || !todo.isUnmade || isUnderWay {
            if isThere { self.index = index }
        } else if isThere || !isAwaited {
            self = BoardSelection(id: todo.id, index: index)
        }
    }
}
