import CSodium
import Foundation

/// The few things taken from libsodium, with Swift's types.
enum Sodium {
    /// libsodium chooses its implementations once, before anything else is called.
    private static let isReady: Bool = sodium_init() >= 0

    static func prepare() { precondition(isReady, "libsodium cannot be started on this machine") }

    /// HMAC-SHA-256 (RFC 2104) under a key of any length.
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        authenticate(message[...], under: prepared(key: key))
    }

    /// A key as it is after the two blocks that it makes itself: two of the six blocks of a session token.
    static func prepared(key: [UInt8]) -> crypto_auth_hmacsha256_state {
        prepare()
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key, key.count)
        return state
    }

    /// HMAC-SHA-256 under a prepared key.
    static func authenticate(_ message: ArraySlice<UInt8>, under key: crypto_auth_hmacsha256_state) -> [UInt8] {
        var state = key
        var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
        message.withUnsafeBufferPointer { _ = crypto_auth_hmacsha256_update(&state, $0.baseAddress, UInt64($0.count)) }
        crypto_auth_hmacsha256_final(&state, &code)
        return code
    }

    /// Compares in a time that does not depend on where the two differ.
    static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && sodium_memcmp(left, right, left.count) == 0
    }

    /// A short digest (BLAKE2b, RFC 7693, 16 bytes) of a content.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        prepare()
        var digest = [UInt8](repeating: 0, count: 16)
        crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
        return digest
    }

    /// Random bytes that cannot be guessed.
    static func random(_ count: Int) -> [UInt8] {
        prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}

/// base64url without padding (RFC 4648, section 5).
enum Base64URL {
    private static let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        let plain = Array(bytes)
        // The length includes the NUL at the end.
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(plain.count, variant))
        sodium_bin2base64(&text, text.count, plain, plain.count, variant)
        return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Nil for any character outside the alphabet, padding included, or bits left over.
    static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(Array(text.utf8)[...]) }

    /// Nil for any character outside the alphabet, padding included, or bits left over.
    ///
    /// What is decoded came from outside and is no secret, so that it needs none of the time that libsodium takes to reveal
    /// nothing.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        // Six bits alone are no byte.
        guard text.count % 4 != 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: text.count * 3 / 4)
        let isRight = bytes.withUnsafeMutableBufferPointer { bytes in
            text.withUnsafeBufferPointer { text in values.withUnsafeBufferPointer { decode(text, $0, into: bytes) } }
        }
        return isRight ? bytes : nil
    }

    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        _ values: UnsafeBufferPointer<UInt32>,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var (start, end, all) = (0, 0, UInt32(0))
        // Four at a time, which is twice as fast as one by one.
        while start + 4 <= text.count {
            let (first, second) = (values[Int(text[start])], values[Int(text[start + 1])])
            let (third, fourth) = (values[Int(text[start + 2])], values[Int(text[start + 3])])
            let bits = first << 18 | second << 12 | third << 6 | fourth
            all |= first | second | third | fourth
            bytes[end] = UInt8(truncatingIfNeeded: bits >> 16)
            bytes[end + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            bytes[end + 2] = UInt8(truncatingIfNeeded: bits)
            (start, end) = (start + 4, end + 3)
        }
        // Two or three may be left, for one byte or two; the bits behind those are zero.
        var bits: UInt32 = 0
        for place in start..<text.count {
            let value = values[Int(text[place])]
            bits |= value << UInt32(18 - 6 * (place - start))
            all |= value
        }
        for place in end..<bytes.count {
            bytes[place] = UInt8(truncatingIfNeeded: bits >> 16)
            bits = bits << 8 & 0xFF_FFFF
        }
        return all & outside == 0 && bits == 0
    }

    /// In place of a value, for bytes that are no characters of the alphabet.
    private static let outside: UInt32 = 64

    /// What each byte stands for.
    private static let values: [UInt32] = {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        var values = [UInt32](repeating: outside, count: 256)
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt32(value) }
        return values
    }()
}
