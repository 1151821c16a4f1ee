package import Foundation

/// What an operator tells everybody for a while.
package struct Announcement: Sendable, Equatable, Codable {
    /// How urgent it is.
    package enum Level: String, Sendable, Codable, CaseIterable {
        case info, warning
    }

    /// The most characters of a text.
    package static let mostOfText = 280
    /// How long it may show, in seconds: a minute to 30 days.
    package static let secondsRange = 60...2_592_000

    /// What names it, for those who have taken it away.
    package let id: String
    /// What it says, in English where there is a Korean text besides.
    package let text: String
    /// The same in Korean; nil for none.
    package let korean: String?
    /// How urgent it is.
    package let level: Level
    /// Until when it shows, in seconds since 1970.
    package let until: Int

    private enum CodingKeys: String, CodingKey {
        case id, text, level, until
        case korean = "ko"
    }

    /// An announcement of these parts.
    ///
    /// - Throws: ``TodoError/invalid(_:)`` for a text that is no line, or too long, and for a time that is over or too far.
    package init(text: String, korean: String? = nil, level: Level = .info, until: Int, now: Date = Date())
        throws(TodoError)
    {
        (id, self.text, self.korean, self.level, self.until) = (RandomID.next(), text, korean, level, until)
        try check()
        let seconds = Double(until) - now.timeIntervalSince1970.rounded(.down)
        let range = Double(Self.secondsRange.lowerBound)...Double(Self.secondsRange.upperBound)
        guard range.contains(seconds) else { throw .invalid("it must show for a minute to 30 days") }
    }

    /// - Throws: ``TodoError/invalid(_:)`` for what nobody may be shown, whoever has stored it.
    package func check() throws(TodoError) {
        guard TodoBounds.isUID(id.utf8) else { throw .invalid("the announcement's id is none") }
        for text in [text, korean].compactMap(\.self) {
            let scalars = text.unicodeScalars
            guard (1...Self.mostOfText).contains(scalars.count), !scalars.contains(where: Self.isNoText),
                !scalars.allSatisfy(\.properties.isWhitespace)
            else {
                throw .invalid(
                    "an announcement must be one line of 1 to \(Self.mostOfText) characters, without control characters"
                )
            }
        }
    }

    /// Controls, ends of lines, and what turns the direction of what stands around it.
    private static func isNoText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether it still shows.
    package func isCurrent(at now: Date) -> Bool { now.timeIntervalSince1970 < Double(until) }

    /// As clients read it.
    package var shown: JSONObject {
        JSONObject([
            "id": id, "level": level.rawValue, "text": text, "ko": korean,
            "until": Timestamp.text(Date(timeIntervalSince1970: Double(until))),
        ])
    }

    /// Reads what ``shown`` has written.
    ///
    /// - Returns: nil for `{}`, which says that nothing is announced.
    /// - Throws: ``TodoError/broken(_:)`` for anything else.
    package static func read(shown bytes: [UInt8]) throws(TodoError) -> Announcement? {
        struct Shown: Decodable {
            var id: String?
            var level: Level?
            var text: String?
            var ko: String?
            var until: String?
        }
        guard let shown = try? JSONDecoder().decode(Shown.self, from: Data(bytes)) else {
            throw .broken("an announcement is not valid")
        }
        guard let id = shown.id else { return nil }
        guard let text = shown.text, let until = Timestamp.seconds(Array((shown.until ?? "").utf8)) else {
            throw .broken("an announcement is not valid")
        }
        let told = Announcement(id: id, text: text, korean: shown.ko, level: shown.level ?? .info, until: until)
        try told.check()
        return told
    }

    private init(id: String, text: String, korean: String?, level: Level, until: Int) {
        (self.id, self.text, self.korean, self.level, self.until) = (id, text, korean, level, until)
    }
}
