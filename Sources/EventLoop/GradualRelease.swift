/// Releases many objects a few at a time: freeing ten thousand at once takes milliseconds, during which nothing else runs.
package final class GradualRelease<Element: Sendable>: Sendable {
    // Only the task below touches it, once the caller has let go of its own reference to the array.
    @LoopActor private var elements: [Element]

    private static var step: Int { 32 }

    /// Takes over the elements; whoever calls this must keep no reference to the array.
    @discardableResult
    package init(_ elements: [Element]) {
        self.elements = elements
        Task { @LoopActor in
            while !self.elements.isEmpty {
                self.elements.removeLast(min(Self.step, self.elements.count))
                await LoopActor.shareTurn()
            }
        }
    }
}
