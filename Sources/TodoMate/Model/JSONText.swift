/// The inside of JSON strings (RFC 8259, section 7).
package enum JSONText {
    /// Takes the escapes out; nil when an escape or the UTF-8 is wrong, or a surrogate stands alone.
    static func decode<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes) -> String? where Bytes.Index == Int {
        // Plain ASCII, as nearly all names and many texts are, needs no checks that are made character by character.
        if bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) { return String(decoding: bytes, as: UTF8.self) }
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(validating: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var next = bytes.startIndex
        while next < bytes.endIndex {
            guard bytes[next] == UInt8(ascii: "\\") else {
                text.append(bytes[next])
                next += 1
                continue
            }
            guard next + 1 < bytes.endIndex else { return nil }
            if bytes[next + 1] == UInt8(ascii: "u") {
                guard let (scalar, length) = unicodeEscape(bytes[next...]) else { return nil }
                text.append(contentsOf: String(scalar).utf8)
                next += length
            } else {
                guard let byte = shortEscape(bytes[next + 1]) else { return nil }
                text.append(byte)
                next += 2
            }
        }
        return String(validating: text, as: UTF8.self)
    }

    /// Puts in the escapes that JSON demands, and those of DEL and the ``LineSeparators``: the same ones as the Redis functions.
    package static func encode(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            let hasSeparators = LineSeparators.first(in: bytes, from: 0) != nil
            guard hasSeparators || bytes.contains(where: needsEscape) else { return nil }
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + 16)
            for byte in bytes {
                if needsEscape(byte) { appendEscape(of: byte, to: &result) } else { result.append(byte) }
            }
            return String(decoding: hasSeparators ? LineSeparators.escaped(in: result) : result, as: UTF8.self)
        } ?? text
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscape(of byte: UInt8, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte)
        case 0x0A: text.append(UInt8(ascii: "n"))
        case 0x0D: text.append(UInt8(ascii: "r"))
        case 0x09: text.append(UInt8(ascii: "t"))
        case 0x08: text.append(UInt8(ascii: "b"))
        case 0x0C: text.append(UInt8(ascii: "f"))
        default:
            let hex = String(byte, radix: 16)
            text.append(contentsOf: "u\(String(repeating: "0", count: 4 - hex.count))\(hex)".utf8)
        }
    }

    /// A number in the fewest digits; a whole one without a fraction.
    static func encode(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }

    /// Whether it is printable ASCII, escapes of such included: then it has no more characters than bytes, and nothing that
    /// has to be decoded to be checked.
    static func isPrintable(_ bytes: some Collection<UInt8>) -> Bool {
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/") else {
                    return false
                }
                isEscaped = false
            } else {
                guard (0x20..<0x7F).contains(byte) else { return false }
                isEscaped = byte == UInt8(ascii: "\\")
            }
        }
        return !isEscaped
    }

    private static func shortEscape(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The scalar of `\uXXXX`, or of two of them that are a surrogate pair, and how many bytes that took.
    private static func unicodeEscape(_ bytes: some Collection<UInt8>) -> (Unicode.Scalar, length: Int)? {
        guard let first = codeUnit(bytes) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard UTF16.isLeadSurrogate(first), let second = codeUnit(bytes.dropFirst(6)), UTF16.isTrailSurrogate(second)
        else { return nil }
        return (UTF16.decode(.init([first, second])), 12)
    }

    private static func codeUnit(_ bytes: some Collection<UInt8>) -> UInt16? {
        let escape = bytes.prefix(6)
        guard escape.count == 6, escape.starts(with: "\\u".utf8) else { return nil }
        let digits = String(decoding: escape.dropFirst(2), as: UTF8.self)
        // UInt16 would also take a sign.
        return digits.allSatisfy(\.isHexDigit) ? UInt16(digits, radix: 16) : nil
    }
}
