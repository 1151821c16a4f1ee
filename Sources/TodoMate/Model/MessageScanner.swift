import Foundation

/// Walks over the bytes of a message, part by part; they must stay where they are meanwhile.
///
/// It works on the memory itself: slices of an array count references and check bounds at each step.
package struct MessageScanner {
    /// A part of the message, whose indices are those of the message.
    package typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where it is.
    private(set) var next = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The raw inside of the JSON string that follows `prefix`, whose last character is the opening quote; steps over
    /// the closing quote. Nil when the prefix is not there or the string does not end.
    package mutating func string(after prefix: StaticString) -> Text? {
        guard skip(prefix) else { return nil }
        var index = next
        while index < bytes.count {
            let byte = bytes[index]
            // Nearly all are none of those below, and are told by two comparisons.
            if byte > UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                index += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                defer { next = index + 1 }
                return bytes[next..<index]
            case UInt8(ascii: "\\"): index += 2
            case 0..<0x20: return nil
            default: index += 1
            }
        }
        return nil
    }

    /// The digits that follow `prefix`: a JSON number without an exponent sign of its own.
    mutating func number(after prefix: StaticString) -> Text? {
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

    /// The whole number of at most 18 digits that follows `prefix`, read in one pass; nil when no such number is there.
    package mutating func wholeNumber(after prefix: StaticString) -> Int? {
        guard skip(prefix) else { return nil }
        let (start, end) = (next, min(next + 18, bytes.count))
        var number = 0
        while next < end {
            let digit = bytes[next] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            number = number * 10 + Int(digit)
            next += 1
        }
        // JSON allows no leading zero but the one alone.
        guard next > start, bytes[start] != UInt8(ascii: "0") || next == start + 1 else { return nil }
        return number
    }

    /// Whether exactly this is left.
    package mutating func ends(with suffix: StaticString) -> Bool { skip(suffix) && next == bytes.count }

    private func isNumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
    }

    /// Steps over JSON's white space.
    mutating func skipSpace() {
        while next < bytes.count,
            bytes[next] == 0x20 || bytes[next] == 0x0A || bytes[next] == 0x0D || bytes[next] == 0x09
        {
            next += 1
        }
    }

    /// Steps over exactly this; false when something else comes next.
    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - next >= count else { return false }
        // Without remaining bytes there is nothing to compare.
        guard count > 0, let base = bytes.baseAddress else { return count == 0 }
        guard memcmp(base + next, text.utf8Start, count) == 0 else { return false }
        next += count
        return true
    }
}

extension MessageScanner.Text {
    /// Up to 18 digits: nearly all numbers there are, microseconds too, without a text in between; nil for any other.
    var wholeNumber: Int? {
        guard !isEmpty, count <= 18 else { return nil }
        var number = 0
        for byte in self {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
