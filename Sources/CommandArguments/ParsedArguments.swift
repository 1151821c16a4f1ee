/// The words of a command line, sorted by what they were given for and checked.
///
/// Reading a value costs a parse of its word, so a command reads each one once, in its `init`.
public struct ParsedArguments: Sendable {
    /// The environment of the process.
    public let environment: [String: String]

    private let words: [String: [String]]

    /// Takes words that have been checked, by the label of their argument.
    init(words: [String: [String]], environment: [String: String]) {
        self.words = words
        self.environment = environment
    }

    /// The value of an option.
    public subscript<Value>(option: Option<Value>) -> Value {
        get throws { try option.read(words(of: option.spec)) }
    }

    /// The value of a positional.
    public subscript<Value>(positional: Positional<Value>) -> Value {
        get throws { try positional.read(words(of: positional.spec)) }
    }

    /// Whether a flag is on.
    public subscript(flag: Flag) -> Bool {
        get throws { try words(of: flag.spec).last.map(Flag.isOn) ?? false }
    }

    private func words(of spec: ArgumentSpec) throws -> [String] {
        guard let words = words[spec.label] else {
            throw CommandError("the command reads '\(spec.label)' without declaring it", exitCode: .software)
        }
        return words
    }
}
