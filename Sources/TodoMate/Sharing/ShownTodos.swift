/// The ids of the todos that one reader is shown: those of the snapshot, which many readers share, and what came and went since.
package struct ShownTodos {
    private let first: Set<String>
    private var added: Set<String> = []
    private var removed: Set<String> = []

    package init(_ first: Set<String>) { self.first = first }

    package func contains(_ id: String) -> Bool { added.contains(id) || first.contains(id) && !removed.contains(id) }

    package mutating func insert(_ id: String) {
        removed.remove(id)
        if !first.contains(id) { added.insert(id) }
    }

    package mutating func remove(_ id: String) {
        added.remove(id)
        if first.contains(id) { removed.insert(id) }
    }
}
