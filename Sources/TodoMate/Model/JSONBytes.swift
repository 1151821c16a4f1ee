/// JSON that is being written, as bytes: a growing string is slower.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: how many bytes there will be, more or less.
    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Adds JSON as it is.
    mutating func add(_ json: StaticString) {
        bytes += UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount)
    }

    /// Adds JSON as it is: names, numbers, or the inside of a string that needs no escapes.
    mutating func add(_ json: StaticString, _ value: String) {
        add(json)
        // By its memory, which is faster than as a collection of bytes.
        var value = value
        value.withUTF8 { bytes += $0 }
    }

    /// Adds the inside of a string, with the escapes that JSON demands.
    mutating func add(_ json: StaticString, escaping text: String) { add(json, JSONText.encode(text)) }

    /// What was written so far.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
