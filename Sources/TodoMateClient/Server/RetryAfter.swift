import Foundation

/// How long an answer wants its reader to wait (RFC 9110, section 10.2.3), an hour at most.
enum RetryAfter {
    private static let longest = 3600
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The wait that the header fields, their names in lower case, ask for; nil for none, and for what says no time.
    ///
    /// - Parameter now: what the time is where the answer does not say so: its own clock is the better one to read its date by.
    static func time(_ fields: [String: String], now: Date = Date()) -> Duration? {
        guard let text = fields["retry-after"] else { return nil }
        if let seconds = Int(text) { return .seconds(min(max(seconds, 0), longest)) }
        guard let date = date(text) else { return nil }
        let wait = date.timeIntervalSince(fields["date"].flatMap(self.date) ?? now)
        // Rounded up, as dates have whole seconds.
        return .seconds(Int(min(max(wait, 0), Double(longest)).rounded(.up)))
    }

    /// A date as all who send one write it today: `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else {
            return nil
        }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard let day = Int(words[1]), let year = Int(words[3]), (1...31).contains(day), (1...9999).contains(year),
            clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        var parts = DateComponents(year: year, month: month + 1, day: day)
        (parts.hour, parts.minute, parts.second) = (clock[0], clock[1], clock[2])
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: parts)
    }
}
