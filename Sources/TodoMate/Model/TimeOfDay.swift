/// A time of day on the 24-hour clock, to the minute, without a day or time zone, such as 09:30.
///
/// Like the day of a todo, it is meant where its reader is.
public struct TimeOfDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Minutes since midnight, 0…1439.
    public let minutes: Int

    /// The hour, 0…23.
    public var hour: Int { minutes / 60 }
    /// The minute of the hour, 0…59.
    public var minute: Int { minutes % 60 }

    /// Nil when there is no such time.
    public init?(hour: Int, minute: Int) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
        minutes = hour * 60 + minute
    }

    /// Reads the form `09:30`; nil for any other form.
    public init?(_ text: some StringProtocol) { self.init(bytes: Array(text.utf8)) }

    /// Reads the form `09:30` from its bytes.
    init?<Bytes: RandomAccessCollection<UInt8>>(bytes: Bytes) where Bytes.Index == Int {
        let start = bytes.startIndex
        guard bytes.count == 5, bytes[start + 2] == UInt8(ascii: ":"),
            let hour = CalendarDate.number(bytes, start..<start + 2),
            let minute = CalendarDate.number(bytes, start + 3..<start + 5)
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    /// The form `09:30`.
    public var description: String { "\(Self.digits(hour)):\(Self.digits(minute))" }

    private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Earlier times come first.
    public static func < (left: Self, right: Self) -> Bool { left.minutes < right.minutes }

    static let advice = "time must be a time of day between 00:00 and 23:59, written 09:30, or empty for none"
}

extension TimeOfDay: Codable {
    /// Reads the form `09:30`.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = TimeOfDay(text) else { throw TodoError.invalid(Self.advice) }
        self = time
    }

    /// Writes the form `09:30`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// What becomes of a todo's time of day.
public enum TimeChange: Hashable, Sendable {
    /// It gets this one.
    case set(TimeOfDay)
    /// It has none any more.
    case remove

    /// The time that the todo has then.
    public var time: TimeOfDay? {
        switch self {
        case .set(let time): time
        case .remove: nil
        }
    }

    /// As fields of a todo have it: `09:30`, or an empty text for none.
    package var text: String { time?.description ?? "" }

    /// To this time, or to none.
    public init(to time: TimeOfDay?) { self = time.map { .set($0) } ?? .remove }
}

extension TimeChange: Codable {
    /// Reads the form `09:30`, or an empty text for none.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard text.isEmpty else {
            self = .set(try TimeOfDay(from: decoder))
            return
        }
        self = .remove
    }

    /// Writes the form `09:30`, or an empty text for none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
