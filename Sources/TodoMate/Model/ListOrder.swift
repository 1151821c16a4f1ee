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
            for start in stride(from: 0, to: todos.count - width, by: 2 * width) {
                await merge(&sorted, start, start + width, min(start + 2 * width, todos.count))
            }
            width *= 2
        }
        return sorted
    }

    /// Merges two neighbouring runs: as far as they overlap, which days mostly do not.
    private static func merge(_ todos: inout [ListedTodo], _ start: Int, _ middle: Int, _ end: Int) async {
        await LoopActor.shareTurn()
        let (last, first) = (todos[middle - 1], todos[middle])
        let low = place(in: todos, start..<middle) { ListedTodo.isInListOrder(first, $0) }
        let high = place(in: todos, middle..<end) { !ListedTodo.isInListOrder($0, last) }
        var (left, right) = (low, middle)
        var merged: [ListedTodo] = []
        merged.reserveCapacity(high - low)
        while left < middle || right < high {
            if left == middle || right < high && ListedTodo.isInListOrder(todos[right], todos[left]) {
                merged.append(todos[right])
                right += 1
            } else {
                merged.append(todos[left])
                left += 1
            }
            if merged.count % runLength == 0 { await LoopActor.shareTurn() }
        }
        for (place, todo) in zip(low..<high, merged) { todos[place] = todo }
    }

    /// The first place from which on a condition holds, by binary search.
    static func place(in todos: [ListedTodo], _ range: Range<Int>, _ holds: (ListedTodo) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if holds(todos[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
