/// The fields of a JSON object that holds nothing but strings and numbers, each name once, read in one pass.
///
/// Nil for anything else, which is for the JSON decoder; for the bodies that programs send this is much faster.
package struct FlatJSON {
    /// What a field holds.
    package enum Value: Equatable {
        case text(String)
        case number(Double)
    }

    /// Names and values in their order.
    package private(set) var fields: [(name: String, value: Value)] = []

    package init?(_ bytes: [UInt8]) {
        guard let json = bytes.withUnsafeBufferPointer({ Self($0) }) else { return nil }
        self = json
    }

    private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = MessageScanner(bytes)
        scanner.skipSpace()
        guard scanner.skip("{") else { return nil }
        scanner.skipSpace()
        while !scanner.skip("}") {
            if !fields.isEmpty {
                guard scanner.skip(",") else { return nil }
                scanner.skipSpace()
            }
            guard let name = scanner.string(after: "\"").flatMap(JSONText.decode) else { return nil }
            scanner.skipSpace()
            guard scanner.skip(":") else { return nil }
            scanner.skipSpace()
            guard let value = Self.value(&scanner), !fields.contains(where: { $0.name == name }) else { return nil }
            fields.append((name, value))
            scanner.skipSpace()
        }
        scanner.skipSpace()
        guard scanner.ends(with: "") else { return nil }
    }

    private static func value(_ scanner: inout MessageScanner) -> Value? {
        if let text = scanner.string(after: "\"") { return JSONText.decode(text).map { .text($0) } }
        guard let number = scanner.number(after: "") else { return nil }
        if let number = number.wholeNumber { return .number(Double(number)) }
        return Double(String(decoding: number, as: UTF8.self)).map { .number($0) }
    }
}
