import CHiredis

@testable import RedisClient

/// What comes from the socket of a Redis server.
enum ReplyFuzzing {
    static func check(_ bytes: [UInt8]) throws {
        // hiredis makes room for as many elements as an array says it has: a server that we trust with our data may.
        guard !claimsHugeArray(bytes) else { return }
        let whole = try read(bytes, piece: max(bytes.count, 1))
        for piece in [1, 7] {
            let pieces = try read(bytes, piece: piece)
            try require(whole == pieces, "\(whole) at once, but \(pieces) in pieces of \(piece) bytes")
        }
    }

    private struct Outcome: Equatable {
        var values: [RedisValue] = []
        /// Whether hiredis gave up on the bytes.
        var isBroken = false
    }

    private static func read(_ bytes: [UInt8], piece: Int) throws -> Outcome {
        let reader = try require(redisReaderCreate(), "out of memory")
        defer { redisReaderFree(reader) }
        var outcome = Outcome()
        var rest = bytes[...]
        repeat {
            let status = rest.prefix(piece).withUnsafeBytes { redisReaderFeed(reader, $0.baseAddress, $0.count) }
            rest = rest.dropFirst(piece)
            var pointer: UnsafeMutableRawPointer?
            while status == REDIS_OK, redisReaderGetReply(reader, &pointer) == REDIS_OK {
                guard let reply = RedisReply(pointer) else { break }
                outcome.values.append(try value(of: reply))
                pointer = nil
            }
            outcome.isBroken = reader.pointee.err != 0
        } while !rest.isEmpty && !outcome.isBroken
        return outcome
    }

    /// The reply copied, which must be what the reply lends.
    private static func value(of reply: borrowing RedisReply) throws -> RedisValue {
        let value = reply.value
        let elements = value.array ?? []
        try require(reply.count == elements.count, "\(reply.count) elements lent, \(elements.count) copied")
        if let error = reply.error { try require(value == .error(error), "\(error) became \(value)") }
        for (index, element) in elements.enumerated() {
            let lent = reply.withBytes(at: index) { Array($0) }
            switch element {
            case .bytes(let bytes): try require(lent == bytes, "\(lent) lent, \(bytes) copied")
            case .status(let text): try require(reply.string(at: index) == text, "\(lent) lent, \(text) copied")
            default: break
            }
        }
        try require(reply.withBytes(at: elements.count) { $0.isEmpty }, "bytes behind the last element")
        return value
    }

    private static func claimsHugeArray(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: UInt8(ascii: "*")).contains { rest in
            rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "+") }.count > 5
        }
    }
}
