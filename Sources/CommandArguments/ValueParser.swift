/// How one word of the command line, or an environment variable, becomes a typed value.
///
/// The ready-made ones are static members (`.text`, `.integer(in:)`, `.choice(of:)`, `.duration`, `.list(of:)`); a type of
/// the domain gets its own with `init(describe:parse:)`.
public struct ValueParser<Value: Sendable>: Sendable {
    /// Whether the empty word is a value, as for clearing a text.
    public var allowsEmpty = false

    /// The only words that are understood, where there are few.
    public var choices: [String] = []

    /// Writes a value the way that a user would, for the default in the help text.
    public let describe: @Sendable (Value) -> String

    /// Reads a word, or throws what was expected instead.
    public let parse: @Sendable (String) throws -> Value

    /// Makes a parser.
    ///
    /// - Parameters:
    ///   - describe: Writes a value for the help text.
    ///   - parse: Reads a word. It throws `InvalidValue` to say what was expected, `CommandError` to say everything
    ///     itself, exit code included; any other error is quoted.
    public init(
        describe: @escaping @Sendable (Value) -> String = { "\($0)" },
        parse: @escaping @Sendable (String) throws -> Value
    ) {
        self.describe = describe
        self.parse = parse
    }
}

/// A word is not a value of its kind.
public struct InvalidValue: Error, Sendable {
    /// What the value "must be", for instance "a whole number from 1 to 64".
    public let expectation: String

    /// Says what was expected.
    public init(expectation: String) { self.expectation = expectation }
}

extension ValueParser where Value == String {
    /// Any text but the empty one.
    public static var text: Self { Self { $0 } }

    /// Any text, the empty one too.
    public static var textOrEmpty: Self {
        var parser = text
        parser.allowsEmpty = true
        return parser
    }
}

extension ValueParser where Value == Int {
    /// A whole number within bounds.
    public static func integer(in range: ClosedRange<Int> = .min ... .max) -> Self {
        Self { text in
            guard let number = Int(text), range.contains(number) else {
                throw InvalidValue(expectation: range.expectation)
            }
            return number
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var expectation: String {
        switch (lowerBound, upperBound) {
        case (.min, .max): "a whole number"
        case (_, .max): "a whole number from \(lowerBound) up"
        case (.min, _): "a whole number up to \(upperBound)"
        default: "a whole number from \(lowerBound) to \(upperBound)"
        }
    }
}

extension ValueParser where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the cases of an enumeration, by its raw value.
    public static func choice(of type: Value.Type = Value.self) -> Self {
        let words = Value.allCases.map(\.rawValue)
        var parser = Self(describe: \.rawValue) { text in
            guard let value = Value(rawValue: text) else {
                throw InvalidValue(expectation: "one of \(words.joined(separator: ", "))")
            }
            return value
        }
        parser.choices = words
        return parser
    }
}

extension ValueParser {
    /// Values of one kind, separated by commas.
    public static func list<Element: Sendable>(of element: ValueParser<Element>) -> Self where Value == [Element] {
        var parser = Self(
            describe: { $0.map(element.describe).joined(separator: ",") },
            parse: { text in
                try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                    guard !part.isEmpty || element.allowsEmpty else {
                        throw InvalidValue(expectation: "values separated by single commas")
                    }
                    return try element.parse(String(part))
                }
            }
        )
        parser.choices = element.choices
        return parser
    }
}

extension ValueParser where Value == Duration {
    /// A time above zero: a number with `ms`, `s`, `m` or `h` after it, or alone for seconds.
    public static var duration: Self {
        let units: [(suffix: String, milliseconds: Double)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
        return Self(
            describe: { duration in
                let milliseconds = Double(duration / .milliseconds(1))
                let unit = units.last { milliseconds.truncatingRemainder(dividingBy: $0.milliseconds) == 0 }
                guard let unit else { return "\(duration)" }
                return "\(Int(milliseconds / unit.milliseconds))\(unit.suffix)"
            },
            parse: { text in
                let unit = units.first { text.hasSuffix($0.suffix) } ?? (suffix: "", milliseconds: 1000)
                let digits = text.dropLast(unit.suffix.count)
                // Spelled out because Double also reads "nan", "1e9" and "0x10".
                guard digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(digits),
                    number > 0, number * unit.milliseconds <= 1e12
                else { throw InvalidValue(expectation: "a time such as 5s, 500ms or 2m") }
                return .milliseconds(number * unit.milliseconds)
            }
        )
    }
}
