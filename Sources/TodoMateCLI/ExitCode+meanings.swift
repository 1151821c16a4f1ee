import CommandArguments

extension ExitCode {
    /// All of them, as the manual page explains them.
    static let meanings: [(code: ExitCode, meaning: String)] = [
        (.ok, "Done."),
        (.unhealthy, "doctor: there are errors; doctor --ready: it does not serve."),
        (.doubtful, "doctor: there are warnings."),
        (.usage, "The command line was wrong."),
        (.dataError, "What was given to work on was wrong."),
        (.unavailable, "Redis, or another service that is needed, cannot be reached."),
        (.software, "A defect in this program."),
        (.ioError, "A file or stream could not be read or written."),
        (.config, "The configuration does not allow it."),
        (.interrupted, "Ctrl-C or SIGTERM came in the middle of an export or import."),
    ]
}
