import Testing

@testable import CommandArguments

@Suite("Argument parser")
struct ArgumentParserTests {
    typealias Sample = SampleCommand

    @Test("Without options, defaults count")
    func defaults() throws {
        let arguments = try Sample.parse(["alice", "Buy milk"])
        #expect(try arguments[Sample.uid] == "alice")
        #expect(try arguments[Sample.content] == "Buy milk")
        #expect(try arguments[Sample.tags] == [])
        #expect(try arguments[Sample.store] == "store://127.0.0.1:6379/0")
        #expect(try arguments[Sample.workers] == 2)
        #expect(try arguments[Sample.status] == nil)
        #expect(try arguments[Sample.days] == [])
        #expect(try arguments[Sample.timeout] == .seconds(5))
        #expect(try !arguments[Sample.json])
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
            #expect(try arguments[Sample.workers] == 4)
            #expect(try arguments[Sample.content] == "x")
        }
    }

    @Test("Values of every type arrive typed")
    func typedValues() throws {
        let line = ["a", "b", "--status=complete", "--detail=", "-d1", "-d", "-2", "--observe", "a,b", "--timeout=2m"]
        let arguments = try Sample.parse(line)
        #expect(try arguments[Sample.status] == .complete)
        #expect(try arguments[Sample.detail] == "")
        #expect(try arguments[Sample.days] == [1, -2])
        #expect(try arguments[Sample.observe] == ["a", "b"])
        #expect(try arguments[Sample.timeout] == .seconds(120))
    }

    @Test("A value may contain an equals sign, and look like an option when it is attached")
    func oddValues() throws {
        #expect(try Sample.parse(["a", "b", "--store=x=y"])[Sample.store] == "x=y")
        #expect(try Sample.parse(["a", "b", "--store=--json"])[Sample.store] == "--json")
        #expect(try Sample.parse(["a", "b", "--store", "-"])[Sample.store] == "-")
    }

    @Test("After two dashes everything is an argument, before them a dash and a negative number are")
    func dashes() throws {
        let arguments = try Sample.parse(["alice", "-5", "-", "--", "--json", "-h", "--"])
        #expect(try arguments[Sample.content] == "-5")
        #expect(try arguments[Sample.tags] == ["-", "--json", "-h", "--"])
        #expect(try !arguments[Sample.json])
    }

    @Test("The command line counts over the environment, the environment over the default")
    func precedence() throws {
        let environment = ["NOTEBOOK_WORKERS": "8", "NOTEBOOK_JSON": "yes", "NOTEBOOK_STORE": ""]
        let silent = try Sample.parse(["a", "b"], environment: environment)
        #expect(try silent[Sample.workers] == 8)
        #expect(try silent[Sample.json])
        #expect(try silent[Sample.store] == "store://127.0.0.1:6379/0", "set to nothing counts as not set")

        let spoken = try Sample.parse(["a", "b", "-w", "3", "--no-json"], environment: environment)
        #expect(try spoken[Sample.workers] == 3)
        #expect(try !spoken[Sample.json])
    }

    @Test("What the environment says is not looked at when the command line overrules it")
    func overruledEnvironment() throws {
        let arguments = try Sample.parse(["a", "b", "-w3"], environment: ["NOTEBOOK_WORKERS": "many"])
        #expect(try arguments[Sample.workers] == 3)
    }

    @Test("A positional that the environment gives takes a word only if enough are left")
    func positionalFromEnvironment() throws {
        let environment = ["NOTEBOOK_USER": "carol"]
        let one = try Sample.parse(["Buy milk"], environment: environment)
        #expect(try one[Sample.uid] == "carol")
        #expect(try one[Sample.content] == "Buy milk")
        let two = try Sample.parse(["alice", "Buy milk"], environment: environment)
        #expect(try two[Sample.uid] == "alice")
    }

    @Test("A flag may be repeated")
    func repeatedFlag() throws {
        #expect(try Sample.parse(["a", "b", "-j", "--json"])[Sample.json])
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
            (["a", "b", "-d", "1.5"], "'--day' must be a whole number, not '1.5'"),
            (["a", "b", "--status=done"], "'--status' must be one of open, inProgress, complete, not 'done'"),
            (["a", "b", "--observe=a,,b"], "'--observe' must be values separated by single commas, not 'a,,b'"),
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
        let uid = Positional(optional: "uid", as: .text, help: "")
        let spec = CommandSpec(name: "list", summary: "", positionals: [uid])
        #expect(throws: CommandError.usage("unexpected argument 'b'")) {
            try ArgumentParser.parse(["a", "b"], for: spec, environment: [:])
        }
    }

    @Test("A required option comes from the line or the environment")
    func requiredOption() throws {
        let secret = Option(required: "secret", as: .text, environment: "SECRET", help: "")
        let spec = CommandSpec(name: "token", summary: "", options: [secret])
        #expect(throws: CommandError.usage("option '--secret' is required (or set SECRET)")) {
            try ArgumentParser.parse([], for: spec, environment: [:])
        }
        #expect(try ArgumentParser.parse([], for: spec, environment: ["SECRET": "s"])[secret] == "s")
        #expect(try ArgumentParser.parse(["--secret=t"], for: spec, environment: ["SECRET": "s"])[secret] == "t")
    }

    @Test("A parser's own CommandError keeps its exit code, another error is quoted")
    func customErrors() {
        struct Odd: Error, CustomStringConvertible { let description = "odd one" }
        let bad = CommandError("bad", exitCode: .dataError)
        let dated = Option("date", as: ValueParser<Int> { _ in throw bad }, help: "")
        let odd = Option("odd", as: ValueParser<Int> { _ in throw Odd() }, help: "")
        let spec = CommandSpec(name: "x", summary: "", options: [dated, odd])
        #expect(throws: bad) {
            try ArgumentParser.parse(["--date", "1"], for: spec, environment: [:])
        }
        #expect(throws: CommandError.usage("'--odd': odd one")) {
            try ArgumentParser.parse(["--odd", "1"], for: spec, environment: [:])
        }
    }

    @Test("Reading what the command does not declare is an error, not a crash")
    func undeclared() throws {
        let other = Option("other", as: .text, default: "", help: "")
        let error = #expect(throws: CommandError.self) { try Sample.parse(["a", "b"])[other] }
        #expect(error?.exitCode == .software)
    }
}
