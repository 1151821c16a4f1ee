/// Shows how far long work has come, on standard error when that is a terminal; otherwise it says nothing.
public struct ProgressBar {
    private static let pause = Duration.milliseconds(100)

    private let line: ProgressLine
    private let terminal: Terminal
    private let isShown: Bool
    private let began = ContinuousClock.now
    private var next = ContinuousClock.now

    /// A bar that shows up with the first step.
    public init(_ line: ProgressLine, terminal: Terminal) {
        self.line = line
        self.terminal = terminal
        isShown = terminal.isInteractive
    }

    /// How long it has been there.
    public var elapsed: Duration { ContinuousClock.now - began }

    /// Says how far the work has come; cheap enough for every step.
    public mutating func update(_ done: Int) {
        guard isShown, case let now = ContinuousClock.now, now >= next else { return }
        next = now + Self.pause
        terminal.write("\r\u{1B}[K" + line.text(done: done, elapsed: now - began, columns: terminal.columns))
    }

    /// Takes the bar away, for a line in its place or because the work is done; the next step shows it again.
    public mutating func clear() {
        guard isShown else { return }
        next = .now
        terminal.write("\r\u{1B}[K")
    }
}
