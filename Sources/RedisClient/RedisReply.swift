import CHiredis
import Foundation

/// A reply where hiredis left it, freed at the end of its life: messages pass through without being copied.
struct RedisReply: ~Copyable {
    private let pointer: UnsafeMutablePointer<redisReply>

    /// Takes over the reply; nil where hiredis gave none.
    init?(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer.assumingMemoryBound(to: redisReply.self)
    }

    deinit { freeReplyObject(pointer) }

    /// The error line, when the reply is one.
    var error: RedisServerError? {
        guard pointer.pointee.type == REDIS_REPLY_ERROR else { return nil }
        return RedisServerError(message: String(decoding: Self.bytes(pointer), as: UTF8.self))
    }

    /// How many elements the array has; 0 for anything else.
    var count: Int { pointer.pointee.type == REDIS_REPLY_ARRAY ? pointer.pointee.elements : 0 }

    /// Lends the bytes of the string at `index` of the array; they are gone when the reply is. Empty for anything else.
    borrowing func withBytes<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard index < count, let element = pointer.pointee.element[index] else {
            return body(.init(start: nil, count: 0))
        }
        return body(Self.bytes(element))
    }

    /// Whether the string at `index` of the array is this one.
    borrowing func isText(_ text: StaticString, at index: Int) -> Bool {
        withBytes(at: index) { bytes in
            guard bytes.count == text.utf8CodeUnitCount, let start = bytes.baseAddress else { return false }
            return memcmp(start, text.utf8Start, bytes.count) == 0
        }
    }

    /// The string at `index` of the array.
    borrowing func string(at index: Int) -> String { withBytes(at: index) { String(decoding: $0, as: UTF8.self) } }

    /// The string, where the reply is one by itself.
    var text: String? {
        guard [REDIS_REPLY_STRING, REDIS_REPLY_STATUS].contains(pointer.pointee.type) else { return nil }
        return String(decoding: Self.bytes(pointer), as: UTF8.self)
    }

    /// The whole reply, copied.
    var value: RedisValue { Self.value(pointer) }

    private static func value(_ reply: UnsafeMutablePointer<redisReply>) -> RedisValue {
        switch reply.pointee.type {
        case REDIS_REPLY_STRING: return .bytes(Array(bytes(reply)))
        case REDIS_REPLY_STATUS: return .status(String(decoding: bytes(reply), as: UTF8.self))
        case REDIS_REPLY_INTEGER: return .integer(Int(reply.pointee.integer))
        case REDIS_REPLY_ERROR: return .error(.init(message: String(decoding: bytes(reply), as: UTF8.self)))
        case REDIS_REPLY_ARRAY:
            return .array(
                (0..<reply.pointee.elements).map { index in
                    reply.pointee.element[index].map { value($0) } ?? .null
                }
            )
        default: return .null
        }
    }

    private static func bytes(_ reply: UnsafeMutablePointer<redisReply>) -> UnsafeBufferPointer<UInt8> {
        guard let text = reply.pointee.str else { return .init(start: nil, count: 0) }
        let raw = UnsafeRawPointer(text)
        return .init(start: raw.assumingMemoryBound(to: UInt8.self), count: reply.pointee.len)
    }
}
