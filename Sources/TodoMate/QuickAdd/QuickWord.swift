/// A word of a line: what stands between two spaces.
struct QuickWord {
    let range: Range<String.Index>
    /// In lower case, without a comma or colon behind it.
    let plain: String
    /// Whether a backslash says that it stays text.
    var isEscaped: Bool { plain.first == "\\" }
    /// The same without the backslash.
    var unescaped: String { isEscaped ? String(plain.dropFirst()) : plain }

    /// Whether it is a name behind a `#`.
    var isTag: Bool { plain.first == "#" && plain.count > 1 }

    /// The same in every program that reads lines, hence no more of Unicode's.
    private static let spaces: Set<Unicode.Scalar> = [" ", "\t", "\u{A0}", "\u{3000}"]
    /// The most UTF-16 units of a word that may mean something.
    static let longest = 200
    /// Stands for a longer one: what compares texts puts all combining marks behind a letter in order, which takes the square of
    /// their number. No name has it.
    private static let tooLong = "\u{0}"

    static func words(of text: String) -> [QuickWord] {
        let scalars = text.unicodeScalars
        return scalars.indices.split { spaces.contains(scalars[$0]) }.compactMap { indices in
            guard let first = indices.first, let last = indices.last else { return nil }
            let range = first..<scalars.index(after: last)
            guard text.utf16[range].count <= longest else { return QuickWord(range: range, plain: tooLong) }
            let word = text[range].lowercased()
            let isMarked = word.count > 1 && (word.last == "," || word.last == ":")
            return QuickWord(range: range, plain: isMarked ? String(word.dropLast()) : word)
        }
    }
}

/// Words beside which nothing is read, as they would be left hanging or say something else.
enum HangingWords {
    /// In front of words at the end: "by friday", "every friday", "from 9:30 to 10:30", "pages 11-20".
    static let before: Set<String> = [
        "by", "before", "after", "until", "till", "til", "since", "for", "from", "to", "through", "than", "of", "in",
        "on", "at",
        "every", "each", "last", "past", "this", "next", "and", "or", "vs", "not", "per", "between", "the", "a", "an",
        "page", "pages", "pp", "chapter", "chapters", "ch", "line", "lines", "verse", "verses", "question", "questions",
        "exercise",
        "exercises", "problem", "problems", "room", "-", "–", "~", "&", "/", "+", "매주", "매일", "매월", "매달", "격주", "지난",
        "지난주", "주", "이번주", "다음주", "및", "또는", "쪽", "페이지", "문제",
    ]
    /// Behind words at the beginning: "friday and saturday", "9:30 to 10:30", "today is the day".
    static let behind: Set<String> = [
        "and", "or", "to", "until", "till", "til", "through", "vs", "is", "are", "was", "were", "of", "off", "-", "–",
        "~", "&", "/",
        "+", "부터", "까지", "및", "또는", "이후", "이전",
    ]
}

/// Names of days and months that are ordinary words too: "Sun hat", "march 5 miles", "may".
enum DoubtfulWords {
    private static let words: Set<Substring> = ["sun", "sat", "wed", "mar", "march", "may"]
    /// Words that leave no doubt.
    private static let signs: Set<Substring> = ["on", "this", "next", "every"]

    /// Whether they are read only at the end of a line, and there not alone, but with a number or before a time.
    static func isDoubtful(_ text: String) -> Bool {
        let parts = text.split(separator: " ")
        guard let first = parts.first, !signs.contains(first) else { return false }
        return parts.contains { words.contains($0) }
    }
}
