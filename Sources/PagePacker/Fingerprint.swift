/// A short name for a text, which is another one as soon as the text is.
enum Fingerprint {
    /// 64 bits of FNV-1a (Fowler, Noll and Vo), in hexadecimal.
    static func of(_ text: String) -> String {
        let hash = text.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return String(hash, radix: 16, uppercase: true)
    }
}
