import Foundation

/// A time zone in which it is about noon, so that today stays today for as long as a test takes.
public enum NoonZone {
    /// How many hours it is ahead of UTC.
    private static let offset = 12 - Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: Date()).hour!

    /// The day that it is there, as `2026-11-20`.
    public static let today = String((Date() + Double(offset) * 3600).formatted(.iso8601).prefix(10))

    /// Has a program be there. The names of these zones count hours behind UTC.
    public static let environment = ["TZ": "Etc/GMT\(offset < 0 ? "+" : "-")\(abs(offset))"]
}
