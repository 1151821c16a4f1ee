/// A line as somebody types a todo, and what its words at either end say of when, how often and what it is for.
///
///     QuickLine("Call mum tomorrow at 9:30", today: today)   // "Call mum", for tomorrow, at 09:30
///
/// <doc:QuickAdd> says which words these are. At most one day, one time, one goal and one rule of a routine with its end are read, first
/// from the end of the line and then from its beginning, as whole words and as many as there are in a row: of two days the last
/// one counts, and the other stays text. A word with `#` at the end that names no goal stays text as well, and what is before
/// it is read. Nothing is read in the middle of a line, in quotes, or behind a backslash, which then goes; nothing beside a
/// word that would be left hanging, as in "by friday"; and nothing at all where no text would be left. The page reads lines by
/// the same rules (`quickLine.js`), and one table of examples holds for both.
public struct QuickLine: Sendable, Equatable {
    /// What there is to be read.
    public enum Meaning: Sendable, Equatable {
        /// The day that the todo is for.
        case day(CalendarDate)
        /// Its time.
        case time(TimeOfDay)
        /// What the todo is for.
        case goal(Goal)
        /// On which days it is to be done again.
        case rule(RoutineRule)
        /// The last day that may be one of these.
        case until(CalendarDate)

        /// Which of the meanings it is.
        public var kind: Kind {
            switch self {
            case .day: .day
            case .time: .time
            case .goal: .goal
            case .rule: .rule
            case .until: .until
            }
        }
    }

    /// The kinds of what there is to be read: a line says each once.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A day.
        case day
        /// A time of day.
        case time
        /// A goal.
        case goal
        /// On which days it is to be done again.
        case rule
        /// Until when, which is read beside a rule only.
        case until
    }

    /// Words that were read.
    public struct Reading: Sendable, Equatable {
        /// The words, in lower case and with one space between them: what `asText` takes.
        public let words: String
        /// What they mean.
        public let meaning: Meaning
    }

    /// What is left to do.
    public private(set) var content: String
    /// What was read, in the order of the line.
    public private(set) var readings: [Reading] = []
    /// Those of `asText` that the line has, sorted.
    public let kept: [String]

    /// The day that was read.
    public var date: CalendarDate? {
        readings.lazy.compactMap { if case .day(let date) = $0.meaning { date } else { nil } }.first
    }

    /// The time that was read.
    public var time: TimeOfDay? {
        readings.lazy.compactMap { if case .time(let time) = $0.meaning { time } else { nil } }.first
    }

    /// The goal that was read.
    public var goal: Goal? {
        readings.lazy.compactMap { if case .goal(let goal) = $0.meaning { goal } else { nil } }.first
    }

    /// The rule that was read, with its end if that was read as well.
    public var rule: RoutineRule? {
        let rules = readings.lazy.compactMap { if case .rule(let rule) = $0.meaning { rule } else { nil } }
        guard var rule = rules.first else { return nil }
        rule.end = readings.lazy.compactMap { if case .until(let day) = $0.meaning { .until(day) } else { nil } }.first
        return rule
    }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - text: the line; what is around it of spaces goes.
    ///   - today: the day that words such as `tomorrow` count from.
    ///   - goals: those that `#` may name; archived ones are not read.
    ///   - kinds: what may be read.
    ///   - asText: words that are to stay text, as ``Reading/words`` has them.
    public init(
        _ text: String,
        today: CalendarDate,
        goals: [Goal] = [],
        kinds: Set<Kind> = Set(Kind.allCases),
        asText: Set<String> = []
    ) {
        let words = QuickWord.words(of: text)
        let named = GoalWords(goals)
        var line = QuickReader(words: words, today: today, goals: named, kinds: kinds, asText: asText)
        line.read()
        if !line.hasRuleForItsEnd {
            line = QuickReader(
                words: words,
                today: today,
                goals: named,
                kinds: kinds.subtracting([.until]),
                asText: asText
            )
            line.read()
        }
        let plain = " \(words.map(\.unescaped).joined(separator: " ")) "
        kept = asText.filter { plain.contains(" \($0) ") }.sorted()
        content = line.content(of: text)
        guard !content.isEmpty else {
            content = line.whole(text)
            return
        }
        readings = line.readings
    }
}

/// Reads a line from both ends.
private struct QuickReader {
    let words: [QuickWord]
    let today: CalendarDate
    let goals: GoalWords
    var kinds: Set<QuickLine.Kind>
    let asText: Set<String>
    /// What was read at the beginning, and at the end: the last words first.
    private var first: [QuickLine.Reading] = []
    private var last: [QuickLine.Reading] = []
    /// The words that are left.
    private var left: Range<Int>
    /// Words behind them, from the end, that stay although there is something read before them.
    private var passed: [Int] = []
    /// Where a backslash has kept words from being read.
    private var protected: Set<Int> = []

    /// No day, time or rule has more words but for one that names many days of the week.
    private static let mostWords = 7

    init(
        words: [QuickWord],
        today: CalendarDate,
        goals: GoalWords,
        kinds: Set<QuickLine.Kind>,
        asText: Set<String>
    ) {
        (self.words, self.today, self.goals, self.kinds, self.asText) = (words, today, goals, kinds, asText)
        left = 0..<words.count
    }

    var readings: [QuickLine.Reading] { first + last.reversed() }

    /// Whether what ends is done again and again; it may not end before it begins.
    var hasRuleForItsEnd: Bool {
        var (isRule, begin, end): (Bool, CalendarDate, CalendarDate?) = (false, today, nil)
        for reading in readings {
            switch reading.meaning {
            case .rule: isRule = true
            case .day(let day): begin = day
            case .until(let day): end = day
            case .time, .goal: break
            }
        }
        return end.map { isRule && begin <= $0 } ?? true
    }

    mutating func read() {
        while let last = left.last {
            if let (range, reading) = next({ [left] in left.upperBound - $0..<left.upperBound }) {
                guard admits(range, reading, isAtEnd: true) else { break }
                self.last.append(reading)
                left = left.lowerBound..<range.lowerBound
            } else if words[last].isTag {
                passed.append(last)
                left = left.dropLast()
            } else {
                break
            }
        }
        while passed.last == left.upperBound { left = left.lowerBound..<passed.removeLast() + 1 }
        while let (range, reading) = next({ [left] in left.lowerBound..<left.lowerBound + $0 }),
            admits(range, reading, isAtEnd: false)
        {
            first.append(reading)
            left = range.upperBound..<left.upperBound
        }
    }

    /// The longest form among the words at some place.
    private func next(_ place: (Int) -> Range<Int>) -> (Range<Int>, QuickLine.Reading)? {
        for count in stride(from: min(max(Self.mostWords, goals.mostWords), left.count), to: 0, by: -1) {
            let range = place(count)
            let text = words[range].enumerated().map { $0 == 0 ? $1.unescaped : $1.plain }.joined(separator: " ")
            if let meaning = meaning(of: text) { return (range, QuickLine.Reading(words: text, meaning: meaning)) }
        }
        return nil
    }

    private func meaning(of text: String) -> QuickLine.Meaning? {
        if let goal = goals.goal(text) { return .goal(goal) }
        if let day = DayWords.day(text, today: today) { return .day(day) }
        if let rule = RuleWords.rule(text) { return .rule(rule) }
        if let end = RuleWords.end(text, today: today) { return .until(end) }
        return TimeWords.time(text).map { .time($0) }
    }

    /// Whether words are to be read; takes note of a backslash that keeps them from it.
    private mutating func admits(_ range: Range<Int>, _ reading: QuickLine.Reading, isAtEnd: Bool) -> Bool {
        let neighbour = isAtEnd ? range.lowerBound - 1 : range.upperBound
        let isBeside = left.contains(neighbour)
        if words[range.lowerBound].isEscaped {
            protected.insert(range.lowerBound)
            return false
        }
        if isBeside {
            let words = isAtEnd ? HangingWords.before : HangingWords.behind
            let word = self.words[neighbour].plain
            // A rule by itself, such as 매일, is read next.
            let isRule = kinds.contains(.rule) && RuleWords.rule(word) != nil
            // As is the end of one, behind it.
            let isEnd = !isAtEnd && reading.meaning.kind == .rule && isEnd(at: neighbour)
            guard !words.contains(word) || isRule || isEnd else { return false }
        }
        if reading.meaning.kind != .goal, DoubtfulWords.isDoubtful(reading.words) {
            let isBeforeTime = range.upperBound < words.count && last.last?.meaning.kind == .time
            guard isAtEnd, range.count > 1 || isBeforeTime else { return false }
        }
        guard kinds.contains(reading.meaning.kind) else { return false }
        guard !asText.contains(reading.words) else { return false }
        kinds.remove(reading.meaning.kind)
        return true
    }

    /// Whether words say when a rule ends.
    private func isEnd(at place: Int) -> Bool {
        let most = min(Self.mostWords, left.upperBound - place)
        return kinds.contains(.until)
            && (1...most).contains { count in
                let text = words[place..<place + count].map(\.plain).joined(separator: " ")
                return RuleWords.end(text, today: today) != nil
            }
    }

    /// What is left, without what was read.
    func content(of text: String) -> String {
        var content = self.text(of: text, left)
        if !last.isEmpty, content.unicodeScalars.last == "," { content.removeLast() }
        let behind = passed.reversed().map { self.text(of: text, $0..<$0 + 1) }
        return ([content] + behind).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// All of the line.
    func whole(_ text: String) -> String { self.text(of: text, 0..<words.count) }

    private func text(of text: String, _ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last else { return "" }
        var (content, start) = ("", words[first].range.lowerBound)
        for index in protected.sorted() where range.contains(index) {
            content += text[start..<words[index].range.lowerBound]
            start = text.index(after: words[index].range.lowerBound)
        }
        return content + text[start..<words[last].range.upperBound]
    }
}
