public import Foundation

/// Writes structured lines, to standard error by default; shaped like swift-log's `Logger`.
///
///     time=2026-11-20T09:00:00.123Z level=info message="observing" uid=alice
///
/// Lines hold ids and counts, never the text of a todo, a password or a token.
public struct Logger: Sendable {
    /// The importance of a line.
    public enum Level: String, Sendable, CaseIterable, Comparable {
        /// For debugging.
        case debug
        /// Normal operation.
        case info
        /// May need attention.
        case warning
        /// Needs attention.
        case error

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }

        /// Less important levels come first.
        public static func < (left: Level, right: Level) -> Bool {
            left.rank < right.rank
        }
    }

    /// How a line is written.
    public enum Format: String, Sendable, CaseIterable {
        /// `key=value` pairs, for people and tools.
        case logfmt
        /// One JSON object a line.
        case json
    }

    /// Values of a line besides its message.
    package typealias Metadata = KeyValuePairs<String, String>

    /// Lines of a lower level are not written.
    public var level: Level
    /// How lines are written.
    public var format: Format
    private let label: String
    private let write: @Sendable (String) -> Void
    private let now: @Sendable () -> Date

    /// A logger.
    ///
    /// - Parameters:
    ///   - level: the lowest level that is written.
    ///   - format: how lines are written.
    ///   - label: the name of the writer; omitted when empty.
    ///   - now: the clock.
    ///   - write: receives each line, including its line feed; standard error by default.
    public init(
        level: Level = .info,
        format: Format = .logfmt,
        label: String = "",
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
    ) {
        self.level = level
        self.format = format
        self.label = label
        self.now = now
        self.write = write
    }

    /// Writes a line for debugging.
    package func debug(_ message: String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.debug, message, metadata())
    }
    /// Writes a line about normal operation.
    package func info(_ message: String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.info, message, metadata())
    }
    /// Writes a line that may need attention.
    package func warning(_ message: String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.warning, message, metadata())
    }
    /// Writes a line that needs attention.
    package func error(_ message: String, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.error, message, metadata())
    }

    /// Writes a line of a level; the metadata is evaluated only if it is written.
    package func log(_ level: Level, _ message: String, _ metadata: @autoclosure () -> Metadata = [:]) {
        guard level >= self.level else { return }
        let time = now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let who = label.isEmpty ? [] : [("label", label)]
        let pairs =
            [("time", time), ("level", level.rawValue)] + who + [("message", message)]
            + metadata().map { ($0.key, $0.value) }
        switch format {
        case .logfmt: write(pairs.map { "\($0.0)=\(Self.logfmt($0.1))" }.joined(separator: " ") + "\n")
        case .json:
            write("{" + pairs.map { "\"\($0.0)\":\"\(JSONText.encode($0.1))\"" }.joined(separator: ",") + "}\n")
        }
    }

    /// A value as it is, or quoted when it has spaces, quotes or control characters.
    private static func logfmt(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" }
        return isPlain ? value : "\"\(JSONText.encode(value))\""
    }
}
