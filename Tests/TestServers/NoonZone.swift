import Foundation

/// A time zone in which it is about noon, so that today stays today for as long as a test takes.
public enum NoonZone {
    /// How many hours it is ahead of UTC.
    private static let offset = 12 - Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: Date()).hour!

    /// Its name; these names count hours behind UTC.
    private static let name = "Etc/GMT\(offset < 0 ? "+" : "-")\(abs(offset))"

    /// The day that it is there, as `2026-11-20`.
    public static let today = day(after: 0)
    /// The next day there.
    public static let tomorrow = day(after: 1)

    /// Has a program be there.
    public static let environment = ["TZ": name]
    /// Has a board or a feed be there, as a part of a query.
    public static let query = "zone=" + name.replacing("+", with: "%2B")

    private static func day(after days: Int) -> String {
        String((Date() + Double(offset + 24 * days) * 3600).formatted(.iso8601).prefix(10))
    }
}
