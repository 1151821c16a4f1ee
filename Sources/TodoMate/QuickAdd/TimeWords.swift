/// Times of day as a line names them, in English and Korean, in lower case and with single spaces.
///
/// | written | time |
/// |---|---|
/// | `9:30`, `at 9:30`, `21:15` | on the 24-hour clock |
/// | `9am`, `9:30 pm`, `at 9am` | `12am` is 00:00, `12pm` is 12:00 |
/// | `at 9`, `at 15` | on the 24-hour clock, but 1 to 6 are in the afternoon, as one says it |
/// | `오전 9시 30분`, `오후 3시`, `오전 9:30` | |
/// | `9시`, `9시 반`, `15시` | the same |
/// | `at 7 in the evening`, `밤 9시`, `낮 12시 반` | the one that is in this part of the day; none where neither is: `밤 12시` |
///
/// `at` may stand before the English ones, and `에` behind the Korean ones.
package enum TimeWords {
    /// The time that is meant; nil when it is none.
    package static func time(_ text: String) -> TimeOfDay? { time(text, in: nil) }

    /// The time that is meant in a part of the day; nil when it is none, or is in another part.
    static func time(_ text: String, in named: DayPart?) -> TimeOfDay? {
        // For speed: most words that lines are tried for have none.
        guard text.utf8.contains(where: { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        let (words, own) = apart(text)
        guard let time = plain(words) else { return nil }
        guard let part = own ?? named else { return time }
        let hours = isLoose(words) ? [time.hour % 12, time.hour % 12 + 12] : [time.hour]
        return hours.lazy.compactMap { TimeOfDay(hour: $0, minute: time.minute) }.first { part.contains($0) }
    }

    /// Whether the words of a time do not say which half of the day is meant: 9:30, but not 21:15.
    static func isLoose(_ text: String) -> Bool {
        let (words, part) = apart(text)
        guard part == nil, !words.hasSuffix("am"), !words.hasSuffix("pm"), !words.contains("오전"), !words.contains("오후"),
            let match = words.firstMatch(of: /[0-9]+/), let hour = Int(match.0)
        else { return false }
        return (1...12).contains(hour)
    }

    /// The words of a time without the part of the day that is said with it, and that.
    private static func apart(_ text: String) -> (String, DayPart?) {
        if let match = text.wholeMatch(of: /(.+) (?:in the (morning|afternoon|evening)|at (night))/) {
            return (String(match.1), DayPart(rawValue: String(match.2 ?? match.3 ?? "")))
        }
        if let match = text.wholeMatch(of: /in the (morning|afternoon|evening) (.+)/) {
            return (String(match.2), DayPart(rawValue: String(match.1)))
        }
        let korean = text.replacing(" ", with: "")
        guard let match = korean.wholeMatch(of: /(새벽|아침|점심|낮|저녁|밤)에?((?:오전|오후)?[0-9].*?)에?/) else { return (text, nil) }
        return (String(match.2), DayPart(rawValue: String(match.1)))
    }

    private static func plain(_ text: String) -> TimeOfDay? {
        let english = text.hasPrefix("at ") ? text.dropFirst(3) : text[...]
        if let match = english.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/) { return time(match.1, match.2) }
        if let match = english.wholeMatch(of: /([0-9]{1,2})(?::([0-9]{2}))? ?(am|pm)/) {
            return time(match.1, match.2, isAfternoon: match.3 == "pm", from: 1)
        }
        if text.hasPrefix("at "), let match = english.wholeMatch(of: /[1-9][0-9]?/) { return spoken(match.0, nil) }
        let korean = text.replacing(" ", with: "")
        if let match = korean.wholeMatch(of: /(오전|오후)([0-9]{1,2}):([0-9]{2})에?/) {
            return time(match.2, match.3, isAfternoon: match.1 == "오후", from: match.1 == "오후" ? 1 : 0)
        }
        guard let match = korean.wholeMatch(of: /(오전|오후)?([0-9]{1,2})시(?:(반)|([0-9]{1,2})분)?에?/) else { return nil }
        let minutes = match.3 == nil ? match.4 : "30"
        if let half = match.1 { return time(match.2, minutes, isAfternoon: half == "오후", from: half == "오후" ? 1 : 0) }
        return spoken(match.2, minutes)
    }

    /// On the 24-hour clock, as one says it: 1 to 6 are in the afternoon.
    private static func spoken(_ hour: Substring, _ minute: Substring?) -> TimeOfDay? {
        guard let number = Int(hour), (1...6).contains(number) else { return time(hour, minute) }
        return time(hour, minute, isAfternoon: true, from: 1)
    }

    /// On the 24-hour clock.
    private static func time(_ hour: Substring, _ minute: Substring?) -> TimeOfDay? {
        guard let hour = Int(hour), let minute = Int(minute ?? "0") else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }

    /// On the 12-hour clock, whose first hour is the twelfth.
    ///
    /// - Parameter least: the smallest number of an hour: 오전 0시 is said, 0am is not.
    private static func time(_ hour: Substring, _ minute: Substring?, isAfternoon: Bool, from least: Int) -> TimeOfDay?
    {
        guard let hour = Int(hour), (least...12).contains(hour), let minute = Int(minute ?? "0") else { return nil }
        return TimeOfDay(hour: hour % 12 + (isAfternoon ? 12 : 0), minute: minute)
    }
}
