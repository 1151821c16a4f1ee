import CommandArguments

/// `todomate completion`
struct CompletionCommand: Command {
    static let about = CommandDescription(
        name: "completion",
        summary: "Print a shell's completion script.",
        discussion: "scripts/install puts it where the shell looks.",
        examples: [
            .init("source <(todomate completion bash)", "For this shell; put it into ~/.bashrc for all."),
            .init("todomate completion zsh > \"${fpath[1]}/_todomate\""),
            .init("todomate completion fish > ~/.config/fish/completions/todomate.fish"),
        ]
    )

    @Positional("shell", as: .choice(of: Shell.self), help: "The shell.") private var shell: Shell

    func run() async throws -> ExitCode {
        try StandardOutput.write(shell.script(for: TodoMateProgram.commands))
        return .ok
    }
}
