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
