/// What a command is called and what it understands; parsing and help text both come from it.
public struct CommandSpec: Sendable {
    /// A command line to copy, and what it does.
    public struct Example: Sendable {
        /// The command line, shown as it is.
        public let line: String
        /// What it does, if the line does not say it.
        public let explanation: String

        /// Makes an example.
        public init(_ line: String, _ explanation: String = "") {
            self.line = line
            self.explanation = explanation
        }
    }

    /// The name after the program's; of several words for a command within a group, such as `user add`.
    public let name: String

    /// What it does, in one line.
    public let summary: String

    /// What else there is to know, as paragraphs separated by empty lines.
    public let discussion: String

    /// The arguments that are known by their place, in order.
    public let positionals: [ArgumentSpec]

    /// The flags and options.
    public let options: [ArgumentSpec]

    /// Titled lists for the help text alone, after the options.
    public let lists: [HelpText.List]

    /// Command lines to copy.
    public let examples: [Example]

    /// Declares a command.
    public init(
        name: String,
        summary: String,
        discussion: String = "",
        positionals: [any ArgumentDeclaration] = [],
        options: [any ArgumentDeclaration] = [],
        lists: [HelpText.List] = [],
        examples: [Example] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals.map(\.spec)
        self.options = options.map(\.spec)
        self.lists = lists
        self.examples = examples
    }
}

/// One subcommand of the program.
public protocol Command: Sendable {
    /// Its name and what it understands.
    static var spec: CommandSpec { get }

    /// Takes its values out of the arguments.
    init(_ arguments: ParsedArguments) throws

    /// Does the work.
    ///
    /// - Returns: How the process ends. A thrown `CommandError` ends it with a line on standard error.
    func run() async throws -> ExitCode
}
