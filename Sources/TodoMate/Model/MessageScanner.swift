/// Walks over the bytes of a message, part by part.
struct MessageScanner {
    private let bytes: [UInt8]
    /// Where it is.
    private(set) var next = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The raw inside of the JSON string that follows `prefix`, whose last character is the opening quote; steps over
    /// the closing quote. Nil when the prefix is not there or the string does not end.
    mutating func string(after prefix: StaticString) -> ArraySlice<UInt8>? {
        guard skip(prefix) else { return nil }
        let start = next
        // Without a check of bounds for each byte, which were half of the instructions.
        let end: Int? = bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""): return index
                case UInt8(ascii: "\\"): index += 2
                case 0..<0x20: return nil
                default: index += 1
                }
            }
            return nil
        }
        guard let end else { return nil }
        next = end + 1
        return bytes[start..<end]
    }

    /// The digits that follow `prefix`: a JSON number without an exponent sign of its own.
    mutating func number(after prefix: StaticString) -> ArraySlice<UInt8>? {
        guard skip(prefix) else { return nil }
        let start = next
        if next < bytes.count, bytes[next] == UInt8(ascii: "-") { next += 1 }
        let firstDigit = next
        while next < bytes.count, isNumeric(bytes[next]) { next += 1 }
        guard next > firstDigit, bytes[firstDigit] != UInt8(ascii: "."), bytes[next - 1] != UInt8(ascii: ".") else {
            return nil
        }
        // JSON allows no leading zero but the one before a fraction.
        if bytes[firstDigit] == UInt8(ascii: "0"), next > firstDigit + 1, bytes[firstDigit + 1] != UInt8(ascii: ".") {
            return nil
        }
        return bytes[start..<next]
    }

    /// Whether exactly this is left.
    mutating func ends(with suffix: StaticString) -> Bool { skip(suffix) && next == bytes.count }

    private func isNumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
    }

    /// Steps over JSON's white space.
    mutating func skipSpace() {
        while next < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[next]) { next += 1 }
    }

    /// The bytes since it was there.
    func since(_ start: Int) -> ArraySlice<UInt8> { bytes[start..<next] }

    /// Steps over exactly this; false when something else comes next.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - next >= count else { return false }
        for index in 0..<count where bytes[next + index] != text.utf8Start[index] { return false }
        next += count
        return true
    }
}
