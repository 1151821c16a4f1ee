import CommandArguments

/// `todomate man`
struct ManualCommand: Command {
    static let about = CommandDescription(
        name: "man",
        summary: "Print the manual page, for man.",
        examples: [
            .init("todomate man | man -l -", "Read it."),
            .init("todomate man > ~/.local/share/man/man1/todomate.1", "Install it; scripts/install does so."),
        ]
    )

    func run() async throws -> ExitCode {
        try StandardOutput.write(ManualPage(commands: TodoMateProgram.commands).text)
        return .ok
    }
}
