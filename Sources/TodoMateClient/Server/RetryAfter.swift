import Foundation

/// How long an answer wants its reader to wait (RFC 9110, section 10.2.3), an hour at most.
enum RetryAfter {
    private static let longest = 3600

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
        // The strategy does not look at what follows.
        text.hasSuffix(" GMT") ? try? Date(text, strategy: strategy) : nil
    }

    private static let strategy = Date.ParseStrategy(
        format:
            "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        isLenient: false
    )
}
