public import EventLoop
import Foundation

/// A long answer that is made while it is sent, in chunks (RFC 9112, section 7.1).
///
/// Each part is held until the socket has taken it, and the next one is not made before: a slow client costs no memory. The last chunk,
/// which has no bytes, is sent by ``finish()`` alone, so that a client can tell an answer that was cut from a whole one.
@LoopActor
public final class Download {
    private static let interval = Duration.seconds(10)
    /// As much as the slowest of phones takes in that time.
    private static let leastTaken = 64 * 1024
    private static let mostHeardBytes = 64 * 1024
    private static let lineEnd = Array("\r\n".utf8)

    private let descriptor: Int32
    private var watch: DescriptorWatch?
    @exclusivity(unchecked) private var queue = FrameQueue()
    private var waiter: LoopContinuation<Void>?
    private var timer: LoopTimer?
    /// How many bytes waited when it was last looked.
    private var waited = 0
    private var isFinishing = false
    private var heardBytes = 0
    /// Lets the server forget it.
    var onClosed: ((Download) -> Void)?

    /// Takes over a connected socket and its watch; `head` leaves at once.
    init(_ watch: DescriptorWatch, head: [UInt8]) {
        descriptor = watch.descriptor
        self.watch = watch
        watch.handOver(onReadable: { [weak self] in self?.readable() }, onWritable: { [weak self] in self?.flush() })
        watch.startReading()
        queue.append(head)
        flush()
    }

    /// Whether anything can still be sent.
    public var isOpen: Bool { watch != nil && !isFinishing }

    /// Sends a part, and returns once the socket has taken it.
    ///
    /// - Returns: whether more can be sent; false when the client is gone or takes hardly anything, or it was cut.
    public func send(_ part: [UInt8]) async -> Bool {
        guard isOpen, !part.isEmpty else { return isOpen }
        queue.append(Array(String(part.count, radix: 16).utf8) + Self.lineEnd)
        queue.append(part)
        queue.append(Self.lineEnd)
        flush()
        await waitUntilTaken()
        return isOpen
    }

    /// Ends a whole answer.
    public func finish() async {
        guard isOpen else { return }
        isFinishing = true
        queue.append(Array("0\r\n\r\n".utf8))
        flush()
        await waitUntilTaken()
        end()
    }

    /// Ends an answer that is not whole, at once.
    public func cut() { end() }

    private func waitUntilTaken() async {
        guard watch != nil, !queue.isEmpty else { return }
        waited = queue.bytes
        timer = LoopTimer.every(Self.interval, of: self) { $0.look() }
        await LoopActor.suspend { waiter = $0 }
        timer?.cancel()
        timer = nil
    }

    /// Cuts off a client who takes hardly anything.
    private func look() {
        if waited - queue.bytes < min(Self.leastTaken, waited) { return end() }
        waited = queue.bytes
    }

    private func flush() {
        guard watch != nil, !queue.isEmpty else { return }
        guard queue.write(to: descriptor, atMost: WritingShare.bytes) else { return end() }
        guard queue.isEmpty else {
            WritingShare.noteMuch()
            watch?.awaitWritable()
            return
        }
        resume()
    }

    private func resume() {
        let waiter = waiter
        self.waiter = nil
        waiter?.resume(returning: ())
    }

    /// A client has nothing to say meanwhile: all that comes is its end, or what it sent too much.
    private func readable() {
        let count = SocketReader.discard(descriptor)
        heardBytes += max(count, 0)
        if count < 0 || heardBytes > Self.mostHeardBytes { end() }
    }

    private func end() {
        guard let watch else { return }
        self.watch = nil
        watch.cancel()
        // What is not whole must not look so, not even to a client that does not mind chunks.
        if isFinishing, queue.isEmpty { Foundation.close(descriptor) } else { SocketReset.close(descriptor) }
        queue.removeAll()
        resume()
        onClosed?(self)
    }
}
