/// Names one change of one user: `<version>-<microseconds>`, such as `57-1763677123456789`.
///
/// The version counts the user's changes, 1, 2, 3 …, without holes, so a hole in what arrives is a lost message. The
/// microseconds are those of the write: should Redis ever lose its latest changes and go on, the ids it lost do not come
/// back with other content. It is also the id of the entry in the user's log, a Redis stream.
public struct ChangeID: Hashable, Sendable, CustomStringConvertible {
    /// Counts the user's changes.
    public let version: Int
    /// Microseconds since 1970 at the write.
    public let microseconds: Int

    /// Redis's functions count in floating-point numbers, where every whole number up to here is exact.
    private static let largest = 1 << 53 - 1

    /// Before the first change.
    public static let zero = ChangeID(version: 0, microseconds: 0)

    /// An id of these parts.
    public init(version: Int, microseconds: Int) {
        self.version = version
        self.microseconds = microseconds
    }

    /// Reads the form `57-1763677123456789`; nil for any other.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        // Int would also take a sign.
        guard parts.count == 2, parts.allSatisfy({ (1...16).contains($0.utf8.count) }),
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let version = Int(parts[0]), let microseconds = Int(parts[1]),
            version <= Self.largest, microseconds <= Self.largest
        else { return nil }
        self.init(version: version, microseconds: microseconds)
    }

    /// The form `57-1763677123456789`.
    public var description: String { "\(version)-\(microseconds)" }
}
