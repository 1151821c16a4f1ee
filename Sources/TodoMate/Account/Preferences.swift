/// How a user is called and pictured, and how days are shown to them; what is nil was not chosen.
public struct Preferences: Sendable, Equatable {
    /// How the user wants to be called, at most 40 characters.
    public var name: String?
    /// An emoji that takes the place of initials.
    public var face: String?
    /// `en` or `ko`; nil for the language of the browser or terminal.
    public var language: String?
    /// The name of the user's time zone, such as `Asia/Seoul`; nil for that of the device.
    public var timeZone: String?
    /// The day that weeks begin with; nil for what is usual where the device is.
    public var weekStart: WeekStart?

    /// A day that weeks begin with somewhere.
    public enum WeekStart: String, Sendable, Codable, CaseIterable {
        case monday, saturday, sunday
    }

    /// The names of the fields, in the order in which messages have them.
    package static let fields = ["name", "face", "language", "timeZone", "weekStart"]
    /// The languages that there are texts in.
    package static let languages = ["en", "ko"]
    private static let mostOfName = 40

    /// Nothing chosen.
    package init() {}

    /// What a field holds; nil for nothing.
    package subscript(_ field: String) -> String? {
        switch field {
        case "name": name
        case "face": face
        case "language": language
        case "timeZone": timeZone
        case "weekStart": weekStart?.rawValue
        default: nil
        }
    }

    /// Puts a value into a field; an empty one takes it away.
    ///
    /// - Throws: ``TodoError/invalid(_:)`` when the field cannot hold it.
    package mutating func set(_ field: String, to value: String) throws(TodoError) {
        let value = value.isEmpty ? nil : value
        switch field {
        case "name": name = try value.map(Self.checkedName)
        case "face":
            face = try value.map { text throws(TodoError) in try ReactionEmoji.check(text, as: "face") }
        case "language":
            guard value.map(Self.languages.contains) ?? true else { throw .invalid("language must be en or ko") }
            language = value
        case "timeZone": timeZone = try value.map(Self.checkedZone)
        case "weekStart":
            guard let value else { return weekStart = nil }
            guard let day = WeekStart(rawValue: value) else {
                throw .invalid("weekStart must be monday, saturday or sunday")
            }
            weekStart = day
        default: throw .invalid("there is no preference '\(field)'")
        }
    }

    static func checkedName(_ name: String) throws(TodoError) -> String {
        let scalars = name.unicodeScalars
        let isBlank = scalars.allSatisfy { $0.properties.isWhitespace }
        guard scalars.count <= mostOfName, !isBlank, !scalars.contains(where: isUnseen) else {
            throw .invalid("name must be one line of at most \(mostOfName) characters, none of them invisible")
        }
        return name
    }

    /// What does not show, or turns the direction of what stands around it; but the joiners that letters and emoji need.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    private static func checkedZone(_ zone: String) throws(TodoError) -> String {
        let isName = zone.utf8.count <= 64 && zone.wholeMatch(of: /[A-Za-z][A-Za-z0-9_+\/-]*/) != nil
        guard isName else { throw .invalid("timeZone must be the name of a time zone, such as Asia/Seoul") }
        return zone
    }
}

extension Preferences: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case name, face, language, timeZone, weekStart }

    /// Reads the JSON of a message or an answer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        for key in CodingKeys.allCases {
            guard let value = try container.decodeIfPresent(String.self, forKey: key) else { continue }
            do throws(TodoError) {
                try set(key.rawValue, to: value)
            } catch {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: error.description)
            }
        }
    }
}
