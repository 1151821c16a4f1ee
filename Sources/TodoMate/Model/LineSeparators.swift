import Foundation

/// U+2028 and U+2029 in JSON, which lets them stand as they are, though some readers of lines and of events split there.
package enum LineSeparators {
    /// JSON with the two escaped; the very same bytes where there are none.
    ///
    /// They can stand in strings alone, so nothing has to be parsed. One after a lone backslash stays: that is no JSON.
    package static func escaped(in json: [UInt8]) -> [UInt8] {
        json.withUnsafeBufferPointer { bytes -> [UInt8]? in
            guard var place = first(in: bytes, from: 0) else { return nil }
            var (result, copied): ([UInt8], Int) = ([], 0)
            result.reserveCapacity(bytes.count + 64)
            while true {
                if !isEscaped(bytes, place) {
                    result += bytes[copied..<place]
                    result += bytes[place + 2] == 0xA8 ? Array(#"\u2028"#.utf8) : Array(#"\u2029"#.utf8)
                    copied = place + 3
                }
                guard let next = first(in: bytes, from: place + 3) else { return result + bytes[copied...] }
                place = next
            }
        } ?? json
    }

    /// Where the next one begins.
    static func first(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var place = start
        // Neither ASCII nor Korean has this byte: most messages are gone through once, by the C library.
        while place + 2 < bytes.count, let found = memchr(base + place, 0xE2, bytes.count - place - 2) {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if bytes[place + 1] == 0x80, bytes[place + 2] == 0xA8 || bytes[place + 2] == 0xA9 { return place }
            place += 1
        }
        return nil
    }

    /// Whether an odd number of backslashes comes before a place.
    private static func isEscaped(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        var start = place
        while start > 0, bytes[start - 1] == UInt8(ascii: "\\") { start -= 1 }
        return (place - start) % 2 == 1
    }
}
