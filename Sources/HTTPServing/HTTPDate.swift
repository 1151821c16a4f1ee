package import Foundation

/// The value of the `Date` field (RFC 9110, section 5.6.7), written once a second: `Sun, 06 Nov 1994 08:49:37 GMT`.
package struct HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private var second: time_t = -1
    private var known = ""

    package init() {}

    /// The spelling of an instant, in seconds since 1970.
    package mutating func text(_ second: time_t = time(nil)) -> String {
        if second == self.second { return known }
        var (instant, parts) = (second, tm())
        gmtime_r(&instant, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        let date = "\(two(parts.tm_mday)) \(Self.months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
        (self.second, known) = (second, "\(Self.days[Int(parts.tm_wday)]), \(date) \(clock) GMT")
        return known
    }
}
