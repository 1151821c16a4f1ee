/// A named argument with a value, declared once and read as `try arguments[option]`.
///
/// The way of declaring it decides the type that is read: with a default, always a `Value`; without one, an optional;
/// `required:`, a `Value` or an error; `repeating:`, an array.
public struct Option<Value: Sendable>: ArgumentDeclaration {
    /// The untyped description.
    public let spec: ArgumentSpec

    /// Makes the typed value of the words that were given, none for the default.
    let read: @Sendable ([String]) throws -> Value

    /// Declares an option that has a default.
    public init(
        _ name: String,
        short: Character? = nil,
        as parser: ValueParser<Value>,
        default defaultValue: Value,
        valueName: String = "value",
        environment: String? = nil,
        help: String
    ) {
        var spec = Self.spec(name, short, parser, valueName, environment, help)
        spec.defaultText = parser.describe(defaultValue)
        self.spec = spec
        read = { try $0.last.map(parser.parse) ?? defaultValue }
    }

    /// Declares an option that is nil when it is not given.
    public init<Wrapped: Sendable>(
        _ name: String,
        short: Character? = nil,
        as parser: ValueParser<Wrapped>,
        valueName: String = "value",
        environment: String? = nil,
        help: String
    ) where Value == Wrapped? {
        spec = Self.spec(name, short, parser, valueName, environment, help)
        read = { try $0.last.map(parser.parse) }
    }

    /// Declares an option that has to be given, on the command line or in the environment.
    public init(
        required name: String,
        short: Character? = nil,
        as parser: ValueParser<Value>,
        valueName: String = "value",
        environment: String? = nil,
        help: String
    ) {
        var spec = Self.spec(name, short, parser, valueName, environment, help)
        spec.count = 1...1
        self.spec = spec
        read = { [spec] in
            guard let word = $0.last else { throw CommandError.usage("option '\(spec.label)' is required") }
            return try parser.parse(word)
        }
    }

    /// Declares an option that may be given several times; the environment gives at most one value.
    public init<Element: Sendable>(
        repeating name: String,
        short: Character? = nil,
        as parser: ValueParser<Element>,
        valueName: String = "value",
        environment: String? = nil,
        help: String
    ) where Value == [Element] {
        var spec = Self.spec(name, short, parser, valueName, environment, help)
        spec.count = 0...Int.max
        self.spec = spec
        read = { try $0.map(parser.parse) }
    }

    private static func spec<Parsed>(
        _ name: String,
        _ short: Character?,
        _ parser: ValueParser<Parsed>,
        _ valueName: String,
        _ environment: String?,
        _ help: String
    ) -> ArgumentSpec {
        var spec = ArgumentSpec(kind: .option, name: name, help: help)
        spec.short = short
        spec.valueName = valueName
        spec.environment = environment
        spec.choices = parser.choices
        spec.allowsEmpty = parser.allowsEmpty
        spec.validate = { _ = try parser.parse($0) }
        return spec
    }
}
