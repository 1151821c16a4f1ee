import CLibevent

/// Tells when a file descriptor can be read or written.
///
/// Cancel the watch before closing the descriptor; it keeps itself alive until then.
@LoopActor
package final class DescriptorWatch {
    /// What is watched.
    package let descriptor: Int32
    private var reader: LoopWatch?
    /// Made when it is first needed, as most descriptors take all bytes at once.
    private var writer: LoopWatch?
    /// Both nil once cancelled.
    private var onReadable: (@LoopActor () -> Void)?
    private var onWritable: (@LoopActor () -> Void)?

    /// Watches nothing until ``startReading()`` or ``awaitWritable()``.
    package init(
        _ descriptor: Int32,
        onReadable: @escaping @LoopActor () -> Void,
        onWritable: @escaping @LoopActor () -> Void
    ) {
        self.descriptor = descriptor
        (self.onReadable, self.onWritable) = (onReadable, onWritable)
        reader = LoopWatch(descriptor, kinds: EV_READ | EV_PERSIST) { [self] _ in self.onReadable?() }
    }

    /// Continues for another owner: two system calls fewer than ending this watch and starting another.
    package func handOver(
        onReadable: @escaping @LoopActor () -> Void,
        onWritable: @escaping @LoopActor () -> Void
    ) {
        (self.onReadable, self.onWritable) = (onReadable, onWritable)
    }

    /// Calls `onReadable` whenever there is something to read.
    package func startReading() { reader?.start() }

    /// Says nothing of what there is to read until ``startReading()``.
    package func stopReading() { reader?.stop() }

    /// Calls `onWritable` once, when the descriptor next takes bytes.
    package func awaitWritable() {
        guard onWritable != nil else { return }
        let writer = writer ?? LoopWatch(descriptor, kinds: EV_WRITE) { [self] _ in onWritable?() }
        self.writer = writer
        writer.start()
    }

    /// Ends both watches for good. Calling it again does nothing.
    package func cancel() {
        (onReadable, onWritable) = (nil, nil)
        reader?.cancel()
        writer?.cancel()
        // They hold this object, which handed them out.
        (reader, writer) = (nil, nil)
    }
}
