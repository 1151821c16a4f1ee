import Testing

@testable import CommandArguments

@Suite("Argument parser")
struct ArgumentParserTests {
    typealias Sample = SampleCommand

    @Test("Without options, defaults count")
    func defaults() throws {
        let arguments = try Sample.parse(["alice", "Buy milk"])
        #expect(arguments.uid == "alice")
        #expect(arguments.content == "Buy milk")
        #expect(arguments.tags == [])
        #expect(arguments.store == "store://127.0.0.1:6379/0")
        #expect(arguments.workers == 2)
        #expect(arguments.status == nil)
        #expect(arguments.days == [])
        #expect(arguments.timeout == .seconds(5))
        #expect(!arguments.output.isJSON)
    }

    @Test(
        "An option is understood however it is written",
        arguments: [
            ["--workers", "4"], ["--workers=4"], ["-w", "4"], ["-w4"], ["-w=4"], ["-qw4"], ["-jw", "4"],
        ]
    )
    func spellings(of option: [String]) throws {
        for line in [option + ["alice", "x"], ["alice"] + option + ["x"], ["alice", "x"] + option] {
            let arguments = try Sample.parse(line)
            #expect(arguments.workers == 4)
            #expect(arguments.content == "x")
        }
    }

    @Test("Values of every type arrive typed")
    func typedValues() throws {
        let line = ["a", "b", "--status=complete", "--detail=", "-d", "-2,1", "--timeout=2m"]
        let arguments = try Sample.parse(line)
        #expect(arguments.status == .complete)
        #expect(arguments.detail == "")
        #expect(arguments.days == [-2, 1])
        #expect(arguments.timeout == .seconds(120))
    }

    @Test("A value may contain an equals sign, and look like an option when it is attached")
    func oddValues() throws {
        #expect(try Sample.parse(["a", "b", "--store=x=y"]).store == "x=y")
        #expect(try Sample.parse(["a", "b", "--store=--json"]).store == "--json")
        #expect(try Sample.parse(["a", "b", "--store", "-"]).store == "-")
    }

    @Test("After two dashes everything is an argument, before them a dash and a negative number are")
    func dashes() throws {
        let arguments = try Sample.parse(["alice", "-5", "-", "--", "--json", "-h", "--"])
        #expect(arguments.content == "-5")
        #expect(arguments.tags == ["-", "--json", "-h", "--"])
        #expect(!arguments.output.isJSON)
    }

    @Test("The command line counts over the environment, the environment over the default")
    func precedence() throws {
        let environment = ["NOTEBOOK_WORKERS": "8", "NOTEBOOK_JSON": "yes", "NOTEBOOK_STORE": ""]
        let silent = try Sample.parse(["a", "b"], environment: environment)
        #expect(silent.workers == 8)
        #expect(silent.output.isJSON)
        #expect(silent.store == "store://127.0.0.1:6379/0", "set to nothing counts as not set")

        let spoken = try Sample.parse(["a", "b", "-w", "3", "--no-json"], environment: environment)
        #expect(spoken.workers == 3)
        #expect(!spoken.output.isJSON)
    }

    @Test("What the environment says is not looked at when the command line overrules it")
    func overruledEnvironment() throws {
        let arguments = try Sample.parse(["a", "b", "-w3"], environment: ["NOTEBOOK_WORKERS": "many"])
        #expect(arguments.workers == 3)
    }

    @Test("A positional that the environment gives takes a word only if enough are left")
    func positionalFromEnvironment() throws {
        let environment = ["NOTEBOOK_USER": "carol"]
        let one = try Sample.parse(["Buy milk"], environment: environment)
        #expect(one.uid == "carol")
        #expect(one.content == "Buy milk")
        let two = try Sample.parse(["alice", "Buy milk"], environment: environment)
        #expect(two.uid == "alice")
    }

    @Test("A flag may be repeated")
    func repeatedFlag() throws {
        #expect(try Sample.parse(["a", "b", "-j", "--json"]).output.isJSON)
    }

    @Test(
        "A wrong line is refused with one line that says what is wrong",
        arguments: [
            (["a", "b", "--jsn"], "unknown option '--jsn', did you mean '--json'?"),
            (["a", "b", "--wrokers=3"], "unknown option '--wrokers', did you mean '--workers'?"),
            (["a", "b", "--hlep"], "unknown option '--hlep', did you mean '--help'?"),
            (
                ["a", "--zzzzzz"],
                "unknown option '--zzzzzz' (put '--' before an argument that begins with a dash)"
            ),
            (["a", "b", "-s", "x"], "unknown option '-s', did you mean '--store'?"),
            (["a", "b", "-jx"], "unknown option '-x' (put '--' before an argument that begins with a dash)"),
            (["a", "b", "--no-quiet"], "unknown option '--no-quiet', did you mean '--quiet'?"),
            (["a", "b", "--store"], "option '--store' needs a <url>"),
            (["a", "b", "--store", "--json"], "option '--store' needs a <url>"),
            (["a", "b", "-w", "--store=x"], "option '--workers' needs a <count>"),
            (["a", "b", "-w", "--", "4"], "option '--workers' needs a <count>"),
            (["a", "b", "--store="], "'--store' must not be empty"),
            (["a", "b", "--store", ""], "'--store' must not be empty"),
            (["a", ""], "'<content>' must not be empty"),
            (["a", "b", "-w", "2", "--workers=3"], "option '--workers' is given twice"),
            (["a", "b", "--json=1"], "flag '--json' takes no value"),
            (["a", "b", "-w", "0"], "'--workers' must be a whole number from 1 to 64, not '0'"),
            (["a", "b", "-w", "4x"], "'--workers' must be a whole number from 1 to 64, not '4x'"),
            (["a", "b", "-d", "1.5"], "'--days' must be a whole number, not '1.5'"),
            (["a", "b", "--status=done"], "'--status' must be one of open, inProgress, complete, not 'done'"),
            (["a", "b", "--days=1,,2"], "'--days' must be values separated by single commas, not '1,,2'"),
            (["a", "b", "--timeout=soon"], "'--timeout' must be a time such as 5s, 500ms or 2m, not 'soon'"),
            (["alice"], "missing <content>"),
            ([], "missing <uid>"),
        ] as [([String], String)]
    )
    func refusals(line: [String], message: String) {
        #expect(throws: CommandError.usage(message)) { try Sample.parse(line) }
    }

    @Test("A wrong value in the environment is refused by the variable's name")
    func wrongEnvironment() {
        #expect(throws: CommandError.usage("'NOTEBOOK_WORKERS' must be a whole number from 1 to 64, not 'x'")) {
            try Sample.parse(["a", "b"], environment: ["NOTEBOOK_WORKERS": "x"])
        }
        #expect(throws: CommandError.usage("'NOTEBOOK_JSON' must be 1 or 0, not 'perhaps'")) {
            try Sample.parse(["a", "b"], environment: ["NOTEBOOK_JSON": "perhaps"])
        }
    }

    @Test("A surplus argument is refused")
    func surplus() {
        struct List: Command {
            static let about = CommandDescription(name: "list", summary: "")
            @Positional(optional: "uid", as: .text, help: "") var uid: String?
            func run() -> ExitCode { .ok }
        }
        #expect(throws: CommandError.usage("unexpected argument 'b'")) {
            try List.parse(["a", "b"], environment: [:])
        }
    }

    @Test("A parser's own CommandError keeps its exit code, another error is quoted")
    func customErrors() {
        struct Odd: Error, CustomStringConvertible { let description = "odd one" }
        struct Picky: Command {
            static let about = CommandDescription(name: "x", summary: "")
            static let bad = CommandError("bad", exitCode: .dataError)
            @Option("date", as: ValueParser<Int> { _ in throw bad }, help: "") var date: Int?
            @Option("odd", as: ValueParser<Int> { _ in throw Odd() }, help: "") var odd: Int?
            func run() -> ExitCode { .ok }
        }
        #expect(throws: Picky.bad) { try Picky.parse(["--date", "1"], environment: [:]) }
        #expect(throws: CommandError.usage("'--odd': odd one")) { try Picky.parse(["--odd", "1"], environment: [:]) }
    }

    @Test("A command declares its arguments in the order in which they stand, each time that it is asked")
    func declarations() {
        let names = ["store", "workers", "status", "detail", "days", "timeout", "json", "quiet"]
        for _ in 0..<2 {
            #expect(Sample.spec.options.map(\.name) == names)
            #expect(Sample.spec.positionals.map(\.name) == ["uid", "content", "tag"])
        }
    }

    @Test("A command has the environment of its line")
    func environment() throws {
        let environment = ["NOTEBOOK_USER": "carol", "COLOR": "no"]
        #expect(try Sample.parse(["x"], environment: environment).environment == environment)
    }
}
