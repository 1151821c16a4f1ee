import Foundation

/// Instants as messages spell them: RFC 3339 in UTC with whole seconds, `2026-11-20T09:00:00Z`.
enum Timestamp {
    /// The instants that can be spelled so.
    static let range = midnight(of: CalendarDate.earliest, plus: 0)..<midnight(of: CalendarDate.latest, plus: 1)

    /// Seconds since 1970; nil for any other spelling, an impossible time or a leap second.
    static func seconds<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes) -> Int? where Bytes.Index == Int {
        let start = bytes.startIndex
        guard bytes.count == 20, let date = CalendarDate(bytes: bytes[start..<start + 10]),
            bytes[start + 10] == UInt8(ascii: "T"),
            bytes[start + 13] == UInt8(ascii: ":"), bytes[start + 16] == UInt8(ascii: ":"),
            bytes[start + 19] == UInt8(ascii: "Z"),
            let hour = CalendarDate.number(bytes, start + 11..<start + 13), hour < 24,
            let minute = CalendarDate.number(bytes, start + 14..<start + 16), minute < 60,
            let second = CalendarDate.number(bytes, start + 17..<start + 19), second < 60
        else { return nil }
        return date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// The spelling above.
    static func text(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let days = (Double(seconds) / 86_400).rounded(.down)
        let time = seconds - Int(days) * 86_400
        let date = CalendarDate(daysSince1970: Int(days))
        // Digit by digit, as each todo of a list has two of them.
        return String(unsafeUninitializedCapacity: 20) { bytes in
            func put(_ number: Int, _ digits: Int, at place: Int, _ end: UnicodeScalar) {
                var rest = number
                for offset in (0..<digits).reversed() {
                    bytes[place + offset] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                bytes[place + digits] = UInt8(ascii: end)
            }
            put(date.year, 4, at: 0, "-")
            put(date.month, 2, at: 5, "-")
            put(date.day, 2, at: 8, "T")
            put(time / 3600, 2, at: 11, ":")
            put(time / 60 % 60, 2, at: 14, ":")
            put(time % 60, 2, at: 17, "Z")
            return 20
        }
    }

    private static func midnight(of date: CalendarDate, plus days: Int) -> Date {
        Date(timeIntervalSince1970: Double((date.daysSince1970 + days) * 86_400))
    }
}
