public import EventLoop
import Foundation

/// Takes over a terminal for a program that draws the whole screen and reads each key, and restores it.
///
/// Ctrl-C, Ctrl-Z and Ctrl-\ stay the signals that they are, so that they work even while the program is stuck.
@LoopActor
public final class TerminalSession {
    /// How long an escape character may wait for the rest of a key's sequence.
    private static let escapeDelay = Duration.milliseconds(50)

    /// Hears each key.
    public var onKey: (KeyPress) -> Void = { _ in }
    /// Called when the screen must be redrawn: the window has another size, or the process was resumed.
    public var onRedraw: (TerminalSize) -> Void = { _ in }
    /// Hears that the terminal is gone.
    public var onHangup: () -> Void = {}

    private let terminal: Terminal
    private let painter: ScreenPainter
    /// Where keys come from; nil where there are none.
    private let input: Int32?
    private var decoder = KeyDecoder()
    private var modes = termios()
    private var reader: DescriptorWatch?
    private var signals: [SignalWatch] = []
    private var escapeTimer: LoopTimer?

    /// - Parameters:
    ///   - terminal: Where the painter writes to.
    ///   - input: Where keys come from, when that is a terminal.
    ///   - painter: Draws the lines.
    public init(terminal: Terminal, input: Int32 = 0, painter: ScreenPainter) {
        self.terminal = terminal
        self.painter = painter
        self.input = isatty(input) == 1 ? input : nil
    }

    /// Whether keys can be read.
    public var hasKeys: Bool { input != nil }

    /// The size of the window, or the usual one where it has none.
    public var size: TerminalSize { terminal.size ?? TerminalSize(columns: 80, rows: 24) }

    /// Takes the terminal over.
    public func open() {
        enter()
        signals = [
            SignalWatch(SIGWINCH) { [weak self] in self?.redraw() },
            SignalWatch(SIGTSTP) { [weak self] in
                self?.leave()
                // The whole process stops here, and the shell takes over; SIGCONT ends it.
                kill(getpid(), SIGSTOP)
            },
            SignalWatch(SIGCONT) { [weak self] in
                self?.enter()
                self?.redraw()
            },
            SignalWatch(SIGHUP) { [weak self] in self?.onHangup() },
        ]
        guard let input else { return }
        escapeTimer = LoopTimer { [weak self] in
            guard let self else { return }
            for key in decoder.flush() { onKey(key) }
        }
        reader = DescriptorWatch(input, onReadable: { [weak self] in self?.read(input) }, onWritable: {})
        reader?.startReading()
    }

    /// Gives the terminal back.
    public func close() {
        reader?.cancel()
        escapeTimer?.cancel()
        for signal in signals { signal.cancel() }
        signals = []
        leave()
    }

    private func enter() {
        // Twice in a row, the second time would find what the first has set.
        leave()
        if let input, tcgetattr(input, &modes) == 0 {
            TerminalGuard.arm(input: input, output: terminal.descriptor, modes: modes)
            var raw = modes
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR)
            tcsetattr(input, TCSADRAIN, &raw)
        } else {
            TerminalGuard.arm(input: -1, output: terminal.descriptor, modes: modes)
        }
        painter.open()
    }

    private func leave() {
        guard painter.isOpen else { return }
        painter.close()
        if let input { tcsetattr(input, TCSADRAIN, &modes) }
        TerminalGuard.disarm()
    }

    private func redraw() {
        painter.resize(to: size)
        onRedraw(size)
    }

    private func read(_ input: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(input, &bytes, bytes.count)
        guard count > 0 else {
            if count < 0, errno == EINTR || errno == EAGAIN { return }
            reader?.cancel()
            onHangup()
            return
        }
        for key in decoder.decode(bytes[..<count]) { onKey(key) }
        if decoder.isWaiting { escapeTimer?.start(after: Self.escapeDelay) }
    }
}
