/// What parsing, help and completion need to know of a flag, an option or a positional, regardless of its type of value.
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
    public let short: Character?

    /// What stands for the value in the help text.
    public let valueName: String

    /// What it is for, as sentences.
    public let help: String

    /// The environment variable that counts where the command line is silent.
    public let environment: String?

    /// What counts where the environment is silent as well, as the help text shows it.
    public let defaultText: String?

    /// The only words that are understood, where there are few.
    public let choices: [String]

    /// How many values there may be.
    public let count: ClosedRange<Int>

    /// Whether the empty word is a value.
    let allowsEmpty: Bool

    /// Reads a word, or throws if it is not a value of this argument.
    let parse: @Sendable (String) throws -> any Sendable

    /// How error messages name it: `--name` or `<name>`.
    public var label: String { kind == .positional ? "<\(name)>" : "--\(name)" }

    /// Whether `--no-name` undoes what the environment has switched on.
    public var isNegatable: Bool { kind == .flag && environment != nil }

    /// Whether several values are kept rather than refused.
    public var isRepeating: Bool { count.upperBound > 1 }
}
