import Foundation

/// Instants as messages spell them: RFC 3339 in UTC with whole seconds, `2026-11-20T09:00:00Z`.
enum Timestamp {
    /// The instants that can be spelled so.
    static let range = midnight(of: CalendarDate.earliest, plus: 0)..<midnight(of: CalendarDate.latest, plus: 1)

    /// Seconds since 1970; nil for any other spelling, an impossible time or a leap second.
    static func seconds(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = bytes.startIndex
        guard bytes.count == 20, let date = CalendarDate(bytes: bytes.prefix(10)),
            bytes[start + 10] == UInt8(ascii: "T"),
            bytes[start + 13] == UInt8(ascii: ":"), bytes[start + 16] == UInt8(ascii: ":"),
            bytes[start + 19] == UInt8(ascii: "Z"),
            let hour = twoDigits(bytes[(start + 11)...], below: 24),
            let minute = twoDigits(bytes[(start + 14)...], below: 60),
            let second = twoDigits(bytes[(start + 17)...], below: 60)
        else { return nil }
        return date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// The spelling above.
    static func text(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let days = (Double(seconds) / 86_400).rounded(.down)
        let time = seconds - Int(days) * 86_400
        let parts = [time / 3600, time / 60 % 60, time % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        return "\(CalendarDate(daysSince1970: Int(days)))T\(parts[0]):\(parts[1]):\(parts[2])Z"
    }

    private static func midnight(of date: CalendarDate, plus days: Int) -> Date {
        Date(timeIntervalSince1970: Double((date.daysSince1970 + days) * 86_400))
    }

    private static func twoDigits(_ bytes: ArraySlice<UInt8>, below limit: Int) -> Int? {
        let digits = bytes.prefix(2)
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value < limit ? value : nil
    }
}
