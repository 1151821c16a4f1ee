#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The extent of a terminal, in character cells.
struct TerminalSize: Sendable, Equatable {
    /// The cells across.
    var columns: Int
    /// The cells down.
    var rows: Int
}

/// An output of the process, which may be a terminal, a pipe or a file.
struct Terminal: Sendable {
    /// The file descriptor that is written to.
    let descriptor: Int32

    /// The environment that says what the terminal is able to do.
    let environment: [String: String]

    /// Makes the terminal of a descriptor, standard output by default.
    init(descriptor: Int32 = STDOUT_FILENO, environment: [String: String]) {
        self.descriptor = descriptor
        self.environment = environment
    }

    /// Whether a terminal, and not a pipe or a file, is at the other end.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether lines can be redrawn in place: a terminal that obeys cursor movements.
    var isInteractive: Bool { styleSupport != .none }

    /// The styles that the terminal shows.
    var styleSupport: StyleSupport { StyleSupport(isTerminal: isTerminal, environment: environment) }

    /// The size of the window at this moment, or nil where it has none.
    ///
    /// Look again after `SIGWINCH`.
    var size: TerminalSize? {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return nil
        }
        return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// The columns to lay text out for: the window's, or 80 where there is no window.
    var columns: Int { size?.columns ?? 80 }

    /// Writes the whole text, waiting where the descriptor is full.
    ///
    /// - Returns: False when the other end is gone; nothing more can be shown then.
    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes all the bytes, waiting where the descriptor is full; false when that fails, as `errno` tells.
    func write(bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { write($0) } }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = systemWrite(UnsafeRawBufferPointer(rebasing: rest))
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                // Standard output may have been made non-blocking by whoever shares it.
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
