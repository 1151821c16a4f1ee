/// What stands in for a code by time, once: `abcd-efgh-ijkl-mnop`, 80 bits by chance.
///
/// A fast digest is enough to keep it: at a million million tries a second, half of all codes take 19,000 years.
struct RecoveryCode: Sendable, Equatable {
    private static let byteCount = 10
    private static let length = 16

    /// As its digest is made of it.
    private let letters: String

    /// One that nobody has.
    init() { letters = Base32.encode(Sodium.random(Self.byteCount)) }

    /// The one that somebody has typed, however they set it apart; nil for what cannot be one.
    init?(_ text: String) {
        guard text.utf8.count <= SecondFactor.longestCode else { return nil }
        // No code has a nought or a one: they look like these.
        let letters = text.filter { !$0.isWhitespace && $0 != "-" }.uppercased().replacing("0", with: "O")
            .replacing("1", with: "L")
        guard letters.utf8.count == Self.length, letters.allSatisfy(Base32.alphabet.contains) else { return nil }
        self.letters = letters
    }

    /// As it is shown, this once.
    var text: String {
        let small = Array(letters.lowercased())
        return stride(from: 0, to: small.count, by: 4).map { String(small[$0..<min($0 + 4, small.count)]) }
            .joined(separator: "-")
    }

    /// What is stored of it.
    func digest(for uid: String) -> String {
        Base64URL.encode(Sodium.digest(Array("todomate:recovery:\(uid).\(letters)".utf8)))
    }
}
