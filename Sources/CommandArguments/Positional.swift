/// An argument that is known by its place, as a stored property of a command.
@propertyWrapper
public struct Positional<Value: Sendable>: Sendable {
    /// Nil while a command that cannot do without it is made for its declarations alone.
    private let value: Value?

    /// What the line or the environment says.
    public var wrappedValue: Value {
        guard let value else { preconditionFailure("an argument is read before there is a line") }
        return value
    }

    /// Declares a positional that has to be given, unless its environment variable gives it.
    public init(_ name: String, as parser: ValueParser<Value>, environment: String? = nil, help: String) {
        value = ArgumentReader.values(.positional, name, nil, parser, "", environment, help, count: 1...1).last
    }

    /// Declares a positional that is nil when it is not given.
    public init<Wrapped: Sendable>(
        optional name: String,
        as parser: ValueParser<Wrapped>,
        environment: String? = nil,
        help: String
    ) where Value == Wrapped? {
        value = .some(ArgumentReader.values(.positional, name, nil, parser, "", environment, help, count: 0...1).last)
    }

    /// Declares a positional that takes every word that is left to it, none at all included.
    public init<Element: Sendable>(
        repeating name: String,
        as parser: ValueParser<Element>,
        environment: String? = nil,
        help: String
    ) where Value == [Element] {
        value = ArgumentReader.values(.positional, name, nil, parser, "", environment, help, count: 0...Int.max)
    }

    /// Declares a positional that several commands have: a computed static property.
    public init(_ shared: Positional) { self = shared }
}
