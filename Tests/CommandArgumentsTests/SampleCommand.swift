@testable import CommandArguments

/// A command with one argument of every kind, for the suites about parsing and help.
struct SampleCommand: Command {
    enum Status: String, CaseIterable {
        case open, inProgress, complete
    }

    static let about = CommandDescription(
        name: "add",
        summary: "Add a note.",
        discussion: "Two views\nshow it.\n\nEverybody sees it.",
        examples: [.init("notebook add alice \"Buy milk\"", "Adds it to today."), .init("notebook add bob Run")]
    )

    /// Arguments that several commands might share.
    struct Output: Sendable {
        @Flag("json", short: "j", environment: "NOTEBOOK_JSON", help: "Print JSON.") var isJSON: Bool
        @Flag(.quiet) var isQuiet: Bool
    }

    @Positional("uid", as: .text, environment: "NOTEBOOK_USER", help: "Whose note it is.") var uid: String
    @Positional("content", as: .text, help: "What is to be done.") var content: String
    @Positional(repeating: "tag", as: .text, help: "Words to find it by.") var tags: [String]

    @Option(
        "store",
        as: .text,
        default: "store://127.0.0.1:6379/0",
        valueName: "url",
        environment: "NOTEBOOK_STORE",
        help: "Where notes go."
    )
    var store: String
    @Option(
        "workers",
        short: "w",
        as: .integer(in: 1...64),
        default: 2,
        valueName: "count",
        environment: "NOTEBOOK_WORKERS",
        help: "How many processes."
    )
    var workers: Int
    @Option("status", as: .choice(of: Status.self), help: "Only notes like this.") var status: Status?
    @Option("detail", as: .textOrEmpty, help: "More about it.") var detail: String?
    @Option("days", short: "d", as: .list(of: .integer()), default: [], help: "Days to show.") var days: [Int]
    @Option("timeout", as: .duration, default: .seconds(5), help: "How long to wait.") var timeout: Duration
    let output = Output()
    @Environment var environment: [String: String]

    func run() async throws -> ExitCode {
        switch content {
        case "unreachable": throw CommandError("the shelf does not answer", exitCode: .unavailable)
        case "crash": throw InvalidValue(expectation: "never seen")
        case "config": .config
        default: .ok
        }
    }

    static func parse(_ line: [String]) throws -> SampleCommand { try parse(line, environment: [:]) }
}

extension Flag {
    fileprivate static var quiet: Self { Self("quiet", short: "q", help: "Print nothing.") }
}
