import Foundation

extension KeyPress {
    /// The keys where this Korean letter or syllable lies on a two-set keyboard (KS X 5002), or this key itself.
    ///
    /// Who forgot to switch to Latin letters still gets what the key means: "ㅓ" is the key of "j", and "머" those of "a"
    /// and "j", since an input method composes what is typed in a row.
    public var onLatinLayout: [KeyPress] {
        guard case .character(let character) = key else { return [self] }
        let letters = String(character).decomposedStringWithCompatibilityMapping.unicodeScalars
            .map { KoreanLayout.keys[$0.value] }
        guard !letters.isEmpty, !letters.contains(nil) else { return [self] }
        return letters.compactMap(\.self).joined().map { .character($0, modifiers) }
    }
}

/// Where the letters of the Korean alphabet lie.
private enum KoreanLayout {
    /// By the code of the conjoining letter, as Unicode decomposes syllables and single letters alike.
    static let keys: [UInt32: String] = {
        var keys: [UInt32: String] = [:]
        let blocks: [(UInt32, String)] = [
            (0x1100, "r R s e E f a q Q t T d w W c z x v g"),
            (0x1161, "k o i O j p u P h hk ho hl y n nj np nl b m ml l"),
            (0x11A8, "r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g"),
        ]
        for (first, letters) in blocks {
            for (offset, letter) in letters.split(separator: " ").enumerated() {
                keys[first + UInt32(offset)] = String(letter)
            }
        }
        return keys
    }()
}
