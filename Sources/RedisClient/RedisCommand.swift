/// A command with its arguments, each any bytes.
public struct RedisCommand: Sendable, Equatable {
    /// The words as [the protocol](https://redis.io/docs/latest/develop/reference/protocol-spec/) has them: `$3\r\nGET\r\n`.
    private(set) var bytes: [UInt8] = []
    /// Where among them each word is.
    private(set) var words: [Range<Int>] = []

    /// A command of these words, such as `RedisCommand("SELECT", "2")`.
    public init(_ words: String...) {
        // Room for most commands at once, instead of growing argument by argument.
        bytes.reserveCapacity(256)
        self.words.reserveCapacity(words.count + 2)
        for word in words { append(word) }
    }

    /// Adds an argument.
    public mutating func append(_ argument: some StringProtocol) { append(argument.utf8) }

    /// Adds an argument.
    public mutating func append(_ argument: String) {
        // By its memory, which is faster than as a collection of bytes.
        var argument = argument
        argument.withUTF8 { bytes in append(bytes.count) { $0 += bytes } }
    }

    /// Adds an argument of any bytes.
    public mutating func append(_ argument: [UInt8]) { append(argument.count) { $0 += argument } }

    /// Adds an argument of any bytes.
    public mutating func append(_ argument: some Collection<UInt8>) {
        append(argument.count) { $0.append(contentsOf: argument) }
    }

    /// Adds a word of so many bytes.
    @inline(__always)
    private mutating func append(_ count: Int, _ write: (inout [UInt8]) -> Void) {
        Self.begin("$", count, in: &bytes)
        words.append(bytes.count..<bytes.count + count)
        write(&bytes)
        Self.endLine(in: &bytes)
    }

    /// How the command begins, before its words: `*2\r\n`.
    var head: [UInt8] {
        var head: [UInt8] = []
        Self.begin("*", words.count, in: &head)
        return head
    }

    private static func begin(_ mark: Unicode.Scalar, _ count: Int, in bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: mark))
        // Digit by digit, which is faster than by a text.
        var unit = 1
        while count / unit >= 10 { unit *= 10 }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(count / unit % 10))
            unit /= 10
        }
        endLine(in: &bytes)
    }

    private static func endLine(in bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }
}
