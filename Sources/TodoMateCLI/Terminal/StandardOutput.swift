#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a command's data goes.
enum StandardOutput {
    /// Writes all of it; a reader that has seen enough, such as `head`, is no error.
    ///
    /// - Throws: `CommandError` when it cannot be written, as on a full disk.
    static func write(_ text: String) throws(CommandError) {
        guard !Terminal(environment: [:]).write(text), errno != EPIPE else { return }
        throw CommandError("standard output cannot be written: \(String(cString: strerror(errno)))", exitCode: .ioError)
    }
}
