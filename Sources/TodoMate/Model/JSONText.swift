/// The inside of JSON strings (RFC 8259, section 7).
enum JSONText {
    /// Takes the escapes out; nil when an escape or the UTF-8 is wrong, or a surrogate stands alone.
    static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
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

    /// Puts in the escapes that JSON demands, and DEL: the same ones as the Redis functions.
    static func encode(_ text: String) -> String {
        guard
            text.utf8.contains(where: {
                $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
            })
        else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\0"..<" ", "\u{7F}":
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
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
    private static func unicodeEscape(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, length: Int)? {
        guard let first = codeUnit(bytes) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard UTF16.isLeadSurrogate(first), let second = codeUnit(bytes.dropFirst(6)), UTF16.isTrailSurrogate(second)
        else { return nil }
        return (UTF16.decode(.init([first, second])), 12)
    }

    private static func codeUnit(_ bytes: ArraySlice<UInt8>) -> UInt16? {
        let escape = bytes.prefix(6)
        guard escape.count == 6, escape.starts(with: "\\u".utf8) else { return nil }
        let digits = String(decoding: escape.dropFirst(2), as: UTF8.self)
        // UInt16 would also take a sign.
        return digits.allSatisfy(\.isHexDigit) ? UInt16(digits, radix: 16) : nil
    }
}
