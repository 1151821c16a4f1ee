import Foundation

/// Writes byte arrays to a socket without copying them together.
enum SocketWriter {
    /// Linux takes at most this many pieces at once (IOV_MAX).
    private static let mostPieces = 1024

    /// Writes the arrays, the first one from `offset` on, in one system call.
    ///
    /// - Returns: how many bytes the socket took, 0 when it is full; -1 when the peer is gone.
    static func write(_ arrays: [[UInt8]], from offset: Int, to descriptor: Int32) -> Int {
        // Nearly always there is one frame a turn.
        let written =
            if arrays.count == 1 {
                arrays[0].withUnsafeBytes {
                    send(descriptor, $0.baseAddress.map { $0 + offset }, $0.count - offset, flags)
                }
            } else {
                writeMany(arrays, from: offset, to: descriptor)
            }
        if written >= 0 { return written }
        return errno == EAGAIN || errno == EINTR ? 0 : -1
    }

    private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    private static func writeMany(_ arrays: [[UInt8]], from offset: Int, to descriptor: Int32) -> Int {
        var together: [UInt8] = []
        for (index, array) in arrays.prefix(mostPieces).enumerated() {
            together.append(contentsOf: index == 0 ? array.dropFirst(offset) : array[...])
        }
        return together.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
    }
}
