/// A part of the day, which says which half of it an hour is in.
enum DayPart: String, CaseIterable {
    case morning, afternoon, evening, night, tonight
    case dawn = "새벽"
    case forenoon = "아침"
    case noon = "점심"
    case daytime = "낮"
    case dusk = "저녁"
    case dark = "밤"

    /// The hours that it may have: fewer than twelve, so that of the two hours of a clock one at most is meant.
    private var hours: ClosedRange<Int> {
        switch self {
        case .morning: 1...11
        case .afternoon: 12...18
        case .evening, .tonight: 16...23
        case .night, .dark: 18...23
        case .dawn: 1...6
        case .forenoon: 5...11
        case .noon: 11...15
        case .daytime: 11...17
        case .dusk: 17...23
        }
    }

    /// Whether that time may be in it.
    func contains(_ time: TimeOfDay) -> Bool { hours.contains(time.hour) }

    private static let korean: [DayPart] = [.dawn, .forenoon, .noon, .daytime, .dusk, .dark]
    /// What may stand behind a part in Korean.
    private static let particles = ["", "에", "에는", "은", "을", "이", "마다", "부터", "식사", "약속"]

    /// The part that a word names, such as `evenings` or `오늘밤에`; nil where it names none.
    static func named(in word: some StringProtocol) -> DayPart? {
        let word = Substring(word)
        guard let last = word.unicodeScalars.last else { return nil }
        if last.isASCII {
            let plain = word.hasSuffix("'s") ? word.dropLast(2) : word
            return DayPart(rawValue: String(plain))
                ?? (plain.last == "s" ? DayPart(rawValue: String(plain.dropLast())) : nil)
        }
        guard !word.contains("#") else { return nil }
        return particles.lazy.filter { word.hasSuffix($0) }.compactMap { particle in
            let name = word.dropLast(particle.count)
            return korean.first { name.hasSuffix($0.rawValue) }
        }.first
    }
}

/// What one part of the day says of two things: `tonight at 7` names a day, and which 7.
enum DayPartWords {
    /// A day or a rule, and a time in its part of the day, in the order of the words; nil where they are none.
    static func readings(_ words: [String], today: CalendarDate) -> [QuickLine.Reading]? {
        guard words.count > 1, words.contains(where: { DayPart.named(in: $0) != nil }) else { return nil }
        for count in 1..<words.count {
            let parts = [words[..<count].joined(separator: " "), words[count...].joined(separator: " ")]
            for (named, timed) in [(0, 1), (1, 0)] {
                guard let (meaning, part) = days(parts[named], today),
                    let time = TimeWords.time(parts[timed], in: part)
                else { continue }
                let pair = [
                    QuickLine.Reading(words: parts[named], meaning: meaning),
                    QuickLine.Reading(words: parts[timed], meaning: .time(time)),
                ]
                return named == 0 ? pair : pair.reversed()
            }
        }
        return nil
    }

    private static func days(_ text: String, _ today: CalendarDate) -> (QuickLine.Meaning, DayPart)? {
        if text == "tonight" { return (.day(today), .tonight) }
        guard
            let match = text.wholeMatch(of: /(.+) (morning|afternoon|evening|night)/)
                ?? text.wholeMatch(of: /([^ ]+)(새벽|아침|점심|낮|저녁|밤)에?/),
            let part = DayPart(rawValue: String(match.2))
        else { return nil }
        let days = String(match.1)
        if days == "this" { return (.day(today), part) }
        if days == "every" { return (.rule(RoutineRule(.daily)), part) }
        if let day = DayWords.day(days, today: today) { return (.day(day), part) }
        return RuleWords.rule(days).map { (.rule($0), part) }
    }
}
