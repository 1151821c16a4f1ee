public import EventLoop
import Foundation

/// One open event stream (the WHATWG's Server-Sent Events) to one reader.
///
/// What is sent during a turn of the loop leaves in one system call, at its end or, behind many other streams, soon after;
/// frames are shared between streams and not copied. Bytes that the socket does not take wait in a queue; a reader that
/// lets more than ``HTTPLimits/streamQueueBytes`` gather is cut off, and can resume from the id it saw last.
@LoopActor
public final class EventStream {
    /// Why a stream ended.
    public enum Ending: String, Sendable {
        /// The reader went away.
        case readerLeft = "reader_left"
        /// The reader did not keep up.
        case readerTooSlow = "reader_too_slow"
        /// This side closed it.
        case closed
        /// This side sent the reader to another server, which has fewer.
        case letGo = "let_go"
    }

    private static let mostHeardBytes = 64 * 1024
    private static let lastWait = Duration.seconds(10)

    // What each delivery needs comes first, and lies close together: ten thousand streams do not fit into a cache.
    private let descriptor: Int32
    // Without the runtime's check for overlapping accesses: the queue calls nothing back.
    @exclusivity(unchecked) private var isDirty = false
    private var isBlocked = false
    /// Why to end once all is sent; nil while the stream continues.
    private var closing: Ending?
    @exclusivity(unchecked) private var queue = FrameQueue()
    private var watch: DescriptorWatch?
    private let queueLimit: Int
    private let flusher: StreamFlusher
    /// A frame bigger than the limit, such as a snapshot, may wait on top of it until all is sent.
    private var allowance = 0
    /// The turn in which what waits was made; nil nearly always.
    private var kept: KeptTurn?
    private var heardBytes = 0

    /// How many bytes wait for the reader.
    public var queuedBytes: Int { queue.bytes }
    /// The number of them that wait without a turn.
    package var countedBytes: Int { kept == nil ? queue.bytes : 0 }
    /// Whether the socket has not taken all of what was sent before this turn of the loop.
    package var isBehind: Bool { isBlocked }
    /// Lets the server forget the stream.
    var onClosed: ((EventStream) -> Void)?
    /// Called once when the stream has ended, for any reason.
    public var onEnd: ((Ending) -> Void)?

    /// Takes over a connected socket and its watch; `head` leaves together with the first frame, or soon.
    init(_ watch: DescriptorWatch, head: [UInt8], queueLimit: Int, flusher: StreamFlusher) {
        descriptor = watch.descriptor
        self.queueLimit = queueLimit
        self.flusher = flusher
        // The watch keeps the stream alive until the stream ends. A weak reference instead would make every later count of
        // the stream's references go through a table beside it: 4 % of a delivery.
        self.watch = watch
        watch.handOver(onReadable: readable, onWritable: writable)
        watch.startReading()
        queue.append(head)
        flusher.flushSoon(self)
    }

    /// Whether anything can still be sent.
    public var isOpen: Bool { watch != nil }

    /// Sends a frame, such as ``EventFrame`` makes, at the end of this turn or, behind many streams, of one soon after.
    public func send(_ frame: [UInt8]) {
        guard isOpen, closing == nil else { return }
        queue.append(frame)
        if frame.count > queueLimit { allowance += frame.count }
        // A burst is the sender's doing: the socket has its chance before the reader is called slow.
        if queue.bytes > queueLimit + allowance { flush(atMost: .max) }
        guard queue.bytes <= queueLimit + allowance else { return end(.readerTooSlow) }
        guard !isDirty, !isBlocked, !queue.isEmpty else { return }
        isDirty = true
        flusher.add(self)
    }

    /// Sends a frame with which something begins, and which may wait on top of the limit; keeps the turn in which it was made until
    /// all is taken. A reader who takes hardly anything of what was made in a turn is cut off.
    package func send(_ frame: [UInt8], keeping turn: FairTurn?) {
        if frame.count <= queueLimit { allowance += frame.count }
        send(frame)
        guard let turn, isOpen else { return }
        // Before the end of the turn of the loop: most of it leaves now.
        flush()
        guard !queue.isEmpty else { return }
        if let kept { return kept.add(turn, bytes: frame.count) }
        kept = KeptTurn(
            turn,
            waiting: { [weak self] in self?.queue.bytes ?? 0 },
            onStuck: { [weak self] in self?.cutOff() }
        )
    }

    /// Ends the stream of a reader who does not keep up.
    package func cutOff() { end(.readerTooSlow) }

    /// Closes the stream, after what was sent before has left, or ten seconds later.
    public func close(as ending: Ending = .closed) {
        guard closing == nil else { return }
        closing = ending
        flush()
        if queue.isEmpty { return end(ending) }
        Task { [weak self] in
            await LoopTimer.sleep(for: Self.lastWait)
            self?.end(ending)
        }
    }

    /// Closes the stream at once and drops what was not sent yet, by the kernel as well: it may not be delivered any more.
    package func closeNow() { end(.closed, droppingAll: true) }

    /// Writes what the socket takes, in one system call; what is more than a turn of the loop should write goes in the next.
    func flush(atMost most: Int = WritingShare.bytes) {
        isDirty = false
        guard isOpen, !queue.isEmpty else { return }
        guard queue.write(to: descriptor, atMost: most) else { return end(.readerLeft) }
        if queue.isEmpty {
            allowance = 0
            if kept != nil { kept = nil }
            if let closing { end(closing) }
        } else {
            isBlocked = true
            WritingShare.noteMuch()
            watch?.awaitWritable()
        }
    }

    private func writable() {
        isBlocked = false
        flush()
    }

    /// A reader has nothing to say: all that comes is its end, or what it sent too much.
    private func readable() {
        let count = SocketReader.discard(descriptor)
        heardBytes += max(count, 0)
        if count < 0 || heardBytes > Self.mostHeardBytes { end(.readerLeft) }
    }

    private func end(_ ending: Ending, droppingAll: Bool = false) {
        guard let watch else { return }
        self.watch = nil
        watch.cancel()
        let isAllGone = queue.isEmpty && !(droppingAll && SocketReset.hasUnsent(descriptor))
        if isAllGone { Foundation.close(descriptor) } else { SocketReset.close(descriptor) }
        queue.removeAll()
        kept = nil
        let onEnd = onEnd
        self.onEnd = nil
        onClosed?(self)
        onEnd?(ending)
    }
}
