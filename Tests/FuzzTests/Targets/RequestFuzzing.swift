@testable import HTTPServing

/// The bytes of a connection, of which the server says where a request ends.
enum RequestFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        let whole = frame(bytes, piece: max(bytes.count, 1))
        for piece in [1, 7] {
            let pieces = frame(bytes, piece: piece)
            try require(pieces == whole, "\(whole) at once, but \(pieces) in pieces of \(piece) bytes")
        }
        guard case .request(let length, let wantsContinue) = whole else { return }
        try require(
            length == Self.length(bytes),
            "a request of \(length) bytes, and not of \(Self.length(bytes) ?? -1)"
        )
        let fields = fields(bytes)
        try require(fields.count { $0.name == "host" } <= 1, "two hosts")
        try require(!wantsContinue || fields.contains { $0.name == "expect" }, "'100 Continue' for nobody who waits")
    }

    private enum Outcome: Equatable {
        case more(wantsContinue: Bool)
        case request(bytes: Int, wantsContinue: Bool)
        case refused(HTTPFault)
    }

    private static let limits = {
        var limits = HTTPLimits()
        // Small enough for a fuzzer to reach.
        (limits.headerBytes, limits.headerCount, limits.bodyBytes) = (512, 8, 256)
        return limits
    }()

    private static func frame(_ bytes: [UInt8], piece: Int) -> Outcome {
        var framer = RequestFramer(limits: limits)
        var position = 0
        do throws(HTTPFault) {
            repeat {
                let next = bytes[position..<min(position + piece, bytes.count)]
                position += next.count
                if case .whole(let unread) = try framer.feed(next) {
                    return .request(bytes: position - unread, wantsContinue: framer.wantsContinue)
                }
            } while position < bytes.count
            return .more(wantsContinue: framer.wantsContinue)
        } catch {
            return .refused(error)
        }
    }

    // MARK: Another reader of HTTP/1.1, which takes only what is written in full

    /// The length of the request at the front; nil where this reader sees none.
    private static func length(_ bytes: [UInt8]) -> Int? {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        let fields = fields(bytes)
        let lengths = fields.filter { $0.name == "content-length" }
        let codings = fields.filter { $0.name == "transfer-encoding" }
        switch (lengths.count, codings.count) {
        case (0, 0): return head
        case (1, 0): return Int(lengths[0].value).flatMap { head + $0 <= bytes.count ? head + $0 : nil }
        case (0, 1) where codings[0].value.lowercased() == "chunked": return chunkedEnd(bytes, from: head)
        default: return nil
        }
    }

    private static func chunkedEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        var position = start
        var total = 0
        while let line = bytes[position...].firstRange(of: Array("\r\n".utf8)) {
            guard let size = Int(String(decoding: bytes[position..<line.lowerBound], as: UTF8.self), radix: 16) else {
                return nil
            }
            total += size
            let end = line.upperBound + size
            guard total <= limits.bodyBytes, end + 2 <= bytes.count, bytes[end] == 13, bytes[end + 1] == 10 else {
                return nil
            }
            position = end + 2
            if size == 0 { return position }
        }
        return nil
    }

    private static func fields(_ bytes: [UInt8]) -> [(name: String, value: String)] {
        let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)).map { bytes[..<$0.lowerBound] } ?? []
        return head.split(separator: 10).dropFirst().map { line in
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : []
            let text = value.filter { $0 != 13 }.drop { $0 == 32 || $0 == 9 }
            let end = text.lastIndex { $0 != 32 && $0 != 9 }.map { $0 + 1 } ?? text.startIndex
            return (
                String(decoding: parts[0], as: UTF8.self).lowercased(),
                String(decoding: text[..<end], as: UTF8.self)
            )
        }
    }
}
