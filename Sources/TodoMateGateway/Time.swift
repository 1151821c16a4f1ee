import Foundation

/// Seconds since 1970 as HTTP answers and commands write them.
package enum Time {
    /// `2026-11-20T09:30:00Z`.
    package static func text(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
