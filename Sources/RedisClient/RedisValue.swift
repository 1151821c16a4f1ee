/// A reply of Redis, copied into Swift.
public enum RedisValue: Sendable, Equatable {
    /// A bulk string, of any bytes.
    case bytes([UInt8])
    /// A status line such as `OK`.
    case status(String)
    /// An integer.
    case integer(Int)
    /// An array.
    case array([RedisValue])
    /// No value.
    case null
    /// An error inside an array; an error as the whole reply is thrown instead.
    case error(RedisServerError)

    /// The text of a bulk string or status.
    public var string: String? {
        switch self {
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        case .status(let text): text
        default: nil
        }
    }

    /// The number of an integer reply.
    public var integer: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The bytes of a bulk string.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// The elements of an array.
    public var array: [RedisValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}
