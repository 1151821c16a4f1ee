/// The bounds of todos, the same as those of the Redis functions.
public enum TodoBounds {
    /// Most characters (Unicode scalars) of a content.
    public static let contentLength = 500
    /// Most characters (Unicode scalars) of a detail.
    public static let detailLength = 10_000
    /// Most todos of a user in one month.
    public static let todosPerMonth = 10_000
    /// Most todos of a user.
    package static let todosMost = 50_000
    /// What a user's todos may weigh, unless an operator allows another number of bytes.
    package static let bytesMost = 33_554_432
    /// Positions lie between minus and plus this, where every whole number is exact.
    public static let largestPosition = 9_007_199_254_740_991.0
    /// How far, in microseconds, a history may run ahead of the clock before it comes back to it.
    package static let mostAhead = 60_000_000
    /// Longer messages cannot be a todo's; they are dropped unread.
    static let messageBytes = 65_536
    /// The same of messages about an account: settings have all goals and routines.
    static let accountMessageBytes = 131_072

    static let dateAdvice = "date must be a real day between 1900-01-01 and 2999-12-31, written 2026-11-20"

    /// Checks the id of a todo.
    @discardableResult
    package static func id(_ text: String) throws(TodoError) -> String {
        guard isID(text.utf8) else { throw .invalid("id must be 1 to 64 of A-Z a-z 0-9 _ -") }
        return text
    }

    /// Checks the id of a goal.
    @discardableResult
    package static func goal(_ text: String) throws(TodoError) -> String {
        guard isID(text.utf8) else {
            throw .invalid("goal must be the id of a goal, 1 to 64 of A-Z a-z 0-9 _ -, or empty for none")
        }
        return text
    }

    /// Checks the id of a user.
    @discardableResult
    package static func uid(_ text: String) throws(TodoError) -> String {
        guard isUID(text.utf8) else { throw .invalid("uid must be 1 to 64 of A-Z a-z 0-9 . _ @ -") }
        return text
    }

    /// Checks a content: one line of 1…500 characters, not only spaces.
    @discardableResult
    package static func content(_ text: String) throws(TodoError) -> String {
        let scalars = text.unicodeScalars
        guard (1...contentLength).contains(scalars.count) else {
            throw .invalid("content must have 1 to \(contentLength) characters, not \(scalars.count)")
        }
        guard !scalars.contains(where: isControl) else {
            throw .invalid("content must be one line without control characters")
        }
        guard !scalars.allSatisfy(\.properties.isWhitespace) else {
            throw .invalid("content must not be only spaces")
        }
        return text
    }

    /// Checks a detail: up to 10,000 characters; of the control characters only line feed and tab.
    @discardableResult
    package static func detail(_ text: String) throws(TodoError) -> String {
        // By its bytes, which is much faster than by scalars.
        var copy = text
        let (count, hasControls) = copy.withUTF8 { bytes in
            (bytes.count { $0 & 0xC0 != 0x80 }, bytes.indices.contains { isControlInDetail(bytes, $0) })
        }
        guard count <= detailLength else {
            throw .invalid("detail must have at most \(detailLength) characters, not \(count)")
        }
        guard !hasControls else {
            throw .invalid("detail must have no control characters but line feed and tab")
        }
        return text
    }

    /// The most characters of a label.
    package static let labelLength = 64

    /// Checks what people and their devices are called in lists: one line.
    ///
    /// - Parameter name: what it is, as the error calls it.
    package static func label(_ text: String, named name: String) throws(TodoError) {
        let scalars = text.unicodeScalars
        let hasControls = scalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
        guard scalars.count <= labelLength, !hasControls else {
            throw .invalid("\(name) must be one line of at most \(labelLength) characters")
        }
    }

    /// Checks a position.
    @discardableResult
    package static func position(_ number: Double) throws(TodoError) -> Double {
        guard abs(number) <= largestPosition else {
            throw .invalid("position must be a number between -2^53 and 2^53")
        }
        return number
    }

    static func revision(_ number: Int) throws(TodoError) -> Int {
        guard number >= 0 else { throw .invalid("revision must not be negative") }
        return number
    }

    /// The microseconds of a change, where they were written down.
    static func isMicros(_ number: Int) -> Bool { (1..<1 << 53).contains(number) }

    static func micros(_ number: Int) throws(TodoError) -> Int {
        guard isMicros(number) else { throw .invalid("micros must be a time in whole microseconds since 1970") }
        return number
    }

    static func reactions(_ counts: [String: Int]) throws(TodoError) -> [String: Int] {
        guard counts.count <= ReactionEmoji.mostKinds,
            counts.allSatisfy({ isReaction(Array($0.key.utf8)) && $0.value > 0 })
        else { throw .invalid("reactions must be at most \(ReactionEmoji.mostKinds) emoji, each with its number") }
        return counts
    }

    /// Whether a text could be an emoji that a Redis function let pass, which knows less of Unicode: nothing that JSON
    /// would have to escape, and short.
    static func isReaction(_ bytes: some Collection<UInt8>) -> Bool {
        (1...ReactionEmoji.mostBytes).contains(bytes.count)
            && bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7F }
            && String(validating: bytes, as: UTF8.self).map { !$0.unicodeScalars.contains(where: isControl) } ?? false
    }

    static func isID(_ bytes: some Collection<UInt8>) -> Bool {
        (1...64).contains(bytes.count) && bytes.allSatisfy { isLetterOrDigit($0) || "_-".utf8.contains($0) }
    }

    static func isUID(_ bytes: some Collection<UInt8>) -> Bool {
        (1...64).contains(bytes.count) && bytes.allSatisfy { isLetterOrDigit($0) || "._@-".utf8.contains($0) }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether a control character but line feed and tab begins here.
    private static func isControlInDetail(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        switch bytes[index] {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F: true
        case 0xC2: index + 1 < bytes.count && bytes[index + 1] < 0xA0
        default: false
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }
}
