/// What a command is called and what it understands; parsing and help text both come from it.
struct CommandSpec: Sendable {
    /// A command line to copy, and what it does.
    struct Example: Sendable {
        /// The command line, shown as it is.
        let line: String
        /// What it does, if the line does not say it.
        let explanation: String

        /// Makes an example.
        init(_ line: String, _ explanation: String = "") {
            self.line = line
            self.explanation = explanation
        }
    }

    /// The name after the program's; of several words for a command within a group, such as `user add`.
    let name: String

    /// What it does, in one line.
    let summary: String

    /// What else there is to know, as paragraphs separated by empty lines.
    let discussion: String

    /// The arguments that are known by their place, in order.
    let positionals: [ArgumentSpec]

    /// The flags and options.
    let options: [ArgumentSpec]

    /// Titled lists for the help text alone, after the options.
    let lists: [HelpText.List]

    /// Command lines to copy.
    let examples: [Example]

    /// Declares a command.
    init(
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
protocol Command: Sendable {
    /// Its name and what it understands.
    static var spec: CommandSpec { get }

    /// Takes its values out of the arguments.
    init(_ arguments: ParsedArguments) throws

    /// Does the work.
    ///
    /// - Returns: How the process ends. A thrown `CommandError` ends it with a line on standard error.
    func run() async throws -> ExitCode
}
