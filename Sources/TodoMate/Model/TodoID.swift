/// Makes ids for new todos.
public enum TodoID {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// 22 characters that carry 128 random bits, in the alphabet of base64url (RFC 4648, section 5). The first one has only
    /// four of the bits and is one of A to P: no dash, which a command line would take for an option.
    ///
    /// Foundation's `UUID()` opens `/dev/urandom` each time, which was a twentieth of a write.
    public static func random() -> String {
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
