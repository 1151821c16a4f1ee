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
        let isRight = text.withUnsafeBufferPointer { text in
            bytes.withUnsafeMutableBufferPointer { bytes in
                var (bits, count, end): (UInt32, UInt32, Int) = (0, 0, 0)
                for character in text {
                    guard let value = value(of: character) else { return false }
                    bits = bits << 6 | value
                    count += 6
                    guard count >= 8 else { continue }
                    count -= 8
                    bytes[end] = UInt8(truncatingIfNeeded: bits >> count)
                    end += 1
                }
                return bits & (1 << count - 1) == 0
            }
        }
        return isRight ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
