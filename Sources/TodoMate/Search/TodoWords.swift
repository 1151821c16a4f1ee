import Foundation

/// Words that a todo is looked for by: it has all of them, in its content or detail, in whatever order.
///
/// Case counts for nothing, and neither does how letters are put together: Korean syllables may come in parts (Unicode NFKC). Latin
/// letters are met with and without their marks: `cafe` is `Café`, and the other way round.
package struct TodoWords: Sendable, Equatable {
    /// In lower case and Unicode's form NFKC, Latin letters without marks.
    package let words: [String]

    /// Nil where there are none.
    package init?(_ text: String) {
        words = Self.plain(text).split(whereSeparator: \.isWhitespace).map(String.init)
        if words.isEmpty { return nil }
    }

    /// Whether a todo has them all.
    package func match(_ todo: Todo) -> Bool {
        // By bytes, in a time that does not depend on the words: a letter and its marks are one by now. No todo has a NUL.
        // Of a note, the content says nothing.
        Self.plain(Self.text(of: todo)).withCString { text in
            words.allSatisfy { !$0.utf8.contains(0) && strstr(text, $0) != nil }
        }
    }

    /// Whether a todo has them all as they stand there, and not as parts of longer ones.
    package func matchWhole(_ todo: Todo) -> Bool {
        let parts = Self.plain(Self.text(of: todo)).split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        return words.allSatisfy { word in parts.contains { $0 == word } }
    }

    private static func text(of todo: Todo) -> String {
        todo.isNote ? todo.detail : todo.content + "\n" + todo.detail
    }

    private static func plain(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        guard !isPlain else { return text.lowercased() }
        return unmarked(bounded(text).precomposedStringWithCompatibilityMapping.lowercased())
            .precomposedStringWithCanonicalMapping
    }

    /// A text with the letters a to z in place of those that are made of one of them and marks.
    private static func unmarked(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isMark($0) || bare[$0] != nil }) else { return text }
        var (result, isLatin) = (String.UnicodeScalarView(), false)
        for scalar in text.unicodeScalars {
            // One that has no letter of its own with this mark, such as m with a caron.
            if isMark(scalar), isLatin { continue }
            let letter = bare[scalar] ?? scalar
            isLatin = ("a"..."z").contains(letter)
            result.append(letter)
        }
        return String(result)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36F).contains(scalar.value) }

    /// The letters that are made of one of a to z and marks, as Unicode takes them apart.
    private static let bare: [Unicode.Scalar: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x1E00...0x1EFF]
        // A sigma has another form at the end of a word.
        var bare: [Unicode.Scalar: Unicode.Scalar] = ["ς": "σ"]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            let parts = Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
            if parts.count > 1, ("a"..."z").contains(parts[0]), parts.dropFirst().allSatisfy(isMark) {
                bare[scalar] = parts[0]
            }
        }
        return bare
    }()

    /// No letter of any language has more marks than these (Unicode Standard Annex 15, stream-safe text).
    private static let mostMarks = 30

    /// A text without the marks that are too many for one letter: sorting thousands of them takes long.
    private static func bounded(_ text: String) -> String {
        var (result, marks) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            if marks <= mostMarks { result.append(scalar) }
        }
        return String(result)
    }
}
