@testable import TodoMate

/// `Last-Event-ID`, and the ids in messages.
enum EventIDFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let id = ChangeID(text) else { return }
        for number in [id.version, id.microseconds] {
            try require((0..<1 << 53).contains(number), "\(number) of '\(text)' is not exact everywhere")
        }
        try require(ChangeID(id.description) == id, "\(id) reads back otherwise")
        // Leading zeros are all that another spelling of the same id may have.
        let digits = text.utf8.split(separator: UInt8(ascii: "-")).compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        try require(digits == [id.version, id.microseconds], "'\(text)' is read as \(id)")
    }
}
