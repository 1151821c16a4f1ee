import EventLoop
import Foundation

/// Reads what a socket holds, without waiting.
@LoopActor
enum SocketReader {
    /// Where every read puts what it finds, which is copied at once: to allocate so much each time would cost more than the rest.
    private static let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 1)

    /// What is there; empty when that is nothing yet, nil when the peer has closed or is gone.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        let count = receive(descriptor)
        return count < 0 ? nil : [UInt8](room[..<count])
    }

    /// How many bytes it threw away; -1 when the peer has closed or is gone.
    static func discard(_ descriptor: Int32) -> Int { receive(descriptor) }

    private static func receive(_ descriptor: Int32) -> Int {
        let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
        if count > 0 { return count }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1
    }
}
