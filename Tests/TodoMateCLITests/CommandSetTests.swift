import Testing

@testable import TodoMateCLI

@Suite("Command set")
struct CommandSetTests {
    struct UserAddCommand: Command {
        static let spec = CommandSpec(name: "user add", summary: "Add a user.")
        init(_ arguments: ParsedArguments) {}
        func run() -> ExitCode { .ok }
    }

    struct UserListCommand: Command {
        static let spec = CommandSpec(name: "user list", summary: "List users.")
        init(_ arguments: ParsedArguments) {}
        func run() -> ExitCode { .ioError }
    }

    struct Outcome: Equatable {
        var exitCode = ExitCode.ok
        var output = ""
        var talk = ""
    }

    let commands = CommandSet(
        program: "todomate",
        summary: "A todo service.",
        version: "1.2.3",
        commands: [SampleCommand.self, UserAddCommand.self, UserListCommand.self],
        examples: [.init("todomate up")]
    )

    func run(_ line: String...) async -> Outcome {
        var output = ""
        var talk = ""
        let context = CommandSet.Context(environment: [:], output: { output += $0 }, talk: { talk += $0 })
        let exitCode = await commands.run(line, in: context)
        return Outcome(exitCode: exitCode, output: output, talk: talk)
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
            static let spec = CommandSpec(name: "user", summary: "Show users.")
            init(_ arguments: ParsedArguments) {}
            func run() -> ExitCode { .config }
        }
        let commands = CommandSet(
            program: "todomate",
            summary: "",
            version: "",
            commands: [Group.self, UserListCommand.self]
        )
        let context = CommandSet.Context(environment: [:], output: { _ in }, talk: { _ in })
        #expect(await commands.run(["user", "list"], in: context) == .ioError)
        #expect(await commands.run(["user"], in: context) == .config)
    }

    @Test("A failure is one line on standard error and its exit code")
    func failures() async {
        let unreachable = Outcome(exitCode: .unavailable, talk: "todomate add: Redis does not answer\n")
        #expect(await run("add", "alice", "unreachable") == unreachable)
        #expect(await run("add", "alice", "crash").exitCode == .software)
    }

    @Test(
        "A wrong line exits 64 and points to the help",
        arguments: [
            (["lst"], "todomate: unknown command 'lst'. See 'todomate --help'.\n"),
            (["Add"], "todomate: unknown command 'Add', did you mean 'add'? See 'todomate --help'.\n"),
            (["usr", "add"], "todomate: unknown command 'usr', did you mean 'user'? See 'todomate --help'.\n"),
            (["user"], "todomate: 'user' needs one of these after it: add, list. See 'todomate --help'.\n"),
            (
                ["--json", "add"],
                "todomate: '--json' stands before the command; options come after it. See 'todomate --help'.\n"
            ),
            (["add", "a"], "todomate add: missing <content>. See 'todomate add --help'.\n"),
            (
                ["add", "--jsn"],
                "todomate add: unknown option '--jsn', did you mean '--json'? See 'todomate add --help'.\n"
            ),
            (
                ["user", "add", "\u{1B}[2J\n"],
                "todomate user add: unexpected argument '␛[2J '. See 'todomate user add --help'.\n"
            ),
            (["help", "lst"], "todomate: unknown command 'lst'. See 'todomate --help'.\n"),
            (["help", "add", "x"], "todomate: unexpected argument 'x'. See 'todomate --help'.\n"),
        ] as [([String], String)]
    )
    func usageErrors(line: [String], talk: String) async {
        var told = ""
        let context = CommandSet.Context(environment: [:], output: { _ in }, talk: { told += $0 })
        #expect(await commands.run(line, in: context) == .usage)
        #expect(told == talk)
    }

    @Test("Help and version go to standard output, help that was not asked for to standard error")
    func help() async {
        let overall = commands.help(width: 80)
        #expect(await run("--help") == Outcome(output: overall))
        #expect(await run("-h") == Outcome(output: overall))
        #expect(await run("help") == Outcome(output: overall))
        #expect(await run() == Outcome(exitCode: .usage, talk: overall))
        #expect(await run("--version") == Outcome(output: "todomate 1.2.3\n"))

        let add = SampleCommand.spec.help(program: "todomate", width: 80)
        #expect(await run("add", "--help") == Outcome(output: add))
        #expect(await run("add", "--bogus", "-h") == Outcome(output: add), "help counts whatever else is wrong")
        #expect(await run("help", "add") == Outcome(output: add))
        #expect(await run("add", "alice", "--", "-h") == Outcome(), "after two dashes it is an argument")
    }

    @Test("The overall help lists every command")
    func overallHelp() {
        let expected = """
            Usage: todomate <command> [options]

            A todo service.

            Commands:
              add        Add a todo.
              user add   Add a user.
              user list  List users.

            Options:
              -h, --help     Show this help, or that of a command.
                  --version  Show the version, and how this program was built.

            Examples:
              todomate up

            See 'todomate <command> --help' for what a command understands.

            """
        #expect(commands.help(width: 80) == expected)
    }
}
