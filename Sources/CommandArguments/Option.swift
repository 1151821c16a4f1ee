/// A named argument with a value, as a stored property of a command.
@propertyWrapper
public struct Option<Value: Sendable>: Sendable {
    /// What the line, the environment or the default says.
    public let wrappedValue: Value

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
        let text = parser.describe(defaultValue)
        let values = ArgumentReader.values(.option, name, short, parser, valueName, environment, help, default: text)
        wrappedValue = values.last ?? defaultValue
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
        wrappedValue = ArgumentReader.values(.option, name, short, parser, valueName, environment, help).last
    }

    /// Declares an option that several commands have: a computed static property.
    public init(_ shared: Option) { self = shared }
}
