/// What parsing, help and completion need to know of a flag, an option or a positional, whatever its type of value.
struct ArgumentSpec: Sendable {
    /// The place of an argument on the command line.
    enum Kind: Sendable, Equatable {
        /// `--name`, without a value.
        case flag
        /// `--name value`.
        case option
        /// A word that is known by its place.
        case positional
    }

    /// The place on the command line.
    let kind: Kind

    /// The long name without dashes, or the name that stands for a positional.
    let name: String

    /// The one-letter alias of a flag or an option.
    var short: Character?

    /// What stands for the value in the help text.
    var valueName = ""

    /// What it is for, as sentences.
    let help: String

    /// The environment variable that counts where the command line is silent.
    var environment: String?

    /// What counts where the environment is silent as well, as the help text shows it.
    var defaultText: String?

    /// The only words that are understood, where there are few.
    var choices: [String] = []

    /// How many values there may be.
    var count: ClosedRange<Int> = 0...1

    /// Whether the empty word is a value.
    var allowsEmpty = false

    /// Throws if a word is not a value of this argument.
    var validate: @Sendable (String) throws -> Void = { _ in }

    /// How error messages name it: `--name` or `<name>`.
    var label: String { kind == .positional ? "<\(name)>" : "--\(name)" }

    /// Whether `--no-name` undoes what the environment has switched on.
    var isNegatable: Bool { kind == .flag && environment != nil }

    /// Whether several values are kept rather than refused.
    var isRepeating: Bool { count.upperBound > 1 }
}

/// A declared flag, option or positional, as a `CommandSpec` lists them.
protocol ArgumentDeclaration: Sendable {
    /// Its untyped description.
    var spec: ArgumentSpec { get }
}

/// A switch that is on or off.
struct Flag: ArgumentDeclaration {
    /// The untyped description.
    let spec: ArgumentSpec

    /// Declares a flag; with an environment variable, `--no-name` switches it off again.
    init(_ name: String, short: Character? = nil, environment: String? = nil, help: String) {
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
