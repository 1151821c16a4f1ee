/// One subcommand of the program.
///
/// Its arguments are stored properties: ``Option``, ``Flag`` and ``Positional``, and values of other types that have such
/// properties, for arguments that several commands share. Nothing else has to be declared.
public protocol Command: Sendable {
    /// What it is called and does, for its help.
    static var about: CommandDescription { get }

    /// Makes it of the line that is being read; Swift writes this for a structure of arguments.
    init()

    /// Does the work.
    ///
    /// - Returns: How the process ends. A thrown `CommandError` ends it with a line on standard error.
    func run() async throws -> ExitCode
}

extension Command {
    /// What it is called and what it understands.
    public static var spec: CommandSpec { CommandSpec(about, ArgumentReader.declarations(of: Self.init)) }

    /// Makes it of the words after its name; what they leave out is taken from the environment.
    ///
    /// - Throws: A `CommandError` that names the first thing that is wrong.
    public static func parse(_ line: some Sequence<String>, environment: [String: String]) throws -> Self {
        let values = try ArgumentParser.parse(line, for: spec, environment: environment)
        return ArgumentReader.make(Self.init, of: values, environment: environment)
    }
}
