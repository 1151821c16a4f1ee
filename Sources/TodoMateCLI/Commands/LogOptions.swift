import CommandArguments
import TodoMate

/// The options of commands that keep running and log.
struct LogOptions: Sendable {
    @Option(
        "log-level",
        as: .choice(of: Logger.Level.self),
        default: .info,
        valueName: "level",
        environment: "TODOMATE_LOG_LEVEL",
        help: "The least important lines to log."
    )
    private var level: Logger.Level
    @Option(
        "log-format",
        as: .choice(of: Logger.Format.self),
        default: .logfmt,
        valueName: "format",
        environment: "TODOMATE_LOG_FORMAT",
        help: "How log lines are written."
    )
    private var format: Logger.Format

    /// A logger that does as they say.
    func logger(label: String) -> Logger { Logger(level: level, format: format, label: label) }

    /// The words that hand them on to another process.
    var words: [String] { ["--log-level", level.rawValue, "--log-format", format.rawValue] }
}
