import TerminalUI

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a command's data goes.
public enum StandardOutput {
    /// Writes all of it; a reader that has seen enough, such as `head`, is no error.
    ///
    /// - Returns: False when the reader has closed the output.
    /// - Throws: `CommandError` when it cannot be written, as on a full disk.
    @discardableResult
    public static func write(_ text: String) throws(CommandError) -> Bool {
        guard !Terminal(environment: [:]).write(text) else { return true }
        guard errno != EPIPE else { return false }
        throw CommandError("standard output cannot be written: \(String(cString: strerror(errno)))", exitCode: .ioError)
    }
}
