/// Why a command could not do its work: one line for the user, and the exit code for scripts.
public struct CommandError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what to do, in one line without a full stop.
    public let message: String

    /// The code that the process exits with.
    public let exitCode: ExitCode

    /// Makes an error of any kind.
    public init(_ message: String, exitCode: ExitCode) {
        self.message = message
        self.exitCode = exitCode
    }

    /// An error in the command line itself; the way to the command's help is added when it is printed.
    public static func usage(_ message: String) -> CommandError {
        CommandError(message, exitCode: .usage)
    }

    /// The message.
    public var description: String { message }
}
