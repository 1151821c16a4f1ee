import Foundation

/// Writes byte arrays to a socket without copying them together.
enum SocketWriter {
    /// More pieces than that are rare, and take another call.
    static let mostPieces = 64
    // A peer that is gone must not end the process, nor a full socket hold up the loop.
    private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    /// Writes an array from `offset` on, and others after it, in one system call; of all together the first `most` bytes.
    ///
    /// - Returns: how many bytes the socket took, 0 when it is full; -1 when the peer is gone.
    static func write(
        _ first: [UInt8],
        _ rest: [[UInt8]] = [],
        from offset: Int = 0,
        atMost most: Int = .max,
        to descriptor: Int32
    ) -> Int {
        // Nearly always there is one frame a turn.
        let written =
            if rest.isEmpty {
                first.withUnsafeBytes {
                    send(descriptor, $0.baseAddress.map { $0 + offset }, min($0.count - offset, most), flags)
                }
            } else {
                withUnsafeTemporaryAllocation(of: iovec.self, capacity: mostPieces) { pieces in
                    gather(first, rest, 0, offset, most, into: pieces, descriptor)
                }
            }
        if written >= 0 { return written }
        return errno == EAGAIN || errno == EINTR ? 0 : -1
    }

    /// Borrows the bytes of one array after another, and sends when all are borrowed.
    private static func gather(
        _ array: [UInt8],
        _ rest: [[UInt8]],
        _ index: Int,
        _ offset: Int,
        _ most: Int,
        into pieces: UnsafeMutableBufferPointer<iovec>,
        _ descriptor: Int32
    ) -> Int {
        array.withUnsafeBytes { bytes in
            let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0 + offset) }
            let length = min(bytes.count - offset, most)
            pieces.initializeElement(at: index, to: iovec(iov_base: start, iov_len: length))
            guard index < min(rest.count, mostPieces - 1), length < most else {
                var message = msghdr()
                message.msg_iov = pieces.baseAddress
                message.msg_iovlen = numericCast(index + 1)
                return sendmsg(descriptor, &message, flags)
            }
            return gather(rest[index], rest, index + 1, 0, most - length, into: pieces, descriptor)
        }
    }
}
