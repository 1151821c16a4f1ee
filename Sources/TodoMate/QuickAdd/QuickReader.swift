/// Reads a line from both ends.
struct QuickReader {
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

    /// Whether a day or rule was not read for the word beside it, as in `by friday`.
    private var leavesDay = false
    /// The words at the end that say a time.
    private var timeAtEnd: Range<Int>?
    /// Whether the line names days of which nothing here knows, as in `every first friday`.
    private(set) var saysMore = false

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
        var (rule, begin, end): (RoutineRule?, CalendarDate, CalendarDate?) = (nil, today, nil)
        for reading in readings {
            switch reading.meaning {
            case .rule(let read): rule = read
            case .day(let day): begin = day
            case .until(let day): end = day
            case .time, .goal: break
            }
        }
        guard let end else { return true }
        rule?.end = .until(end)
        return rule.map { $0.last(from: $0.start(saidOn: begin)) != nil } ?? false
    }

    mutating func read() {
        while let last = left.last {
            if let (range, readings) = next({ [left] in left.upperBound - $0..<left.upperBound }, isAtEnd: true) {
                guard !readings.isEmpty else { break }
                if readings[0].meaning.kind == .time { timeAtEnd = range }
                self.last += readings.reversed()
                left = left.lowerBound..<range.lowerBound
            } else if words[last].isTag {
                passed.append(last)
                left = left.dropLast()
            } else {
                break
            }
        }
        takeBackPassed()
        while let (range, readings) = next({ [left] in left.lowerBound..<left.lowerBound + $0 }, isAtEnd: false),
            !readings.isEmpty
        {
            first += readings
            left = range.upperBound..<left.upperBound
        }
        if leavesDay, !readings.contains(where: { [.day, .rule].contains($0.meaning.kind) }) { giveBackTime() }
    }

    /// Has those of the words that stay which are next to what is left among it.
    private mutating func takeBackPassed() {
        while passed.last == left.upperBound { left = left.lowerBound..<passed.removeLast() + 1 }
    }

    /// Leaves the time as text, where a day is: it would be read for today.
    private mutating func giveBackTime() {
        if let timeAtEnd {
            last.removeAll { $0.meaning.kind == .time }
            passed = (passed + timeAtEnd).sorted(by: >)
            takeBackPassed()
        } else if let place = first.firstIndex(where: { $0.meaning.kind == .time }) {
            let count = first[place...].reduce(0) { $0 + $1.words.split(separator: " ").count }
            first.removeSubrange(place...)
            left = left.lowerBound - count..<left.upperBound
        }
    }

    /// The longest form among the words at some place, without readings where it is not to be read.
    private mutating func next(
        _ place: (Int) -> Range<Int>,
        isAtEnd: Bool
    ) -> (Range<Int>, [QuickLine.Reading])? {
        for count in stride(from: min(max(Self.mostWords, goals.mostWords), left.count), to: 0, by: -1) {
            let range = place(count)
            let phrase = words[range].enumerated().map { $0 == 0 ? $1.unescaped : $1.plain }
            let text = phrase.joined(separator: " ")
            if let meaning = meaning(of: text) {
                let reading = QuickLine.Reading(words: text, meaning: meaning)
                return (range, admits(range, reading, isAtEnd: isAtEnd) ? [reading] : [])
            }
            guard let pair = DayPartWords.readings(phrase, today: today) else { continue }
            guard !isProtected(range), !hangs(range, text, pair[0].meaning, isAtEnd: isAtEnd) else {
                return (range, [])
            }
            if pair.allSatisfy({ kinds.contains($0.meaning.kind) && !asText.contains($0.words) }) {
                kinds.subtract(pair.map(\.meaning.kind))
                return (range, pair)
            }
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

    /// Whether a backslash keeps words from being read; takes note of it.
    private mutating func isProtected(_ range: Range<Int>) -> Bool {
        guard words[range.lowerBound].isEscaped else { return false }
        protected.insert(range.lowerBound)
        return true
    }

    /// Whether the word beside others would be left hanging, or says something else of them; takes note of the latter.
    private mutating func hangs(_ range: Range<Int>, _ text: String, _ meaning: QuickLine.Meaning, isAtEnd: Bool)
        -> Bool
    {
        let neighbour = isAtEnd ? range.lowerBound - 1 : range.upperBound
        guard left.contains(neighbour) else { return saysMore }
        let word = words[neighbour].plain
        if kinds.contains(meaning.kind), OtherDays.areMeant(beside: word, text, meaning, isAtEnd: isAtEnd) {
            saysMore = true
        }
        // A rule by itself, such as 매일, is read next.
        let isRule = kinds.contains(.rule) && RuleWords.rule(word) != nil
        // As is the end of one, behind it.
        let isEnd = !isAtEnd && meaning.kind == .rule && isEnd(at: neighbour)
        let isHanging = HangingWords.contain(word, isAtEnd: isAtEnd) && !isRule && !isEnd
        let isDay =
            [.day, .rule].contains(meaning.kind) && kinds.contains(meaning.kind)
            && (!DoubtfulWords.isOne(text) || HangingWords.areTimely(word))
        if isHanging, isDay, !asText.contains(text) { leavesDay = true }
        return saysMore || isHanging || isAtEnd && HangingWords.number(word, text)
    }

    /// Whether the line names another part of the day than that of an hour which may be in either half of it.
    private func isElsewhere(_ range: Range<Int>, _ reading: QuickLine.Reading) -> Bool {
        guard case .time(let time) = reading.meaning, TimeWords.isLoose(reading.words) else { return false }
        return words.indices.contains { index in
            !range.contains(index) && DayPart.named(in: words[index].unescaped)?.contains(time) == false
        }
    }

    /// Whether words are to be read.
    private mutating func admits(_ range: Range<Int>, _ reading: QuickLine.Reading, isAtEnd: Bool) -> Bool {
        guard !isProtected(range), !hangs(range, reading.words, reading.meaning, isAtEnd: isAtEnd),
            !isElsewhere(range, reading)
        else { return false }
        // An end without a rule: `until friday at 9:30`.
        if reading.meaning.kind == .until, !kinds.contains(.until), !asText.contains(reading.words) { leavesDay = true }
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
