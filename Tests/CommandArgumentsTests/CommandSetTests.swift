import Testing

@testable import CommandArguments

@Suite("Command set")
struct CommandSetTests {
    struct UserAddCommand: Command {
        static let about = CommandDescription(name: "user add", summary: "Add a user.")
        func run() -> ExitCode { .ok }
    }

    struct UserListCommand: Command {
        static let about = CommandDescription(name: "user list", summary: "List users.")
        func run() -> ExitCode { .ioError }
    }

    struct Outcome: Equatable {
        var exitCode = ExitCode.ok
        var output = ""
        var messages = ""
    }

    let commands = CommandSet(
        program: "notebook",
        summary: "A note service.",
        version: "1.2.3",
        revision: "abc1234",
        commands: [SampleCommand.self, UserAddCommand.self, UserListCommand.self],
        examples: [.init("notebook up")]
    )

    func run(_ line: String...) async -> Outcome {
        var output = ""
        var messages = ""
        let context = CommandSet.Context(environment: [:], output: { output += $0 }, errorOutput: { messages += $0 })
        let exitCode = await commands.run(line, in: context)
        return Outcome(exitCode: exitCode, output: output, messages: messages)
    }

    @Test("A command runs and says how it ended")
    func runs() async {
        #expect(await run("add", "alice", "x") == Outcome())
        #expect(await run("add", "alice", "config") == Outcome(exitCode: .config))
        #expect(await run("user", "list") == Outcome(exitCode: .ioError))
    }

    @Test("The longest name that the line begins with is the command")
    func longestName() async {
        struct Group: Command {
            static let about = CommandDescription(name: "user", summary: "Show users.")
            func run() -> ExitCode { .config }
        }
        let commands = CommandSet(
            program: "notebook",
            summary: "",
            version: "",
            commands: [Group.self, UserListCommand.self]
        )
        let context = CommandSet.Context(environment: [:], output: { _ in }, errorOutput: { _ in })
        #expect(await commands.run(["user", "list"], in: context) == .ioError)
        #expect(await commands.run(["user"], in: context) == .config)
    }

    @Test("A failure is one line on standard error and its exit code")
    func failures() async {
        let unreachable = Outcome(exitCode: .unavailable, messages: "notebook add: the shelf does not answer\n")
        #expect(await run("add", "alice", "unreachable") == unreachable)
        #expect(await run("add", "alice", "crash").exitCode == .software)
    }

    @Test(
        "A wrong line exits 64 and points to the help",
        arguments: [
            (["lst"], "notebook: unknown command 'lst'. See 'notebook --help'.\n"),
            (["Add"], "notebook: unknown command 'Add', did you mean 'add'? See 'notebook --help'.\n"),
            (["usr", "add"], "notebook: unknown command 'usr', did you mean 'user'? See 'notebook --help'.\n"),
            (["user"], "notebook: 'user' needs one of these after it: add, list. See 'notebook --help'.\n"),
            (
                ["--json", "add"],
                "notebook: '--json' stands before the command; options come after it. See 'notebook --help'.\n"
            ),
            (["add", "a"], "notebook add: missing <content>. See 'notebook add --help'.\n"),
            (
                ["add", "--jsn"],
                "notebook add: unknown option '--jsn', did you mean '--json'? See 'notebook add --help'.\n"
            ),
            (
                ["user", "add", "\u{1B}[2J\n"],
                "notebook user add: unexpected argument '␛[2J '. See 'notebook user add --help'.\n"
            ),
            (["help", "lst"], "notebook: unknown command 'lst'. See 'notebook --help'.\n"),
            (["help", "add", "x"], "notebook: unexpected argument 'x'. See 'notebook --help'.\n"),
        ] as [([String], String)]
    )
    func usageErrors(line: [String], messages: String) async {
        var told = ""
        let context = CommandSet.Context(environment: [:], output: { _ in }, errorOutput: { told += $0 })
        #expect(await commands.run(line, in: context) == .usage)
        #expect(told == messages)
    }

    @Test("Help and version go to standard output, help that was not asked for to standard error")
    func help() async {
        let overall = commands.help(width: 80)
        #expect(await run("--help") == Outcome(output: overall))
        #expect(await run("-h") == Outcome(output: overall))
        #expect(await run("help") == Outcome(output: overall))
        #expect(await run() == Outcome(exitCode: .usage, messages: overall))
        #expect(await run("--version") == Outcome(output: "notebook 1.2.3 (abc1234)\n"))

        let add = SampleCommand.spec.help(program: "notebook", width: 80)
        #expect(await run("add", "--help") == Outcome(output: add))
        #expect(await run("add", "--bogus", "-h") == Outcome(output: add), "help counts whatever else is wrong")
        #expect(await run("help", "add") == Outcome(output: add))
        #expect(await run("add", "alice", "--", "-h") == Outcome(), "after two dashes it is an argument")
    }

    @Test("The overall help lists every command")
    func overallHelp() {
        let expected = """
            Usage: notebook <command> [options]

            A note service.

            Commands:
              add        Add a note.
              user add   Add a user.
              user list  List users.

            Options:
              -h, --help     Show this help, or that of a command.
                  --version  Show the version, and how this program was built.

            Examples:
              notebook up

            See 'notebook <command> --help' for what a command understands.

            """
        #expect(commands.help(width: 80) == expected)
    }
}
