/// Words that name a goal: `#` and its name, with the spaces of the name or without any.
struct GoalWords {
    private var goals: [String: Goal] = [:]
    /// How many words the longest name has.
    private(set) var mostWords = 0

    /// Names that several goals have are nobody's, and so are those of archived ones.
    init(_ all: [Goal]) {
        let usable = all.filter { !$0.isArchived }.map { (words: QuickWord.words(of: $0.name).map(\.plain), goal: $0) }
        mostWords = usable.map(\.words.count).max() ?? 0
        // A name as it is written counts more than another one without its spaces.
        for separator in [" ", ""] {
            let named = Dictionary(grouping: usable) { $0.words.joined(separator: separator) }
            for (name, those) in named where goals[name] == nil { goals[name] = those.count == 1 ? those[0].goal : nil }
        }
    }

    /// The goal that words in lower case name; nil for none.
    func goal(_ text: String) -> Goal? { text.first == "#" ? goals[String(text.dropFirst())] : nil }
}
