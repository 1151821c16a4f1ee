import CommandArguments

/// `todomate completion`
struct CompletionCommand: Command {
    private static let shell = Positional(
        "shell",
        as: ValueParser<Shell>.choice(),
        help: "Whose command lines to complete."
    )

    static let spec = CommandSpec(
        name: "completion",
        summary: "Print what teaches a shell to complete the command line.",
        discussion: "scripts/install puts it where the shell looks.",
        positionals: [shell],
        examples: [
            .init("source <(todomate completion bash)", "For this shell; put it into ~/.bashrc for all."),
            .init("todomate completion zsh > \"${fpath[1]}/_todomate\""),
            .init("todomate completion fish > ~/.config/fish/completions/todomate.fish"),
        ]
    )

    private let shell: Shell

    init(_ arguments: ParsedArguments) throws { shell = try arguments[Self.shell] }

    func run() async throws -> ExitCode {
        try StandardOutput.write(shell.script(for: TodoMateProgram.commands))
        return .ok
    }
}
