/// An argument that is known by its place, declared once and read as `try arguments[positional]`.
public struct Positional<Value: Sendable>: ArgumentDeclaration {
    /// The untyped description.
    public let spec: ArgumentSpec

    /// Makes the typed value of the words that were given.
    let read: @Sendable ([String]) throws -> Value

    /// Declares a positional that has to be given, unless its environment variable gives it.
    public init(_ name: String, as parser: ValueParser<Value>, environment: String? = nil, help: String) {
        let spec = Self.spec(name, parser, 1...1, environment, help)
        self.spec = spec
        read = {
            guard let word = $0.last else { throw CommandError.usage("missing \(spec.label)") }
            return try parser.parse(word)
        }
    }

    /// Declares a positional that is nil when it is not given.
    public init<Wrapped: Sendable>(
        optional name: String,
        as parser: ValueParser<Wrapped>,
        environment: String? = nil,
        help: String
    ) where Value == Wrapped? {
        spec = Self.spec(name, parser, 0...1, environment, help)
        read = { try $0.last.map(parser.parse) }
    }

    /// Declares a positional that takes every word that is left to it.
    public init<Element: Sendable>(
        repeating name: String,
        as parser: ValueParser<Element>,
        atLeast minimum: Int = 1,
        environment: String? = nil,
        help: String
    ) where Value == [Element] {
        spec = Self.spec(name, parser, minimum...Int.max, environment, help)
        read = { try $0.map(parser.parse) }
    }

    private static func spec<Parsed>(
        _ name: String,
        _ parser: ValueParser<Parsed>,
        _ count: ClosedRange<Int>,
        _ environment: String?,
        _ help: String
    ) -> ArgumentSpec {
        var spec = ArgumentSpec(kind: .positional, name: name, help: help)
        spec.count = count
        spec.environment = environment
        spec.choices = parser.choices
        spec.allowsEmpty = parser.allowsEmpty
        spec.validate = { _ = try parser.parse($0) }
        return spec
    }
}
