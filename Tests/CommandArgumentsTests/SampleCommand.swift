@testable import CommandArguments

/// A command with one argument of every kind, for the suites about parsing and help.
struct SampleCommand: Command {
    enum Status: String, CaseIterable {
        case open, inProgress, complete
    }

    static let uid = Positional("uid", as: .text, environment: "NOTEBOOK_USER", help: "Whose note it is.")
    static let content = Positional("content", as: .text, help: "What is to be done.")
    static let tags = Positional(repeating: "tag", as: .text, atLeast: 0, help: "Words to find it by.")

    static let store = Option(
        "store",
        as: .text,
        default: "store://127.0.0.1:6379/0",
        valueName: "url",
        environment: "NOTEBOOK_STORE",
        help: "Where notes go."
    )
    static let workers = Option(
        "workers",
        short: "w",
        as: .integer(in: 1...64),
        default: 2,
        valueName: "count",
        environment: "NOTEBOOK_WORKERS",
        help: "How many processes."
    )
    static let status = Option("status", as: .choice(of: Status.self), help: "Only notes like this.")
    static let detail = Option("detail", as: .textOrEmpty, help: "More about it.")
    static let days = Option(repeating: "day", short: "d", as: .integer(), help: "A day to show.")
    static let observe = Option("observe", as: .list(of: .text), default: [], help: "Users to follow.")
    static let timeout = Option("timeout", as: .duration, default: .seconds(5), help: "How long to wait.")
    static let json = Flag("json", short: "j", environment: "NOTEBOOK_JSON", help: "Print JSON.")
    static let quiet = Flag("quiet", short: "q", help: "Print nothing.")

    static let spec = CommandSpec(
        name: "add",
        summary: "Add a note.",
        discussion: "Two views\nshow it.\n\nEverybody sees it.",
        positionals: [uid, content, tags],
        options: [store, workers, status, detail, days, observe, timeout, json, quiet],
        examples: [.init("notebook add alice \"Buy milk\"", "Adds it to today."), .init("notebook add bob Run")]
    )

    let uid: String
    let content: String
    let workers: Int

    init(_ arguments: ParsedArguments) throws {
        uid = try arguments[Self.uid]
        content = try arguments[Self.content]
        workers = try arguments[Self.workers]
    }

    func run() async throws -> ExitCode {
        switch content {
        case "unreachable": throw CommandError("the shelf does not answer", exitCode: .unavailable)
        case "crash": throw InvalidValue(expectation: "never seen")
        case "config": .config
        default: .ok
        }
    }

    static func parse(_ line: [String], environment: [String: String] = [:]) throws -> ParsedArguments {
        try ArgumentParser.parse(line, for: spec, environment: environment)
    }
}
