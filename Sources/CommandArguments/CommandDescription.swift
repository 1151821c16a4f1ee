/// What a command is called and does, as its help has it.
public struct CommandDescription: Sendable {
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

    /// Titled lists for the help text alone, after the options.
    public let lists: [HelpText.List]

    /// Command lines to copy.
    public let examples: [Example]

    /// Describes a command.
    public init(
        name: String,
        summary: String,
        discussion: String = "",
        lists: [HelpText.List] = [],
        examples: [Example] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.lists = lists
        self.examples = examples
    }

    /// The words of the name.
    var words: [String] { name.split(separator: " ").map(String.init) }
}
