import Foundation

/// Copies parts one behind another into room of a known size.
///
/// Appending to an array costs bookkeeping for each part.
struct ByteWriter {
    private let room: UnsafeMutableRawBufferPointer
    private var count = 0

    /// The bytes that `body` writes, which must be so many.
    static func bytes(count: Int, _ body: (inout ByteWriter) -> Void) -> [UInt8] {
        // Filled with zeros first: the initializer that leaves them out is generic code.
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { room in
            var writer = ByteWriter(room: room)
            body(&writer)
            precondition(writer.count == count, "less is written than was announced")
        }
        return bytes
    }

    private init(room: UnsafeMutableRawBufferPointer) { self.room = room }

    mutating func add(_ text: StaticString) {
        add(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= room.count - count, "more is written than was announced")
        guard let end = room.baseAddress, let start = bytes.baseAddress else { return }
        memcpy(end + count, start, bytes.count)
        count += bytes.count
    }
}
