extension UnsafeBufferPointer<UInt8> {
    /// Whether there is a control character in it other than a tab.
    var hasControl: Bool {
        // To the end in any case and without branches, so that the compiler compares 16 bytes in one step.
        var found: UInt8 = 0
        for byte in self {
            found |= (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
        }
        return found != 0
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// How many bytes at the beginning are printable ASCII.
    var printablePrefix: Int {
        var length = 0
        // Eight in one step: a byte's highest bit shows whether it is below 0x20, above 0x7E, or neither.
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        while length + 8 <= count {
            let eight = UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: length, as: UInt64.self)
            guard ((eight &- ones &* 0x20) & ~eight | (eight &+ ones) | eight) & highs == 0 else { break }
            length += 8
        }
        while length < count, (0x20...0x7E).contains(self[length]) { length += 1 }
        return length
    }
}
