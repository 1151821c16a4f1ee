/// Why a command could not do its work: one line for the user, and the exit code for scripts.
struct CommandError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what to mend, in one line without a full stop.
    let message: String

    /// The code that the process exits with.
    let exitCode: ExitCode

    /// Makes an error of any kind.
    init(_ message: String, exitCode: ExitCode) {
        self.message = message
        self.exitCode = exitCode
    }

    /// An error in the command line itself; the way to the command's help is added when it is printed.
    static func usage(_ message: String) -> CommandError {
        CommandError(message, exitCode: .usage)
    }

    /// The message.
    var description: String { message }
}
