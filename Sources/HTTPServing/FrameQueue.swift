/// Frames that wait for one reader.
///
/// Nearly always there is none, or one: that one lies in the queue itself, without an array.
struct FrameQueue {
    /// No more is written in one turn of the loop; ``WritingShare`` says when it is less.
    static let fairBytes = 128 * 1024

    private var first: [UInt8]?
    private var rest: [[UInt8]] = []
    /// So many bytes of the first frame are sent.
    private var offset = 0
    /// How many bytes wait.
    private(set) var bytes = 0

    var isEmpty: Bool { first == nil }

    mutating func append(_ frame: [UInt8]) {
        guard !frame.isEmpty else { return }
        bytes += frame.count
        if first == nil { first = frame } else { rest.append(frame) }
    }

    mutating func removeAll() { self = FrameQueue() }

    /// Writes what a socket takes of so many bytes, nearly always all and in one system call, and forgets it; false when the
    /// peer is gone.
    mutating func write(to descriptor: Int32, atMost most: Int = fairBytes) -> Bool {
        var left = most
        while let first {
            let isAll = rest.count < SocketWriter.mostPieces
            let written = SocketWriter.write(first, rest, from: offset, atMost: left, to: descriptor)
            guard written >= 0 else { return false }
            bytes -= written
            left -= written
            if bytes > 0 {
                drop(written, first)
                // More pieces than one call takes: the socket may have room for the others.
                if isAll || written == 0 || left == 0 { return true }
            } else {
                self.first = nil
                if !rest.isEmpty { rest.removeAll(keepingCapacity: true) }
                offset = 0
            }
        }
        return true
    }

    /// Forgets the first so many bytes; some are left.
    private mutating func drop(_ count: Int, _ first: [UInt8]) {
        var (left, frame, whole) = (count + offset, first, 0)
        while left >= frame.count {
            left -= frame.count
            frame = rest[whole]
            whole += 1
        }
        self.first = frame
        rest.removeFirst(whole)
        offset = left
    }
}
