/// Names one change of one user: `<version>-<microseconds>`, such as `57-1763677123456789`.
///
/// The version counts the user's changes, 1, 2, 3 …, without gaps, so a gap in what arrives is a lost message. The
/// microseconds are those of the write: if Redis ever loses its latest changes, the ids it lost do not come
/// back with other content. It is also the id of the entry in the user's log, a Redis stream.
public struct ChangeID: Hashable, Sendable, CustomStringConvertible {
    /// Counts the user's changes.
    public let version: Int
    /// Microseconds since 1970 at the write.
    public let microseconds: Int

    /// Redis's functions count in floating-point numbers, where every whole number up to here is exact.
    private static let largest = 1 << 53 - 1

    /// Before the first change: nothing of the user is there, and nothing has been delivered.
    public static let zero = ChangeID(version: 0, microseconds: 0)

    /// Stands for todos whose log is gone: no reader can resume from it. `todomate_repair` begins a new log.
    package static let lost = ChangeID(version: 0, microseconds: 1)

    /// Whether this change and another one do not fit into one history: they have the same version and are of different moments,
    /// because Redis lost one of them; or the one with the higher version is from before the other, because Redis lost or replaced
    /// changes, or because a clock was set back. Only what is read from now on tells which history counts.
    @inlinable
    public func mayBeOfAnotherHistory(than id: ChangeID) -> Bool {
        if version == id.version { return microseconds != id.microseconds }
        return version > id.version ? microseconds < id.microseconds : microseconds > id.microseconds
    }

    /// An id of these parts.
    public init(version: Int, microseconds: Int) {
        self.version = version
        self.microseconds = microseconds
    }

    /// Reads the form `57-1763677123456789`; nil for any other.
    public init?(_ text: some StringProtocol) { self.init(bytes: text.utf8) }

    /// Reads the form `57-1763677123456789` from its bytes.
    init?(bytes: some Sequence<UInt8>) {
        var (numbers, digits, dashes) = ((0, 0), 0, 0)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                guard digits <= 16 else { return nil }
                numbers.1 = numbers.1 * 10 + Int(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "-") where dashes == 0 && digits > 0:
                (numbers, digits, dashes) = ((numbers.1, 0), 0, 1)
            default: return nil
            }
        }
        guard dashes == 1, digits > 0, numbers.0 <= Self.largest, numbers.1 <= Self.largest else { return nil }
        self.init(version: numbers.0, microseconds: numbers.1)
    }

    /// The form `57-1763677123456789`.
    public var description: String {
        // Digit by digit from the end, which is faster than interpolation.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { text in
            var place = text.count
            func put(_ byte: UInt8) {
                place -= 1
                text[place] = byte
            }
            func put(_ number: Int) {
                var rest = number.magnitude
                repeat {
                    put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                    rest /= 10
                } while rest > 0
                if number < 0 { put(UInt8(ascii: "-")) }
            }
            put(microseconds)
            put(UInt8(ascii: "-"))
            put(version)
            return String(decoding: text[place...], as: UTF8.self)
        }
    }
}
