import CSodium
import Foundation

/// The few things taken from libsodium, with Swift's types.
enum Sodium {
    /// libsodium chooses its implementations once, before anything else is called.
    private static let isReady: Bool = sodium_init() >= 0

    static func prepare() { precondition(isReady, "libsodium cannot be started on this machine") }

    /// HMAC-SHA-256 (RFC 2104) under a key of any length.
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        authenticate(message, under: prepared(key: key))
    }

    /// A key as it is after the two blocks that it makes itself: two of the six blocks of a session token.
    static func prepared(key: [UInt8]) -> crypto_auth_hmacsha256_state {
        prepare()
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key, key.count)
        return state
    }

    /// HMAC-SHA-256 under a prepared key.
    static func authenticate(_ message: [UInt8], under key: crypto_auth_hmacsha256_state) -> [UInt8] {
        var state = key
        var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
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
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var isRight = false
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count) { bytes, count in
            guard let room = bytes.baseAddress else { return }
            isRight = text.withUnsafeBytes { text in
                let text = text.assumingMemoryBound(to: CChar.self)
                let base = text.baseAddress
                return sodium_base642bin(room, bytes.count, base, text.count, nil, &count, nil, variant) == 0
            }
        }
        return isRight ? bytes : nil
    }
}
