extension Character {
    /// The columns that this character (a grapheme cluster) takes in a terminal.
    ///
    /// A cluster is as wide as its parts, except that what joins an emoji, by a zero-width joiner, a skin tone or a
    /// variation selector, merges into its two columns.
    public var displayWidth: Int {
        let first = unicodeScalars.first?.columns ?? 0
        return unicodeScalars.count == 1 ? first : clusterWidth
    }

    private var clusterWidth: Int {
        var width = 0
        var previous: Unicode.Scalar?
        var isEmoji = false
        for scalar in unicodeScalars {
            if let previous {
                switch scalar.value {
                case 0xFE0F where previous.properties.isEmoji: isEmoji = true
                case 0xFE0E where previous.properties.isEmoji: width = min(width, 1)
                default:
                    let isPairedFlag = scalar.isRegionalIndicator && previous.isRegionalIndicator
                    let isJoinedEmoji = previous.value == 0x200D && scalar.properties.isEmoji
                    let isSkinTone = scalar.properties.isEmojiModifier && previous.properties.isEmoji
                    isEmoji = isEmoji || isPairedFlag || isJoinedEmoji || isSkinTone
                    width += scalar.columns
                }
            } else {
                width = scalar.columns
            }
            previous = scalar
        }
        return isEmoji ? 2 : width
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is one half of a flag.
    fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}

extension StringProtocol {
    /// The columns that the text takes in a terminal, counted by grapheme cluster.
    ///
    /// Control characters count as nothing: text from outside is `sanitized()` before it is measured.
    public var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The text if it fits into `width` columns, else as much of it as leaves room for a closing "…".
    ///
    /// A wide character is never split, so the result can be one column narrower than asked for.
    public func truncated(toWidth width: Int) -> String {
        guard width > 0 else { return "" }
        var used = 0
        var cut = startIndex
        for index in indices {
            let columns = self[index].displayWidth
            if used + columns > width { return String(self[..<cut]) + "…" }
            used += columns
            if used < width { cut = self.index(after: index) }
        }
        return String(self)
    }

    /// The text with spaces up to `width` columns; text that is wider stays as it is.
    public func padded(toWidth width: Int, alignment: TextAlignment = .leading) -> String {
        let missing = Swift.max(0, width - displayWidth)
        let left =
            switch alignment {
            case .leading: 0
            case .center: missing / 2
            case .trailing: missing
            }
        return String(repeating: " ", count: left) + self + String(repeating: " ", count: missing - left)
    }

    /// The text in exactly `width` columns: cut where it is too wide, padded where it is too narrow.
    public func fitted(toWidth width: Int, alignment: TextAlignment = .leading) -> String {
        truncated(toWidth: width).padded(toWidth: width, alignment: alignment)
    }
}

/// Where padded text stands in its columns.
public enum TextAlignment: Sendable {
    /// At the left edge.
    case leading
    /// In the middle, the odd column at the right.
    case center
    /// At the right edge.
    case trailing
}
