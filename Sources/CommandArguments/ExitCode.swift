/// How a command ended, in the numbers of `sysexits.h`.
public enum ExitCode: Int32, Sendable {
    /// Done.
    case ok = 0
    /// Done, and the check found errors.
    case unhealthy = 1
    /// Done, and the check found warnings.
    case doubtful = 2
    /// The command line was wrong.
    case usage = 64
    /// What was given to work on was wrong.
    case dataError = 65
    /// A service that is needed cannot be reached.
    case unavailable = 69
    /// A defect in this program.
    case software = 70
    /// A file or stream could not be read or written.
    case ioError = 74
    /// The configuration does not allow it.
    case config = 78
    /// Interrupted by Ctrl-C or SIGTERM, as shells report Ctrl-C.
    case interrupted = 130
}
