/// A command with its arguments, each any bytes.
public struct RedisCommand: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []
    private(set) var lengths: [Int] = []

    /// A command of these words, such as `RedisCommand("SELECT", "2")`.
    public init(_ words: String...) {
        // Room for most commands at once, instead of growing argument by argument.
        bytes.reserveCapacity(256)
        lengths.reserveCapacity(words.count + 2)
        for word in words { append(word) }
    }

    /// Adds an argument.
    public mutating func append(_ argument: some StringProtocol) { append(argument.utf8) }

    /// Adds an argument.
    public mutating func append(_ argument: String) {
        // By its memory, which is faster than as a collection of bytes.
        var argument = argument
        argument.withUTF8 { bytes += $0 }
        lengths.append(argument.utf8.count)
    }

    /// Adds an argument of any bytes.
    public mutating func append(_ argument: [UInt8]) {
        bytes += argument
        lengths.append(argument.count)
    }

    /// Adds an argument of any bytes.
    public mutating func append(_ argument: some Collection<UInt8>) {
        bytes.append(contentsOf: argument)
        lengths.append(argument.count)
    }

    /// Lends the arguments in the form that hiredis takes.
    func withArguments<Result>(
        _ body: (Int32, UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int>?) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { all in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: lengths.count) { pointers in
                // An empty array has no address, but hiredis wants one for each argument.
                let empty = UnsafeRawPointer(bitPattern: 1)
                var next = all.baseAddress ?? empty
                for (index, length) in lengths.enumerated() {
                    pointers[index] = next?.assumingMemoryBound(to: CChar.self)
                    next = next?.advanced(by: length)
                }
                return lengths.withUnsafeBufferPointer {
                    body(Int32(lengths.count), pointers.baseAddress, $0.baseAddress)
                }
            }
        }
    }
}
