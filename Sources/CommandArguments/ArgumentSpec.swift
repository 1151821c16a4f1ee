/// What parsing, help and completion need to know of a flag, an option or a positional, whatever its type of value.
public struct ArgumentSpec: Sendable {
    /// The place of an argument on the command line.
    public enum Kind: Sendable, Equatable {
        /// `--name`, without a value.
        case flag
        /// `--name value`.
        case option
        /// A word that is known by its place.
        case positional
    }

    /// The place on the command line.
    public let kind: Kind

    /// The long name without dashes, or the name that stands for a positional.
    public let name: String

    /// The one-letter alias of a flag or an option.
    public var short: Character?

    /// What stands for the value in the help text.
    public var valueName = ""

    /// What it is for, as sentences.
    public let help: String

    /// The environment variable that counts where the command line is silent.
    public var environment: String?

    /// What counts where the environment is silent as well, as the help text shows it.
    public var defaultText: String?

    /// The only words that are understood, where there are few.
    public var choices: [String] = []

    /// How many values there may be.
    public var count: ClosedRange<Int> = 0...1

    /// Whether the empty word is a value.
    public var allowsEmpty = false

    /// Throws if a word is not a value of this argument.
    public var validate: @Sendable (String) throws -> Void = { _ in }

    /// How error messages name it: `--name` or `<name>`.
    public var label: String { kind == .positional ? "<\(name)>" : "--\(name)" }

    /// Whether `--no-name` undoes what the environment has switched on.
    public var isNegatable: Bool { kind == .flag && environment != nil }

    /// Whether several values are kept rather than refused.
    public var isRepeating: Bool { count.upperBound > 1 }
}

/// A declared flag, option or positional, as a `CommandSpec` lists them.
public protocol ArgumentDeclaration: Sendable {
    /// Its untyped description.
    var spec: ArgumentSpec { get }
}

/// A switch that is on or off.
public struct Flag: ArgumentDeclaration {
    /// The untyped description.
    public let spec: ArgumentSpec

    /// Declares a flag; with an environment variable, `--no-name` switches it off again.
    public init(_ name: String, short: Character? = nil, environment: String? = nil, help: String) {
        var spec = ArgumentSpec(kind: .flag, name: name, help: help)
        spec.short = short
        spec.environment = environment
        spec.validate = { _ = try Self.isOn($0) }
        self.spec = spec
    }

    /// Reads what an environment variable says of a flag.
    static func isOn(_ word: String) throws -> Bool {
        switch word.lowercased() {
        case "1", "true", "yes", "on": true
        case "0", "false", "no", "off": false
        default: throw InvalidValue(expectation: "1 or 0")
        }
    }
}
