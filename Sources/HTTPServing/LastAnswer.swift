import EventLoop
import Foundation

/// The last answer on a connection whose further bytes are not to be understood.
///
/// A socket that is closed with bytes unread resets the connection, and the client may lose the answer: so this side closes
/// its half, then throws away what still comes, for a short while (RFC 9112, section 9.6).
@LoopActor
final class LastAnswer {
    private static let patience = Duration.seconds(2)
    private static let mostBytes = 1 << 20

    private let descriptor: Int32
    private let onGone: (LastAnswer) -> Void
    private var watch: DescriptorWatch?
    private var timer: LoopTimer?
    private var thrownAway = 0

    /// Writes the answer, as much of it as the socket takes at once, to a connected socket that is its own from here on.
    init(_ answer: [UInt8], to descriptor: Int32, onGone: @escaping (LastAnswer) -> Void) {
        self.descriptor = descriptor
        self.onGone = onGone
        _ = SocketWriter.write(answer, to: descriptor)
        shutdown(descriptor, Int32(SHUT_WR))
        watch = DescriptorWatch(descriptor, onReadable: { [weak self] in self?.readable() }, onWritable: {})
        watch?.startReading()
        timer = LoopTimer { [weak self] in self?.close() }
        timer?.start(after: Self.patience)
    }

    /// Ends it at once.
    func close() {
        guard let watch else { return }
        self.watch = nil
        watch.cancel()
        timer?.cancel()
        Foundation.close(descriptor)
        onGone(self)
    }

    private func readable() {
        let count = SocketReader.discard(descriptor)
        thrownAway += max(count, 0)
        if count < 0 || thrownAway > Self.mostBytes { close() }
    }
}
