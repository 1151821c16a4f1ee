import Foundation

/// Words that a todo is looked for by: it has all of them, in its content or detail, in whatever order.
///
/// Case counts for nothing, and neither does how letters are put together: Korean syllables may come in parts (Unicode NFKC).
package struct TodoWords: Sendable, Equatable {
    /// In lower case and Unicode's form NFKC.
    package let words: [String]

    /// Nil where there are none.
    package init?(_ text: String) {
        words = Self.plain(text).split(whereSeparator: \.isWhitespace).map(String.init)
        if words.isEmpty { return nil }
    }

    /// Whether a todo has them all.
    package func match(_ todo: Todo) -> Bool {
        let text = Self.plain(todo.content + "\n" + todo.detail)
        return words.allSatisfy { text.contains($0) }
    }

    private static func plain(_ text: String) -> String { text.precomposedStringWithCompatibilityMapping.lowercased() }
}
