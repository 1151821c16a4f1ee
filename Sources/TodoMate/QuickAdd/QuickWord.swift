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
    /// In front of words at the end: "by friday", "every friday", "from 9:30 to 10:30".
    private static let before: Set<String> = [
        "by", "before", "after", "until", "till", "til", "since", "for", "from", "to", "through", "than", "of", "in",
        "on", "at",
        "every", "each", "last", "past", "this", "next", "and", "or", "vs", "not", "per", "between", "the", "a", "an",
        "-", "–", "~", "&", "/", "+", "매주", "매일", "매월", "매달", "격주", "지난", "지난주", "주", "이번주", "다음주", "및", "또는",
    ]
    /// In front of mere numbers at the end, which count or name these: "pages 11-20", "room 9:30", but not "clean room tomorrow".
    private static let numbered: Set<String> = [
        "page", "pages", "pp", "chapter", "chapters", "ch", "line", "lines", "verse", "verses", "question", "questions",
        "exercise", "exercises", "problem", "problems", "room", "쪽", "페이지", "문제",
    ]
    /// Behind words at the beginning: "friday and saturday", "9:30 to 10:30", "today is the day".
    private static let behind: Set<String> = [
        "and", "or", "to", "until", "till", "til", "through", "vs", "is", "are", "was", "were", "of", "off", "-", "–",
        "~", "&", "/",
        "+", "부터", "까지", "및", "또는", "이후", "이전",
    ]

    /// Whether a word beside others would be left hanging, or says something else of them.
    static func contain(_ word: String, isAtEnd: Bool) -> Bool { (isAtEnd ? before : behind).contains(word) }

    /// Whether a word counts or names with the number behind it, as in `pages 11-20`.
    static func number(_ word: String, _ text: String) -> Bool {
        numbered.contains(word) && text.wholeMatch(of: /[0-9][-0-9:\/.]*/) != nil
    }

    /// Whether what is behind a word says when, even where it is an ordinary word as well: `by sat`, but not `in the sun`.
    static func areTimely(_ word: String) -> Bool { timely.contains(word) }

    private static let timely: Set<String> = [
        "by", "before", "after", "until", "till", "til", "since", "every", "each", "last", "past", "this", "next",
    ]
}

/// Words beside which a day or a rule is not all that a line says: `every first friday`, `매월 첫째 금요일`.
enum OtherDays {
    private static let some: Set<String> = [
        "other", "first", "second", "third", "fourth", "fifth", "1st", "2nd", "3rd", "4th", "5th", "last", "alternate",
        "except", "starting", "beginning", "year", "years", "yearly", "annually", "매년", "해마다", "첫", "첫째", "둘째", "셋째",
        "넷째", "다섯째", "번째", "첫번째", "두번째", "세번째", "네번째", "다섯번째", "마지막", "첫주", "첫째주", "둘째주", "셋째주", "넷째주",
        "다섯째주", "마지막주", "홀수", "짝수", "홀수주", "짝수주", "제외",
    ]
    /// Beside a day of the week: `every month on friday`, `다음 달 금요일`.
    private static let periods: Set<String> = [
        "week", "weeks", "month", "months", "weekly", "biweekly", "fortnightly", "monthly", "quarterly", "주", "달", "매월",
        "매달", "격월", "이번", "다음", "지난", "저번", "저번주", "지난주", "금주", "담주", "차주", "내주", "이번달", "다음달", "지난달",
    ]
    private static let behindDays: Set<String> = ["week", "mornings", "afternoons", "evenings", "nights"]
    private static let behindRules: Set<String> = ["on", "except", "starting", "beginning", "제외"]

    /// Whether the word beside a day or a rule says that others are meant, of which nothing here knows.
    static func areMeant(beside word: String, _ text: String, _ meaning: QuickLine.Meaning, isAtEnd: Bool) -> Bool {
        switch meaning {
        case .day where !isAtEnd:
            behindDays.contains(word)
        case .day:
            some.contains(word)
                || namesWeekday(text) && (periods.contains(word) || word.contains(/[0-9](?:개월|달)마다$/))
        case .rule where isAtEnd:
            some.contains(word)
        case .rule(let rule):
            behindRules.contains(word) || rule.frequency == .monthly && (some.contains(word) || namesWeekday(word))
        case .time, .goal, .until:
            false
        }
    }

    private static func namesWeekday(_ text: String) -> Bool {
        text.contains("요일") || text.split(separator: " ").contains { DayWords.weekday(String($0)) != nil }
    }
}

/// Names of days and months that are ordinary words too: "Sun hat", "march 5 miles", "may".
enum DoubtfulWords {
    private static let words: Set<Substring> = ["sun", "sat", "wed", "mar", "march", "may"]
    /// Whether a text is one of these, and nothing else.
    static func isOne(_ text: String) -> Bool { words.contains(Substring(text)) }

    /// Words that leave no doubt.
    private static let signs: Set<Substring> = ["on", "this", "next", "every"]

    /// Whether they are read only at the end of a line, and there not alone, but with a number or before a time.
    static func isDoubtful(_ text: String) -> Bool {
        let parts = text.split(separator: " ")
        guard let first = parts.first, !signs.contains(first) else { return false }
        return parts.contains { words.contains($0) }
    }
}
