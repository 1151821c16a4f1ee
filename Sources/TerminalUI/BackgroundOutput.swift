import Dispatch
import Foundation
import Synchronization

/// Standard output, written by a separate thread: a stalled reader delays nothing else.
public final class BackgroundOutput: Sendable {
    /// More than this is not kept for a reader that does not read.
    private static let mostQueuedBytes = 1 << 20

    private let queue = DispatchQueue(label: "terminal.output")
    private let queuedBytes = Atomic<Int>(0)
    private let terminal = Terminal(environment: [:])
    private let onClosed: @Sendable (String) -> Void

    /// - Parameter onClosed: called with the reason when the output cannot be written any more.
    public init(onClosed: @escaping @Sendable (String) -> Void) { self.onClosed = onClosed }

    /// Writes a text after those before it.
    ///
    /// - Returns: false when too much is waiting; then it is not written.
    public func write(_ text: String) -> Bool {
        let count = text.utf8.count
        guard queuedBytes.load(ordering: .relaxed) + count <= Self.mostQueuedBytes else { return false }
        queuedBytes.add(count, ordering: .relaxed)
        queue.async { [self] in
            if !terminal.write(text) { onClosed(String(cString: strerror(errno))) }
            queuedBytes.subtract(count, ordering: .relaxed)
        }
        return true
    }

    /// Calls `body` once all that was written before has left.
    public func afterwards(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}
