extension Unicode.Scalar {
    /// The columns that this scalar takes in a terminal when it stands alone: 0, 1 or 2.
    var columns: Int {
        if value < 0x7F { return value < 0x20 ? 0 : 1 }
        if isZeroWidth { return 0 }
        return properties.isEmojiPresentation || isWide ? 2 : 1
    }

    /// Whether this scalar only changes its neighbour, or nothing that can be seen.
    private var isZeroWidth: Bool {
        switch properties.generalCategory {
        case .control, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator:
            return true
        case .format:
            // A soft hyphen shows; the Arabic number signs are formats that enclose what follows and take room themselves.
            return value != 0xAD && !Self.visibleFormats.contains(value)
        default:
            // Vowels and final consonants of decomposed Hangul draw inside the cell of their leading consonant.
            let isJoiningJamo = (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
            return isJoiningJamo || (properties.isDefaultIgnorableCodePoint && value != 0x115F)
        }
    }

    private static let visibleFormats: Set<UInt32> = [
        0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
    ]

    /// Whether the scalar is East Asian Wide or Fullwidth, by binary search.
    private var isWide: Bool {
        var low = 0
        var high = Self.wideRanges.count
        while low < high {
            let middle = (low + high) / 2
            let range = Self.wideRanges[middle]
            if range.contains(value) { return true }
            if value < range.lowerBound { high = middle } else { low = middle + 1 }
        }
        return false
    }

    /// The classes W and F of EastAsianWidth.txt, Unicode 18.0.0.
    ///
    /// Ranges include unassigned code points, and emoji, whose width `isEmojiPresentation` decides.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
        0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1D300...0x1D376, 0x1F1AE...0x1F265,
        0x1F6D9...0x1F6D9, 0x1F7DA...0x1F7DA, 0x1FA8B...0x1FAFA, 0x20000...0x3FFFD,
    ]
}
