/// What a command is called and what it understands: the parser, the help, the completion and the manual page read this.
public struct CommandSpec: Sendable {
    /// What it is called and does.
    public let about: CommandDescription

    /// The arguments that are known by their place, in order.
    public let positionals: [ArgumentSpec]

    /// The flags and options, in order.
    public let options: [ArgumentSpec]

    init(_ about: CommandDescription, _ arguments: [ArgumentSpec]) {
        self.about = about
        positionals = arguments.filter { $0.kind == .positional }
        options = arguments.filter { $0.kind != .positional }
    }

    /// The name after the program's.
    public var name: String { about.name }
}
