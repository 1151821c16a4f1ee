import CLibevent

/// Tells when a file descriptor can be read or written.
///
/// Cancel the watch before closing the descriptor; it keeps itself alive until then.
@LoopActor
public final class DescriptorWatch {
    private let reader: LoopWatch
    private let writer: LoopWatch

    /// Watches nothing until ``startReading()`` or ``awaitWritable()``.
    public init(
        _ descriptor: Int32,
        onReadable: @escaping @LoopActor () -> Void,
        onWritable: @escaping @LoopActor () -> Void
    ) {
        reader = LoopWatch(descriptor, kinds: EV_READ | EV_PERSIST) { _ in onReadable() }
        writer = LoopWatch(descriptor, kinds: EV_WRITE) { _ in onWritable() }
    }

    /// Calls `onReadable` whenever there is something to read.
    public func startReading() { reader.start() }

    /// Calls `onWritable` once, when the descriptor next takes bytes.
    public func awaitWritable() { writer.start() }

    /// Ends both watches for good. Calling it again does nothing.
    public func cancel() {
        reader.cancel()
        writer.cancel()
    }
}
