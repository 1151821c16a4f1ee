/// Makes ids for todos and sessions.
package enum RandomID {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// 22 characters that carry 128 random bits of the system's generator, which cannot be guessed, in the alphabet of
    /// base64url (RFC 4648, section 5). The first character has only four of the bits and is one of A to P: no dash, which
    /// a command line would take for an option.
    ///
    /// Foundation's `UUID()` opens `/dev/urandom` each time.
    package static func next() -> String {
        String(unsafeUninitializedCapacity: 22) { text in
            for half in 0..<2 {
                var bits = UInt64.random(in: .min ... .max)
                for place in 0..<11 {
                    text[half * 11 + 10 - place] = alphabet[Int(bits & 63)]
                    bits >>= 6
                }
            }
            return 22
        }
    }
}
