import Synchronization

/// What the arguments of a command find while the command is made.
///
/// A command is made twice: to read what its stored properties declare and, once a line has been parsed by that, to give them
/// their values. Both times they come in the order in which they stand in the source.
final class ArgumentReader: Sendable {
    @TaskLocal private static var current: ArgumentReader?

    private let values: [String: [any Sendable]]
    private let environment: [String: String]
    private let declared = Mutex<[ArgumentSpec]>([])

    private init(values: [String: [any Sendable]] = [:], environment: [String: String] = [:]) {
        self.values = values
        self.environment = environment
    }

    /// What a command, or a part of one, declares.
    static func declarations<Part>(of make: () -> Part) -> [ArgumentSpec] {
        let reader = ArgumentReader()
        _ = $current.withValue(reader, operation: make)
        return reader.declared.withLock { $0 }
    }

    /// Makes a command of these values, by the labels of their arguments.
    static func make<Part>(
        _ make: () -> Part,
        of values: [String: [any Sendable]],
        environment: [String: String]
    ) -> Part {
        $current.withValue(ArgumentReader(values: values, environment: environment), operation: make)
    }

    /// Declares an argument, and returns what the line gives for it.
    static func values<Value>(
        _ kind: ArgumentSpec.Kind,
        _ name: String,
        _ short: Character?,
        _ parser: ValueParser<Value>,
        _ valueName: String,
        _ environment: String?,
        _ help: String,
        count: ClosedRange<Int> = 0...1,
        default defaultText: String? = nil
    ) -> [Value] {
        guard let current else { return [] }
        let spec = ArgumentSpec(
            kind: kind,
            name: name,
            short: short,
            valueName: valueName,
            help: help,
            environment: environment,
            defaultText: defaultText,
            choices: parser.choices,
            count: count,
            allowsEmpty: parser.allowsEmpty,
            parse: parser.parse
        )
        current.declared.withLock { $0.append(spec) }
        return (current.values[spec.label] ?? []).compactMap { $0 as? Value }
    }

    /// The environment of the line; empty outside of one.
    static var environment: [String: String] { current?.environment ?? [:] }
}

/// The environment that a command was called in.
@propertyWrapper
public struct Environment: Sendable {
    /// The variables, by name.
    public let wrappedValue: [String: String]

    /// Takes the environment of the line that the command is made of.
    public init() { wrappedValue = ArgumentReader.environment }
}
