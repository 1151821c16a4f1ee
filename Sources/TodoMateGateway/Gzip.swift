import CZlib

/// Compresses by gzip (RFC 1952), with zlib.
enum Gzip {
    /// How much time it takes to find what is alike.
    enum Effort: Int32 {
        /// For what is compressed each time: a sixth of the time for a fifth more bytes.
        case little = 4
        /// For what is compressed once.
        case most = 9
    }

    /// The compressed bytes; nil when zlib is out of memory.
    static func compress(_ bytes: [UInt8], _ effort: Effort) -> [UInt8]? {
        var stream = z_stream()
        guard todomate_gzip_init(&stream, effort.rawValue) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        var input = bytes
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }
}
