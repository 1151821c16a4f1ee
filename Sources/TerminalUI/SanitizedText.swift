extension StringProtocol {
    /// The text without anything that a terminal would obey instead of show.
    ///
    /// Tabs and line breaks become spaces, the other C0 controls and DEL their pictures (ESC shows as "␛"), C1 controls
    /// and the invisible characters that reorder text (bidi embeddings, overrides, isolates and marks) become "\u{FFFD}".
    public func sanitized() -> String {
        guard unicodeScalars.contains(where: \.isUnsafeForTerminal) else { return String(self) }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars { result.append(scalar.isUnsafeForTerminal ? scalar.standIn : scalar) }
        return String(result)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal could act on the scalar rather than show it.
    fileprivate var isUnsafeForTerminal: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The harmless scalar that is shown in place of an unsafe one.
    fileprivate var standIn: Unicode.Scalar {
        switch value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
        case 0x00...0x1F: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        default: "\u{FFFD}"
        }
    }
}
