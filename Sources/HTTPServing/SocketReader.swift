import Foundation

/// Reads what a socket holds, without waiting.
enum SocketReader {
    private static let mostBytes = 16 * 1024

    /// What is there; empty when that is nothing yet, nil when the peer has closed or is gone.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: mostBytes, alignment: 1) { room in
            let count = receive(descriptor, room)
            return count < 0 ? nil : [UInt8](room[..<count])
        }
    }

    /// How many bytes it threw away; -1 when the peer has closed or is gone.
    static func discard(_ descriptor: Int32) -> Int {
        withUnsafeTemporaryAllocation(byteCount: mostBytes, alignment: 1) { receive(descriptor, $0) }
    }

    private static func receive(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
        if count > 0 { return count }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1
    }
}
