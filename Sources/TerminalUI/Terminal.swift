#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The extent of a terminal, in character cells.
public struct TerminalSize: Sendable, Equatable {
    /// The cells across.
    public var columns: Int
    /// The cells down.
    public var rows: Int

    /// A size of so many cells.
    public init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// An output of the process, which may be a terminal, a pipe or a file.
public struct Terminal: Sendable {
    /// The file descriptor that is written to.
    public let descriptor: Int32

    /// The environment that says what the terminal is able to do.
    public let environment: [String: String]

    /// Makes the terminal of a descriptor, standard output by default.
    public init(descriptor: Int32 = 1, environment: [String: String]) {
        self.descriptor = descriptor
        self.environment = environment
    }

    /// Whether a terminal, and not a pipe or a file, is at the other end.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether lines can be redrawn in place: a terminal that obeys cursor movements.
    public var isInteractive: Bool { styleSupport != .none }

    /// The styles that the terminal shows.
    public var styleSupport: StyleSupport { StyleSupport(isTerminal: isTerminal, environment: environment) }

    /// The size of the window at this moment, or nil where it has none.
    ///
    /// Look again after `SIGWINCH`.
    public var size: TerminalSize? {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return nil
        }
        return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// The columns to lay text out for: the window's, or 80 where there is no window.
    public var columns: Int { size?.columns ?? 80 }

    /// Writes the whole text, waiting where the descriptor is full.
    ///
    /// - Returns: False when the other end is gone; nothing more can be shown then.
    @discardableResult
    public func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes all the bytes, waiting where the descriptor is full; false when that fails, with the reason in `errno`.
    public func write(bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { write($0) } }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = systemWrite(UnsafeRawBufferPointer(rebasing: rest))
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                // Another process that shares standard output may have made it non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
