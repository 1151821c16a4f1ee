import TerminalUI

/// The program: its commands, its own help, and the way from a command line to the command that it names.
public struct CommandSet: Sendable {
    /// The environment and outputs of a run; tests pass their own.
    public struct Context {
        /// The environment of the process.
        public var environment: [String: String]
        /// The width of help texts, in columns.
        public var width: Int
        /// Receives data, for standard output.
        public var output: (String) throws -> Void
        /// Receives messages, for standard error.
        public var errorOutput: (String) -> Void
        /// Converts any other error into a `CommandError`.
        public var describe: (any Error) -> CommandError

        /// A context of these parts.
        public init(
            environment: [String: String],
            width: Int = 80,
            output: @escaping (String) throws -> Void,
            errorOutput: @escaping (String) -> Void,
            describe: @escaping (any Error) -> CommandError = { CommandError("\($0)", exitCode: .software) }
        ) {
            self.environment = environment
            self.width = width
            self.output = output
            self.errorOutput = errorOutput
            self.describe = describe
        }
    }

    /// The name that the program is called by.
    public let program: String

    /// What the program does, in one line.
    public let summary: String

    /// What `--version` prints after the name.
    public let version: String

    /// What `--version` prints in parentheses after it: the commit that the program was built from; empty for none.
    public let revision: String

    /// What `--version` prints below, about this build.
    public let buildFacts: String

    /// The commands, in the order of the overall help.
    public let commands: [any Command.Type]

    /// Command lines to copy, for the overall help.
    public let examples: [CommandDescription.Example]

    /// The ways in which commands end, as the manual page explains them.
    public let exitCodes: [(code: ExitCode, meaning: String)]

    /// What the commands understand.
    public var specs: [CommandSpec] { commands.map { $0.spec } }

    /// Puts a program together.
    public init(
        program: String,
        summary: String,
        version: String,
        revision: String = "",
        buildFacts: String = "",
        commands: [any Command.Type],
        examples: [CommandDescription.Example] = [],
        exitCodes: [(code: ExitCode, meaning: String)] = []
    ) {
        self.program = program
        self.summary = summary
        self.version = version
        self.revision = revision
        self.buildFacts = buildFacts
        self.commands = commands
        self.examples = examples
        self.exitCodes = exitCodes
    }

    /// Runs the command that a command line names.
    ///
    /// - Parameters:
    ///   - line: The words after the program's name.
    ///   - context: The surroundings.
    /// - Returns: The exit code of the process; an error has been reported by then.
    public func run(_ line: [String], in context: Context) async -> ExitCode {
        var name = ""
        do {
            switch line.first {
            case nil:
                context.errorOutput(help(width: context.width))
                return .usage
            case "-h", "--help": try context.output(help(width: context.width))
            case "--version":
                let commit = revision.isEmpty ? "" : " (\(revision))"
                try context.output("\(program) \(version)\(commit)\n" + (buildFacts.isEmpty ? "" : buildFacts + "\n"))
            case "help": try context.output(help(for: line.dropFirst(), width: context.width))
            case let group? where isGroup(group) && ArgumentParser.asksForHelp(line.dropFirst().prefix(1)):
                try context.output(help(ofGroup: group, width: context.width))
            case _?:
                let (command, rest) = try command(named: line[...])
                name = command.about.name
                guard !ArgumentParser.asksForHelp(rest) else {
                    try context.output(command.spec.help(program: program, width: context.width))
                    return .ok
                }
                return try await command.parse(rest, environment: context.environment).run()
            }
            return .ok
        } catch {
            let failure = error as? CommandError ?? context.describe(error)
            context.errorOutput(report(failure, of: name))
            return failure.exitCode
        }
    }

    /// What `--help` without a command prints.
    public func help(width: Int) -> String {
        var help = HelpText(width: width)
        help.addParagraph("Usage: \(program) <command> [options]", indent: 4)
        help.addParagraph(summary)
        help.addList("Commands", commands.map { HelpText.Entry(term: $0.about.name, text: $0.about.summary) })
        help.addList(
            "Options",
            [
                HelpText.Entry(term: "-h, --help", text: "Show this help, or that of a command."),
                HelpText.Entry(term: "    --version", text: "Show the version, and how this program was built."),
            ]
        )
        help.addExamples(examples)
        help.addParagraph("See '\(program) <command> --help' for what a command understands.")
        return help.text
    }

    /// Whether several commands begin with this word, and none is this word alone.
    private func isGroup(_ word: String) -> Bool {
        commands.contains { $0.about.words.first == word } && !commands.contains { $0.about.name == word }
    }

    private func help(ofGroup group: String, width: Int) -> String {
        let members = commands.filter { $0.about.words.first == group }
        var help = HelpText(width: width)
        help.addParagraph("Usage: \(program) \(group) <command> [options]", indent: 4)
        help.addList("Commands", members.map { HelpText.Entry(term: $0.about.name, text: $0.about.summary) })
        help.addExamples(members.compactMap { $0.about.examples.first })
        help.addParagraph("See '\(program) \(group) <command> --help' for what a command understands.")
        return help.text
    }

    private func help(for words: ArraySlice<String>, width: Int) throws -> String {
        guard !words.isEmpty, !ArgumentParser.asksForHelp(words) else { return help(width: width) }
        if let group = words.first, words.count == 1, isGroup(group) { return self.help(ofGroup: group, width: width) }
        let (command, rest) = try command(named: words)
        if let surplus = rest.first { throw CommandError.usage("unexpected argument '\(surplus)'") }
        return command.spec.help(program: program, width: width)
    }

    /// Finds the command with the longest name that the line begins with, and what follows the name.
    private func command(named line: ArraySlice<String>) throws -> (any Command.Type, ArraySlice<String>) {
        let found =
            commands
            .filter { line.starts(with: $0.about.words) }
            .max { $0.about.words.count < $1.about.words.count }
        if let found { return (found, line.dropFirst(found.about.words.count)) }

        let first = line.first ?? ""
        if first.hasPrefix("-") {
            throw CommandError.usage("'\(first)' stands before the command; options come after it")
        }
        let group = commands.map { $0.about.words }.filter { $0.first == first }
        guard group.isEmpty else {
            let choices = group.map { $0.dropFirst().joined(separator: " ") }
            let second = line.dropFirst().first { !$0.hasPrefix("-") } ?? ""
            if let meant = second.lowercased().nearest(in: choices) {
                throw CommandError.usage("unknown command '\(first) \(second)', did you mean '\(first) \(meant)'?")
            }
            throw CommandError.usage("'\(first)' needs one of these after it: \(choices.joined(separator: ", "))")
        }
        let known = commands.compactMap { $0.about.words.first } + ["help"]
        let hint = first.lowercased().nearest(in: known).map { ", did you mean '\($0)'?" } ?? ""
        throw CommandError.usage("unknown command '\(first)'\(hint)")
    }

    /// The one line about a failure, with a hint to the help for errors of usage.
    private func report(_ failure: CommandError, of name: String) -> String {
        let command = name.isEmpty ? program : "\(program) \(name)"
        let message = "\(command): \(failure.message)".sanitized()
        guard failure.exitCode == .usage else { return message + "\n" }
        return message + (message.hasSuffix("?") ? "" : ".") + " See '\(command) --help'.\n"
    }
}
