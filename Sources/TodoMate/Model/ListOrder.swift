import EventLoop

/// Sorts many todos in list order, by merging short runs, and lets others have the loop in between.
@LoopActor
enum ListOrder {
    private static let runLength = 64

    static func sorted(_ todos: [ListedTodo]) async -> [ListedTodo] {
        var sorted = todos
        for start in stride(from: 0, to: todos.count, by: runLength) {
            sorted[start..<min(start + runLength, todos.count)].sort(by: ListedTodo.isInListOrder)
            await LoopActor.shareTurn()
        }
        var width = runLength
        while width < todos.count {
            sorted = await merged(sorted, runsOf: width)
            width *= 2
        }
        return sorted
    }

    /// Merges each two neighbouring runs.
    private static func merged(_ todos: [ListedTodo], runsOf width: Int) async -> [ListedTodo] {
        var merged: [ListedTodo] = []
        merged.reserveCapacity(todos.count)
        for start in stride(from: 0, to: todos.count, by: 2 * width) {
            let middle = min(start + width, todos.count)
            let end = min(middle + width, todos.count)
            var (left, right) = (start, middle)
            // Where the two are in order as they are, as days mostly come, nothing is compared.
            let isInOrder = middle == end || !ListedTodo.isInListOrder(todos[middle], todos[middle - 1])
            while !isInOrder, left < middle, right < end {
                if ListedTodo.isInListOrder(todos[right], todos[left]) {
                    merged.append(todos[right])
                    right += 1
                } else {
                    merged.append(todos[left])
                    left += 1
                }
                if merged.count % runLength == 0 { await LoopActor.shareTurn() }
            }
            merged += todos[left..<middle]
            merged += todos[right..<end]
            await LoopActor.shareTurn()
        }
        return merged
    }
}
