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
