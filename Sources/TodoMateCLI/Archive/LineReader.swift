import CommandArguments
import Foundation

/// Reads a file line by line, in memory that does not grow with it.
struct LineReader {
    /// One line: its number, from 1, and its bytes without the line's end; nil for a line that is too long to keep.
    struct Line {
        let number: Int
        let bytes: [UInt8]?
    }

    private static let chunk = 262_144

    private let descriptor: Int32
    private let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var number = 0
    private var isAtEnd = false
    /// How many bytes have been read from the file.
    private(set) var bytesRead = 0

    /// Reads from where the descriptor stands.
    init(_ descriptor: Int32, longest: Int) {
        self.descriptor = descriptor
        self.longest = longest
    }

    /// The next line; nil at the end.
    ///
    /// - Throws: `CommandError` when the file cannot be read.
    mutating func next() throws(CommandError) -> Line? {
        var scanned = start
        var isTooLong = false
        while true {
            if let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return line(buffer[start..<end], isTooLong)
            }
            guard !isAtEnd else {
                defer { start = buffer.count }
                return start < buffer.count || isTooLong ? line(buffer[start...], isTooLong) : nil
            }
            if buffer.count - start > longest + 2 {
                // Its end is still to be found, the rest of it is not wanted.
                isTooLong = true
                start = buffer.count
            }
            buffer.removeFirst(start)
            (start, scanned) = (0, buffer.count)
            try fill()
        }
    }

    private mutating func line(_ bytes: ArraySlice<UInt8>, _ isTooLong: Bool) -> Line {
        number += 1
        var bytes = bytes
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        // Some editors begin a file with a byte order mark.
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        return Line(number: number, bytes: isTooLong || bytes.count > longest ? nil : Array(bytes))
    }

    private mutating func fill() throws(CommandError) {
        let old = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
        var count = -1
        repeat {
            count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: old), Self.chunk) }
        } while count < 0 && errno == EINTR
        let reason = String(cString: strerror(errno))
        buffer.removeLast(Self.chunk - max(count, 0))
        guard count >= 0 else { throw CommandError("the file cannot be read: \(reason)", exitCode: .ioError) }
        bytesRead += count
        isAtEnd = count == 0
    }
}
