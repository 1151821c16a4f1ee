/// A line as somebody types a todo, and what its words at either end say of when, how often and what it is for.
///
///     QuickLine("Call mum tomorrow at 9:30", today: today)   // "Call mum", for tomorrow, at 09:30
///
/// <doc:QuickAdd> says which words these are. At most one day, one time, one goal and one rule of a routine with its end are read, first
/// from the end of the line and then from its beginning, as whole words and as many as there are in a row: of two days the last
/// one counts, and the other stays text. A word with `#` at the end that names no goal stays text as well, and what is before
/// it is read. A part of the day beside a time says which half of the day is meant. Nothing is read in the middle of a line, in
/// quotes, or behind a backslash, which then goes; nothing beside a word that would be left hanging, as in "by friday"; nothing
/// but a goal where the line names days that no rule has, as in "every first friday"; and nothing at all where no text would be
/// left. The page reads lines by the same rules (`quickLine.js`), and one table of examples holds for both.
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
        func read(_ kinds: Set<Kind>) -> QuickReader {
            var reader = QuickReader(words: words, today: today, goals: named, kinds: kinds, asText: asText)
            reader.read()
            return reader
        }
        var line = read(kinds)
        if line.saysMore {
            // Rather than on a day that is not meant, or only once, it stays where it was typed.
            line = read(kinds.intersection([.goal]))
        } else if !line.hasRuleForItsEnd {
            line = read(kinds.subtracting([.until]))
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
