/// The device by which something is written, as the owner's histories tell it: `Firefox on Linux`.
///
/// Whoever writes names it with `WritingDevice.$current.withValue(_:)`. The stores find it in ``current`` and log it with each change, so
/// that signatures stay as they are. No message tells it: what others hear of a change says nothing about the device. For others'
/// reactions none is logged.
public struct WritingDevice: Sendable, Hashable, CustomStringConvertible {
    /// By which the current task writes; nil where that is not known.
    @TaskLocal public static var current: WritingDevice?

    /// The most characters of a name.
    public static let longest = 64

    /// Its name.
    public let description: String

    /// - Parameter name: 1 to ``longest`` printable characters of ASCII; for others this is nil.
    public init?(_ name: String) {
        guard 1...Self.longest ~= name.utf8.count, name.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        description = name
    }
}
