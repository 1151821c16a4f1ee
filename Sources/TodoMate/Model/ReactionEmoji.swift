/// The emoji that people react with: one grapheme, and nothing that is no emoji.
package enum ReactionEmoji {
    /// Longer texts are no emoji.
    package static let mostBytes = 64
    /// Most kinds of reactions to one todo.
    package static let mostKinds = 20

    /// Checks an emoji against the grammar of Unicode Technical Standard #51, section 1.4.9 (ED-17).
    ///
    /// - Parameter name: what the emoji is for.
    /// - Returns: the emoji as it is counted.
    @discardableResult
    package static func check(_ text: String, as name: String = "a reaction") throws(TodoError) -> String {
        guard isEmoji(text) else { throw .invalid("\(name) must be one emoji, such as 👍") }
        // An emoji with the emoji presentation selector is the same emoji.
        let scalars = Array(text.unicodeScalars)
        let isSaidTwice = scalars.count == 2 && scalars[1] == variation && scalars[0].properties.isEmojiPresentation
        return isSaidTwice ? String(scalars[0]) : text
    }

    static func isEmoji(_ text: String) -> Bool {
        guard text.count == 1, text.utf8.count <= mostBytes else { return false }
        var rest = Array(text.unicodeScalars)[...]
        guard let first = rest.first else { return false }
        if isKey(first) { return rest.dropFirst().elementsEqual([variation, keycap]) }
        if isRegional(first) { return rest.count == 2 && rest.allSatisfy(isRegional) }
        var isJoined = false
        while takeElement(&rest, isJoined) {
            if rest.isEmpty { return true }
            guard rest.removeFirst() == joiner else { return false }
            isJoined = true
        }
        return false
    }

    private static let variation: Unicode.Scalar = "\u{FE0F}"
    private static let keycap: Unicode.Scalar = "\u{20E3}"
    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let lastTag: Unicode.Scalar = "\u{E007F}"
    private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"

    private static func isKey(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || "#*".unicodeScalars.contains(scalar)
    }

    /// A letter or digit of what names the part of a country whose flag it is (CLDR `unicode_subdivision_id`).
    private static func isSubdivisionTag(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{E0030}"..."\u{E0039}").contains(scalar) || ("\u{E0061}"..."\u{E007A}").contains(scalar)
    }

    private static func isRegional(_ scalar: Unicode.Scalar) -> Bool { ("\u{1F1E6}"..."\u{1F1FF}").contains(scalar) }

    /// Takes one emoji with its skin tone, presentation and tags off the front; false when there is none.
    private static func takeElement(_ rest: inout ArraySlice<Unicode.Scalar>, _ isJoined: Bool) -> Bool {
        guard let base = rest.popFirst(), base.properties.isEmoji, !isKey(base), !isRegional(base) else { return false }
        // Some are letters or signs unless a presentation selector follows.
        var isPicture = base.properties.isEmojiPresentation
        if rest.first == variation {
            rest.removeFirst()
            isPicture = true
        } else if let tone = rest.first, tone.properties.isEmojiModifier {
            guard base.properties.isEmojiModifierBase else { return false }
            rest.removeFirst()
            isPicture = true
        }
        let tags = rest.prefix(while: isSubdivisionTag)
        if !tags.isEmpty {
            rest = rest.dropFirst(tags.count)
            // Tags are invisible: with them, one could hide text in any emoji.
            guard base == blackFlag, (3...7).contains(tags.count), rest.popFirst() == lastTag else { return false }
        }
        // What is joined to another picture becomes one with it.
        return isPicture || isJoined || rest.first == joiner
    }
}
