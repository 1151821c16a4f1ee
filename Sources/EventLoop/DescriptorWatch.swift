import CLibevent

/// Tells when a file descriptor can be read or written.
///
/// Cancel the watch before closing the descriptor; it keeps itself alive until then.
@LoopActor
public final class DescriptorWatch {
    private let reader: LoopWatch
    /// Made when it is first needed, as most descriptors take all bytes at once: that saves 250 bytes for each.
    private var writer: LoopWatch?
    private let descriptor: Int32
    /// Nil once cancelled.
    private var onWritable: (@LoopActor () -> Void)?

    /// Watches nothing until ``startReading()`` or ``awaitWritable()``.
    public init(
        _ descriptor: Int32,
        onReadable: @escaping @LoopActor () -> Void,
        onWritable: @escaping @LoopActor () -> Void
    ) {
        reader = LoopWatch(descriptor, kinds: EV_READ | EV_PERSIST) { _ in onReadable() }
        self.descriptor = descriptor
        self.onWritable = onWritable
    }

    /// Calls `onReadable` whenever there is something to read.
    public func startReading() { reader.start() }

    /// Says nothing of what there is to read until ``startReading()``.
    public func stopReading() { reader.stop() }

    /// Calls `onWritable` once, when the descriptor next takes bytes.
    public func awaitWritable() {
        guard let onWritable else { return }
        let writer = writer ?? LoopWatch(descriptor, kinds: EV_WRITE) { _ in onWritable() }
        self.writer = writer
        writer.start()
    }

    /// Ends both watches for good. Calling it again does nothing.
    public func cancel() {
        onWritable = nil
        reader.cancel()
        writer?.cancel()
    }
}
